from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from folds.changes import Plan
from folds.desired import Desired
from folds.steering import plan
from folds.summary import summarize
from folds.waves import checks_peak, first_wave
from folds.zone import LiveCheck, LiveZone
from policy.guards import steering_violations
from tests.folds.model import FOUR, IE, PREFIX, UK, applied, converged, desired, edge, host, steps
from tests.folds.strategies import MANY, Deployment, deployments

_HTTP = {"type": "HTTP", "port": 80}


def _others(count: int) -> tuple[LiveCheck, ...]:
    return tuple(LiveCheck(f"other-{index}", f"other-{index}") for index in range(count))


def _waves(wanted: Desired, zone: LiveZone, limit: int) -> Iterator[tuple[Plan, LiveZone]]:
    """Apply wave after wave, as an apply does: read, plan, cut, apply."""
    while not (whole := plan(wanted, zone)).empty:
        wave = first_wave(whole, len(zone.checks), limit)
        assert not wave.empty
        yield wave, zone
        zone = applied(zone, wave)


def test_room_for_all() -> None:
    """The whole plan is one wave."""
    zone = converged(desired("a"))
    work = plan(desired("a", check=_HTTP), zone)
    assert first_wave(work, 4, 8) == work
    assert checks_peak(work, 4, 8) == 8


@pytest.mark.parametrize(("limit", "waves"), [(5, 4), (6, 2), (7, 2), (8, 1)])
def test_room_for_some(limit: int, waves: int) -> None:
    """As many addresses at a time as the quota has room for; no wave goes over it."""
    zone = converged(desired("ab"))
    wanted = desired("ab", check=_HTTP)
    assert checks_peak(plan(wanted, zone), 4, limit) == limit
    done = list(_waves(wanted, zone, limit))
    assert len(done) == waves
    assert len(done[0][0].creations) == limit - 4


def test_180_checks_at_a_quota_of_200() -> None:
    """20 move at a time: nine waves, each of which fills the quota."""
    boxes = [edge(f"b-{index}", f"region-{index}", f"3.80.{index}.1") for index in range(180)]
    zone, wanted = converged(desired("a", boxes)), desired("a", boxes, check=_HTTP)
    peaks = [len(before.checks) + len(wave.creations) for wave, before in _waves(wanted, zone, 200)]
    assert peaks == [200] * 9


def test_no_room_at_all() -> None:
    """Nothing moves; the peak is what it would need, over the limit, so the guard refuses."""
    zone = converged(desired("a"))
    work = plan(desired("a", check=_HTTP), zone)
    assert first_wave(work, 4, 4).empty
    assert checks_peak(work, 4, 4) == 8


def test_sweep_that_makes_room() -> None:
    """A spare check goes first, then there is room to move."""
    zone = converged(desired("a"))
    spare = replace(zone.checks[0], id="spare", caller_reference=_second(zone.checks[0]))
    full = replace(zone, checks=(*zone.checks, spare))
    wanted = desired("a", check=_HTTP)
    assert checks_peak(plan(wanted, full), 5, 5) == 5
    first, *_ = _waves(wanted, full, 5)
    assert (first[0].creations, first[0].sweeps) == ((), (spare,))


def _second(check: LiveCheck) -> str:
    return check.caller_reference.removesuffix("1") + "2"


def test_region_that_changes_hands_in_waves() -> None:
    """A host moves whole: no set of a new region while another address waits for its check."""
    swapped = [
        IE.model_copy(update={"region": UK.region}),
        UK.model_copy(update={"region": IE.region}),
    ]
    zone = converged(desired("a", [IE, UK], domain=""))
    full = replace(zone, checks=(*zone.checks, *_others(1)))
    work = plan(desired("a", swapped, domain="", check=_HTTP), full)
    assert first_wave(work, 3, 4).hosts == ()
    assert checks_peak(work, 3, 4) == 5


def test_host_that_needs_no_new_check() -> None:
    """It does not wait for others."""
    zone = converged(desired("ab", FOUR, domain=""))
    fresh = edge("de-1", "eu-central-1", "3.120.0.1")
    work = plan(desired("a", [*FOUR, fresh], domain=""), zone)
    wave = first_wave(work, 4, 4)
    assert [each.name for each in wave.hosts] == [host("b")]
    assert all(change.after is None for change in wave.hosts[0].changes)


def _answering(zone: LiveZone) -> set[tuple[str, str]]:
    return {(each.name, each.type) for each in zone.sets if each.managed(PREFIX)}


@MANY
@given(deployments(), st.integers(0, 4))
def test_any_quota(deployment: Deployment, room: int) -> None:
    """Refused by the guard, or every wave fits, nobody loses an answer and the loop ends."""
    drawn, zone = deployment
    limit = len(zone.checks) + room
    wanted = drawn.model_copy(update={"health_check_limit": limit})
    whole = plan(wanted, zone)
    violations = steering_violations(summarize(wanted, zone, whole))
    if any(each.rule == "steering-limits" for each in violations):
        assert checks_peak(whole, len(zone.checks), limit) > limit
        return
    kept = {each for each in _answering(zone) if each[0] in whole.held}
    for count, (wave, before) in enumerate(_waves(wanted, zone, limit)):
        assert count <= len(whole.creations) + len(whole.sweeps) + 1
        for after in steps(before, wave):
            assert len(after.checks) <= limit
            assert kept <= _answering(after)
