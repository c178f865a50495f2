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

from providers.engine import attend
from providers.errors import reported
from providers.zone_inputs import ZoneInputs, failures, parse, same_deployment
from providers.zone_work import forget, reconcile, refreshed
from route53.errors import Route53Error

attend()


class ZoneRecordsProvider(ResourceProvider):
    """Stateless: it is stored by reference, so current code serves old state."""

    serialize_as_secret_always = False

    @reported()
    def check(self, _olds: dict[str, Any], news: dict[str, Any]) -> CheckResult:
        """Validate the inputs and run the guards on their summary. No network.

        Failures carry no property name: the engine prints a named property's whole value.
        """
        reasons = failures(news, first_run=not same_deployment(_olds, news))
        return CheckResult(news, [CheckFailure("", reason) for reason in reasons])

    @reported()
    def diff(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> DiffResult:
        """Change exactly when the plan is not empty, or zone or prefix are others. No network.

        Another prefix in the same zone is another deployment: made anew, and the old one forgotten.
        """
        if not same_deployment(_olds, _news):
            return DiffResult(changes=True, replaces=["desired"])
        return DiffResult(changes=bool(_news["plan"]))

    @reported(Route53Error)
    def create(self, props: dict[str, Any]) -> CreateResult:
        """Read the live zone, plan and guard again, apply."""
        outputs = reconcile(parse(props), first_run=True)
        return CreateResult(f"{outputs['zone']}/{outputs['prefix']}", outputs)

    @reported(Route53Error)
    def update(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> UpdateResult:
        """Read the live zone, plan and guard again, apply. What `diff` replaces is created."""
        return UpdateResult(reconcile(parse(_news), first_run=False))

    @reported(Route53Error)
    def read(self, id_: str, props: dict[str, Any]) -> ReadResult:  # noqa: ARG002 - the SDK's form
        """Return what is live; ``(None, {})`` when the zone is gone. The inputs stay.

        A refresh asks `diff` about the inputs in the state. After a run that changed something they
        hold its plan, so the refresh calls the resource updated; the next run finds nothing to do.
        """
        outputs = refreshed(id_)
        return ReadResult(None, {}) if outputs is None else ReadResult(id_, outputs)

    @reported()
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
