"""The snapshot stack: a box's registry as its snapshot in the bucket."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import pulumi

from control.bucket import open_writable
from control.snapshot_keys import current_key
from folds.snapshot_seen import SnapshotSeen
from folds.snapshots import SnapshotPlan, remarks
from folds.snapshots import decide as plan_of
from policy.guards import SnapshotSummary, Violation, snapshot_violations
from providers.registry_snapshot import RegistrySnapshot
from providers.snapshot_inputs import SnapshotDesired, SnapshotInputs
from providers.snapshot_reading import observe_snapshot
from stacks import acknowledgement, telling
from stacks.box_settings import SnapshotSettings
from stacks.notices import idle, stop_if, way_out

_DUTY = "snapshot"
_RESULTS = ("key", "fingerprint", "createdAt", "generations")


@dataclass(frozen=True, slots=True)
class SnapshotDecision:
    """Everything that the first four steps worked out."""

    seen: SnapshotSeen
    plan: SnapshotPlan
    summary: SnapshotSummary
    violations: tuple[Violation, ...]

    @property
    def refused(self) -> tuple[Violation, ...]:
        """The violations that stop the run."""
        return tuple(each for each in self.violations if each.level == "mandatory")

    @property
    def answered(self) -> bool:
        """Whether the acknowledged digest lets anything through."""
        bare = self.summary.model_copy(update={"acknowledged": ""})
        return snapshot_violations(bare) != self.violations


def run(settings: SnapshotSettings, *, acknowledge: str, now: datetime) -> None:
    """Run the five steps. ``acknowledge`` is the variable's value, ``now`` has a time zone.

    Raises:
        ControlError, RegistryError: if a read failed; nothing is registered then.
        AcknowledgementInvalid: if the variable is not of its form.
        PlanRefused: at the end, if a guard refuses the plan.
    """
    if settings.fleet_box:
        _skipped()
        return
    word = acknowledgement.read(acknowledge, now)
    decision = decide(observe(settings), word.digest)
    telling.warn(_DUTY, (*remarks(decision.seen), *idle(word, answered=decision.answered)))
    telling.offer(_DUTY, ways_out(decision, now, pulumi.get_stack()))
    declare(settings, decision)
    stop_if(decision.refused, _DUTY)


def observe(settings: SnapshotSettings) -> SnapshotSeen:
    """Look at the registry, and at what the bucket has of it. Nothing is written.

    Raises:
        ControlError, RegistryError: if either cannot be read.
    """
    store = open_writable(settings.bucket)
    path = settings.registry_path
    return observe_snapshot(store, path, box=settings.box, bucket=settings.bucket)


def decide(seen: SnapshotSeen, acknowledged: str = "") -> SnapshotDecision:
    """Fold what was seen into a plan and its verdict.

    ``acknowledged`` is the digest that the operator let through, or empty.
    """
    made = plan_of(seen, acknowledged)
    return SnapshotDecision(seen, made.plan, made.summary, snapshot_violations(made.summary))


def ways_out(decision: SnapshotDecision, now: datetime, stack: str) -> tuple[str, ...]:
    """Return the line that lets the refused snapshot through."""
    digests = sorted({each.digest for each in decision.refused})
    return tuple(way_out(each, now, stack) for each in digests)


def declare(settings: SnapshotSettings, decision: SnapshotDecision) -> RegistrySnapshot:
    """Register the one resource, show its plan, and export its outputs."""
    plan, path = decision.plan, str(settings.registry_path)
    desired = SnapshotDesired(box=settings.box, bucket=settings.bucket, registry=path)
    inputs = SnapshotInputs(desired=desired, plan=plan.lines, summary=decision.summary)
    resource = RegistrySnapshot(settings.box, inputs, pulumi.ResourceOptions())
    for name in _RESULTS:
        pulumi.export(name, getattr(resource, name))
    if pulumi.runtime.is_dry_run() or not plan.empty:
        told = f"{_DUTY}: {decision.summary.registry} to {settings.bucket}"
        lines = plan.lines or (f"= {current_key(settings.box)}: nothing to do",)
        telling.show_plan(told, lines, None if decision.refused else resource)
    return resource


def _skipped() -> None:
    """Read nothing, declare nothing (behaviour 73)."""
    pulumi.log.info(f"{_DUTY}: a box of a fleet has no snapshot of its own; nothing is read")
    for name in _RESULTS:
        pulumi.export(name, [] if name == "generations" else "")
