"""A zone whose health checks the native realizer has made."""

from __future__ import annotations

from dataclasses import replace

from folds.changes import Plan
from folds.checks import owner
from folds.desired import Desired
from folds.native_checks import as_folded, reference_name
from folds.steering import plan
from folds.zone import LiveCheck, LiveZone
from tests.folds.model import applied


def native_check(check: LiveCheck, desired: Desired) -> LiveCheck:
    """Return a check of ours under the reference that pulumi-aws would have given it."""
    mine = owner(desired.zone, desired.prefix)
    if not check.caller_reference.startswith(mine):
        return check
    name = reference_name(desired.zone, desired.prefix)
    return replace(check, caller_reference=f"{name}-terraform-{check.id}"[:64])


def native_zone(zone: LiveZone, desired: Desired) -> LiveZone:
    """Return the zone with each check of ours as pulumi-aws would have made it."""
    checks = tuple(native_check(each, desired) for each in zone.checks)
    return replace(zone, checks=checks)


def native_plan(desired: Desired, zone: LiveZone) -> tuple[LiveZone, Plan]:
    """Return the zone as the fold sees it, and the plan."""
    seen = as_folded(desired, zone)
    return seen, plan(desired, seen)


def native_converged(desired: Desired, zone: LiveZone) -> LiveZone:
    """Return the zone that a native run leaves behind."""
    seen, work = native_plan(desired, zone)
    return native_zone(applied(seen, work), desired)
