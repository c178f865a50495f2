"""The reports of a box's two stacks. They read the box's registry, so they are made on the box."""

from __future__ import annotations

from folds import snapshots
from folds.sidecar_report import explained, headline, outputs
from operate.reports.asked import Asked, quiet
from operate.reports.value import Report
from stacks import sidecar_decision, snapshot
from stacks.box_settings import BoxSettings, SidecarsSettings, SnapshotSettings


def of_sidecars(asked: Asked, settings: SidecarsSettings) -> Report:
    """Observe and decide; what the fuse holds back is listed, and fails the run.

    The box's ``configGate`` is asked about every row that would be minted, as in a preview.

    Raises:
        ControlError, RegistryError: if it cannot be answered.
    """
    decision = sidecar_decision.decide(sidecar_decision.observe(settings, quiet))
    plan = decision.plan
    return Report(
        stack=asked.stack.name,
        kind="sidecars",
        subject=_subject(settings),
        headline=headline(plan),
        changes=plan.lines,
        staying=explained(plan)[len(plan.lines) :],
        remarks=plan.notices,
        failures=plan.failures,
        violations=decision.violations,
        way_out=asked.way_out(decision.violations, plan.failures, plan.digest),
        details={**outputs(plan), "summary": plan.summary.model_dump(mode="json", by_alias=True)},
    )


def of_snapshot(asked: Asked, settings: SnapshotSettings) -> Report:
    """Observe and decide; a box of a fleet has no snapshot of its own (behaviour 73).

    Raises:
        ControlError, RegistryError: if it cannot be answered.
    """
    if settings.fleet_box:
        why = "a box of a fleet has no snapshot of its own, nothing is read"
        return Report(asked.stack.name, "snapshot", why, read=False)
    decision = snapshot.decide(snapshot.observe(settings))
    return Report(
        stack=asked.stack.name,
        kind="snapshot",
        subject=_subject(settings),
        headline="nothing to do" if decision.plan.empty else "",
        changes=decision.plan.lines,
        remarks=snapshots.remarks(decision.seen),
        violations=decision.violations,
        way_out=asked.way_out(decision.violations),
        details={"summary": decision.summary.model_dump(mode="json", by_alias=True)},
    )


def _subject(settings: BoxSettings) -> str:
    return f"box {settings.box} (bucket {settings.bucket}), registry {settings.registry_path}"
