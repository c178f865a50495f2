"""``SidecarRoutes``: every sidecar row of one box's registry, as one resource.

The path ``providers.sidecar_routes.SidecarRoutesProvider`` is stored in every sidecars stack's
state.
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

from control.errors import ControlError
from providers.engine import attend
from providers.errors import reported
from providers.sidecar_inputs import SidecarInputs, failures, parse, same_box
from providers.sidecar_work import forget, reconcile, refreshed
from registry.errors import RegistryError

attend()


class SidecarRoutesProvider(ResourceProvider):
    """Stateless: it is stored by reference, so current code serves old state."""

    serialize_as_secret_always = False

    @reported()
    def check(self, _olds: dict[str, Any], news: dict[str, Any]) -> CheckResult:
        """Validate the inputs and run the guards on their summary. No network.

        Failures carry no property name: the engine prints a named property's whole value.
        """
        return CheckResult(news, [CheckFailure("", reason) for reason in failures(news)])

    @reported()
    def diff(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> DiffResult:
        """Change exactly when the plan is not empty, or box, bucket or registry are others.

        Another of these is another box's rows: made anew, and the old ones forgotten.
        """
        if not same_box(_olds, _news):
            return DiffResult(changes=True, replaces=["desired"])
        return DiffResult(changes=bool(_news["plan"]))

    @reported(ControlError, RegistryError)
    def create(self, props: dict[str, Any]) -> CreateResult:
        """Read the rows, plan and guard again, apply."""
        outputs = reconcile(parse(props))
        return CreateResult(f"{outputs['bucket']}/{outputs['box']}", outputs)

    @reported(ControlError, RegistryError)
    def update(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> UpdateResult:
        """Read the rows, plan and guard again, apply. What `diff` replaces is created."""
        return UpdateResult(reconcile(parse(_news)))

    @reported(RegistryError)
    def read(self, id_: str, props: dict[str, Any]) -> ReadResult:
        """Return the box while its registry is there; ``(None, {})`` when it is gone."""
        outputs = refreshed(props)
        return ReadResult(None, {}) if outputs is None else ReadResult(id_, outputs)

    @reported()
    def delete(self, _id: str, _props: dict[str, Any]) -> None:
        """Do nothing but say what stays: forgetting a box never retires its rows."""
        forget(_props)


class SidecarRoutes(Resource, module="box", name="SidecarRoutes"):
    """The sidecar rows of one box."""

    def __init__(self, name: str, inputs: SidecarInputs, opts: pulumi.ResourceOptions) -> None:
        """Declare the resource; a diff of its large inputs is left to the plan's own lines."""
        hidden = pulumi.ResourceOptions(hide_diffs=list(SidecarInputs.model_fields))
        props = inputs.model_dump(mode="json", by_alias=True)
        merged = pulumi.ResourceOptions.merge(hidden, opts)
        super().__init__(SidecarRoutesProvider(), name, props, merged)
