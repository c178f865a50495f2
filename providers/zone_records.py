"""``ZoneRecords``: every managed record set and health check of one zone, as one resource.

The path ``providers.zone_records.ZoneRecordsProvider`` is stored in every steering stack's state.
"""

from __future__ import annotations

from typing import Any

import pulumi
from pulumi.dynamic import (
    CheckFailure,
    CheckResult,
    CreateResult,
    DiffResult,
    ReadResult,
    Resource,
    ResourceProvider,
    UpdateResult,
)

from providers.errors import reported
from providers.zone_inputs import ZoneInputs, failures, parse, same_deployment
from providers.zone_work import forget, reconcile, refreshed
from route53.errors import Route53Error


class ZoneRecordsProvider(ResourceProvider):
    """Stateless: it is stored by reference, so current code serves old state."""

    serialize_as_secret_always = False

    def check(self, _olds: dict[str, Any], news: dict[str, Any]) -> CheckResult:
        """Validate the inputs and run the guards on their summary. No network.

        Failures carry no property name: the engine prints a named property's whole value.
        """
        reasons = failures(news, first_run=not same_deployment(_olds, news))
        return CheckResult(news, [CheckFailure("", reason) for reason in reasons])

    def diff(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> DiffResult:
        """Change exactly when the plan is not empty. No network."""
        return DiffResult(changes=bool(_news["plan"]))

    def create(self, props: dict[str, Any]) -> CreateResult:
        """Read the live zone, plan and guard again, apply."""
        with reported(Route53Error):
            outputs = reconcile(parse(props), first_run=True)
        return CreateResult(f"{outputs['zone']}/{outputs['prefix']}", outputs)

    def update(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> UpdateResult:
        """Read the live zone, plan and guard again, apply."""
        with reported(Route53Error):
            return UpdateResult(
                reconcile(parse(_news), first_run=not same_deployment(_olds, _news))
            )

    def read(self, id_: str, props: dict[str, Any]) -> ReadResult:
        """Return what is live; ``(None, {})`` when the zone is gone. The inputs stay."""
        with reported(Route53Error):
            outputs = refreshed(id_)
        if outputs is None:
            return ReadResult(None, {})
        inputs = {key: props[key] for key in ZoneInputs.model_fields if key in props}
        return ReadResult(id_, {**props, **outputs}, inputs or None)

    def delete(self, _id: str, _props: dict[str, Any]) -> None:
        """Do nothing but say what stays: forgetting a zone never withdraws it."""
        forget(_props)


class ZoneRecords(Resource, module="steering", name="ZoneRecords"):
    """The managed records of one zone and prefix.

    ``healthChecks`` lists ``{address, id}`` of its checks, by address.
    """

    healthChecks: pulumi.Output[list[dict[str, str]]]  # noqa: N815 - the property's name on the wire

    def __init__(self, name: str, inputs: ZoneInputs, opts: pulumi.ResourceOptions) -> None:
        """Declare the resource; a diff of its large inputs is left to the plan's own lines."""
        hidden = pulumi.ResourceOptions(hide_diffs=list(ZoneInputs.model_fields))
        props = {**inputs.model_dump(mode="json", by_alias=True), "healthChecks": None}
        merged = pulumi.ResourceOptions.merge(hidden, opts)
        super().__init__(ZoneRecordsProvider(), name, props, merged)
