"""``digest`` of a box's two stacks. It reads the box's registry, so it runs on the box."""

from __future__ import annotations

from folds import snapshots
from folds.sidecar_report import explained, headline
from operate.digest_told import Told, quiet
from stacks import sidecar_decision, snapshot
from stacks.box_settings import BoxSettings, SidecarsSettings, SnapshotSettings


def of_sidecars(settings: SidecarsSettings) -> Told:
    """Observe and decide; what the fuse holds back is listed, and fails the run.

    The box's ``configGate`` is asked about every row that would be minted, as in a preview.

    Raises:
        ControlError, RegistryError: if it cannot be answered.
    """
    decision = sidecar_decision.decide(sidecar_decision.observe(settings, quiet))
    plan = decision.plan
    return Told(
        _subject(settings),
        (headline(plan), *explained(plan), *plan.notices),
        plan.failures,
        decision.violations,
        plan.digest,
    )


def of_snapshot(settings: SnapshotSettings) -> Told:
    """Observe and decide; a box of a fleet has no snapshot of its own (behaviour 73).

    Raises:
        ControlError, RegistryError: if it cannot be answered.
    """
    if settings.fleet_box:
        return Told("a box of a fleet has no snapshot of its own, nothing is read", read=False)
    decision = snapshot.decide(snapshot.observe(settings))
    return Told(
        _subject(settings),
        (*(decision.plan.lines or ("nothing to do",)), *snapshots.remarks(decision.seen)),
        violations=decision.violations,
    )


def _subject(settings: BoxSettings) -> str:
    return f"box {settings.box} (bucket {settings.bucket}), registry {settings.registry_path}"
