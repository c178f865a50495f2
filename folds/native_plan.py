"""A steering plan as the native realizer carries it out, and whose a live zone is. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from folds.changes import Plan
from folds.checks import owner
from folds.desired import Desired
from folds.native_checks import reference_name
from folds.zone import LiveSet, LiveZone
from policy.guards.summary import SteeringSummary

Realizer = Literal["batch", "native"]


def as_native(
    desired: Desired, live: LiveZone, plan: Plan, summary: SteeringSummary
) -> tuple[Plan, SteeringSummary]:
    """Return a plan and its summary as they are where each change is a resource of its own.

    The engine makes everything before it takes anything away, so quotas have to hold both; and new
    checks get references that pulumi-aws makes.
    """
    name = reference_name(desired.zone, desired.prefix)
    creations = tuple(replace(each, stem=name) for each in plan.creations)
    peaks = {
        "zone_after": len(live.sets) + summary.additions,
        "checks_peak": len(live.checks) + len(creations),
    }
    return replace(plan, creations=creations), summary.model_copy(update=peaks)


def kept_by(realizer: Realizer, zone: str, prefix: str, live: LiveZone) -> tuple[LiveSet, ...]:
    """Return the managed sets that a realizer keeps: each refers to a check that it has made."""
    made = _first_of(realizer, zone, prefix)
    checks = {each.id for each in live.checks if each.caller_reference.startswith(made)}
    return tuple(
        each for each in live.sets if each.managed(prefix) and each.health_check_id in checks
    )


def _first_of(realizer: Realizer, zone: str, prefix: str) -> str:
    """Return what the caller reference of every check of a realizer begins with."""
    return owner(zone, prefix) if realizer == "batch" else f"{reference_name(zone, prefix)}-"
