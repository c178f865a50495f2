"""A steering plan that the engine carries out, and whose a live zone is."""

from __future__ import annotations

from typing import Any

import pytest

from folds.native_checks import reference_name
from folds.native_plan import Realizer, as_native, kept_by
from folds.steering import plan
from folds.summary import summarize
from folds.zone import LiveZone
from policy.guards import SteeringSummary, steering_violations
from tests.folds.model import FOUR, IE, PREFIX, converged, desired, edge, empty_zone
from tests.folds.native_model import native_converged, native_plan

EMPTY = empty_zone()
NATIVE = native_converged(desired("ab"), EMPTY)
BATCH = converged(desired("ab"))


def _summary(**limits: Any) -> SteeringSummary:
    """What the guards read where one box of four is replaced under a new label and address."""
    new = edge("ie-2", IE.region, "99.81.104.2")
    wanted = desired("ab", [new, *(each for each in FOUR if each != IE)], **limits)
    seen, work = native_plan(wanted, NATIVE)
    return as_native(wanted, seen, work, summarize(wanted, seen, work))[1]


def test_quotas() -> None:
    """The engine makes all that is new before it takes anything out."""
    summary = _summary()
    assert (summary.zone_after, summary.checks_peak) == (len(NATIVE.sets) + 3, 4 + 1)


@pytest.mark.parametrize("limit", ["zone_limit", "health_check_limit"])
def test_a_quota_without_room_for_both(limit: str) -> None:
    """It is refused, though it would do for the end."""
    least = {"zone_limit": len(NATIVE.sets) + 3, "health_check_limit": 5}[limit]
    assert steering_violations(_summary(**{limit: least})) == ()
    [refused] = steering_violations(_summary(**{limit: least - 1}))
    assert refused.rule == "steering-limits"


@pytest.mark.parametrize(("limit", "refused"), [(8, []), (7, ["steering-limits"])])
def test_checks_of_another_type(limit: int, refused: list[str]) -> None:
    """There are no waves: all new checks stand beside all old ones."""
    wanted = desired("ab", check={"type": "HTTP", "port": 80}, health_check_limit=limit)
    seen, work = native_plan(wanted, NATIVE)
    summary = as_native(wanted, seen, work, summarize(wanted, seen, work))[1]
    assert [each.rule for each in steering_violations(summary)] == refused


def test_references() -> None:
    """The lines name what each new check's reference begins with."""
    wanted = desired("a", [IE])
    work, _ = as_native(wanted, EMPTY, plan(wanted, EMPTY), _summary())
    assert work.lines[-1] == f"+ health check {reference_name('Z1', PREFIX)} {IE.address}"


@pytest.mark.parametrize(
    ("realizer", "zone", "count"),
    [("batch", BATCH, 12), ("batch", NATIVE, 0), ("native", BATCH, 0), ("native", NATIVE, 12)],
)
def test_whose_a_zone_is(realizer: Realizer, zone: LiveZone, count: int) -> None:
    """Its sets refer to the checks of one realizer."""
    assert len(kept_by(realizer, "Z1", PREFIX, zone)) == count


def test_another_deployment() -> None:
    """Sets under another prefix, and checks of another zone, are none of ours."""
    assert kept_by("batch", "Z1", "other/", BATCH) == ()
    assert kept_by("batch", "Z2", PREFIX, BATCH) == ()
    assert kept_by("native", "Z2", PREFIX, NATIVE) == ()


def test_sets_without_a_check() -> None:
    """Nobody's check says whose they are."""
    bare = LiveZone("Z1", BATCH.name, BATCH.sets, ())
    assert kept_by("batch", "Z1", PREFIX, bare) == kept_by("native", "Z1", PREFIX, bare) == ()
