"""``RegistrySnapshot``: a box's registry, and the snapshot of it in the bucket, as one resource.

The path ``providers.registry_snapshot.RegistrySnapshotProvider`` is stored in every snapshot
stack's state.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any
from uuid import uuid4

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
from providers.snapshot_inputs import SnapshotInputs, failures, parse, same_snapshot
from providers.snapshot_work import forget, reconcile, refreshed

attend()


class RegistrySnapshotProvider(ResourceProvider):
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
        """Change exactly when the plan is not empty, or box or bucket are others. No network.

        Another box or bucket is another snapshot: made anew, and the old one forgotten.
        """
        if not same_snapshot(_olds, _news):
            return DiffResult(changes=True, replaces=["desired"])
        return DiffResult(changes=bool(_news["plan"]))

    @reported(ControlError)
    def create(self, props: dict[str, Any]) -> CreateResult:
        """Look again, plan and guard again, write."""
        outputs = _reconcile(props)
        return CreateResult(f"{outputs['bucket']}/{outputs['key']}", outputs)

    @reported(ControlError)
    def update(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> UpdateResult:
        """Look again, plan and guard again, write. What `diff` replaces is created."""
        return UpdateResult(_reconcile(_news))

    @reported(ControlError)
    def read(self, id_: str, props: dict[str, Any]) -> ReadResult:  # noqa: ARG002 - the SDK's form
        """Return what is live; ``(None, {})`` when there is no snapshot. The inputs stay."""
        outputs = refreshed(id_)
        return ReadResult(None, {}) if outputs is None else ReadResult(id_, outputs)

    @reported()
    def delete(self, _id: str, _props: dict[str, Any]) -> None:
        """Do nothing but say what stays: forgetting a snapshot never deletes it."""
        forget(_props)


def _reconcile(props: dict[str, Any]) -> dict[str, Any]:
    return reconcile(parse(props), now=datetime.now(timezone.utc), new_id=uuid4().hex)


class RegistrySnapshot(Resource, module="box", name="RegistrySnapshot"):
    """The snapshot of one box.

    ``key`` is the current one's, ``createdAt`` its time (RFC 3339), ``generations`` the keys of
    the kept ones, the oldest first.
    """

    key: pulumi.Output[str]
    fingerprint: pulumi.Output[str]
    createdAt: pulumi.Output[str]  # noqa: N815 - the property's name on the wire
    generations: pulumi.Output[list[str]]

    def __init__(self, name: str, inputs: SnapshotInputs, opts: pulumi.ResourceOptions) -> None:
        """Declare the resource; a diff of its inputs is left to the plan's own lines."""
        hidden = pulumi.ResourceOptions(hide_diffs=list(SnapshotInputs.model_fields))
        results = dict.fromkeys(("key", "fingerprint", "createdAt", "generations"))
        props = {**inputs.model_dump(mode="json", by_alias=True), **results}
        merged = pulumi.ResourceOptions.merge(hidden, opts)
        super().__init__(RegistrySnapshotProvider(), name, props, merged)
