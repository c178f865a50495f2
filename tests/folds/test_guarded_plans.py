"""The guards over real plans: how a digest lives while its plan is carried out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import assume, find, given
from hypothesis import strategies as st

from folds.desired import Desired
from folds.steering import plan
from folds.summary import summarize
from folds.zone import LiveZone
from policy.guards import SteeringSummary, Violation, adoption_digest, steering_violations
from tests.folds.model import (
    APEX,
    AU,
    FOUR,
    IE,
    UK,
    US,
    converged,
    desired,
    edge,
    host,
    steps,
)
from tests.folds.strategies import MANY, REACHED, Deployment, deployments

_SIX = edge("us-6", US.region, "2600:1f18::1")


def _summary(wanted: Desired, zone: LiveZone, acknowledged: str = "") -> SteeringSummary:
    return summarize(wanted, zone, plan(wanted, zone), acknowledged)


def _violations(wanted: Desired, zone: LiveZone, acknowledged: str = "") -> tuple[Violation, ...]:
    return steering_violations(_summary(wanted, zone, acknowledged))


def _refused(wanted: Desired, zone: LiveZone, acknowledged: str = "") -> list[str]:
    found = _violations(wanted, zone, acknowledged)
    return [each.rule for each in found if each.level == "mandatory"]


def _digest(wanted: Desired, zone: LiveZone) -> str:
    return next((each.digest for each in _violations(wanted, zone) if each.digest), "")


def test_one_of_four_boxes_withdrawn() -> None:
    """A quarter of the sets goes: allowed."""
    assert _refused(desired("ab", [AU, IE, UK]), converged(desired("ab"))) == []


def test_three_of_four_boxes_withdrawn() -> None:
    """Three quarters: refused, with the counts."""
    (found,) = _violations(desired("ab", [AU]), converged(desired("ab")))
    assert found.rule == "steering-shrink"
    assert "removes 9 of 12 managed sets, limit half (6)" in found.message


def test_all_three_boxes_withdrawn_while_another_is_armed() -> None:
    """The new sets are of another region: they make up for none of the old."""
    zone = converged(desired("ab", [AU, IE, UK]))
    assert _refused(desired("ab", [US]), zone) == ["steering-shrink"]
    assert "removes 9 of 9 managed sets" in _violations(desired("ab", [US]), zone)[0].message


def test_every_box_under_a_new_label() -> None:
    """Nothing shrinks; that every address changes is noted, not refused."""
    again = [
        box.model_copy(update={"box": f"{box.box}0", "address": f"3.90.0.{index}"})
        for index, box in enumerate(FOUR, 1)
    ]
    zone = converged(desired("ab"))
    assert _refused(desired("ab", again), zone) == []
    assert [each.rule for each in _violations(desired("ab", again), zone)] == [
        "steering-mass-repoint"
    ]


def test_no_box_left() -> None:
    """Everything would go: all brakes at once."""
    zone = converged(desired("ab"))
    assert _refused(desired("ab", []), zone) == [
        "steering-empty-desired",
        "steering-shrink",
        "steering-host-emptied",
    ]


def test_only_ipv6_box_withdrawn() -> None:
    """The last AAAA of names that still ask: refused, though a small part of the sets."""
    zone = converged(desired("ab", [*FOUR, _SIX]))
    assert _refused(desired("ab"), zone) == ["steering-host-emptied"]


def test_records_absent() -> None:
    """Five of forty hosts vanish at once: refused; withdrawn by their records they may go."""
    labels = [f"h{index}" for index in range(40)]
    zone = converged(desired(labels))
    gone = tuple(sorted(host(label) for label in labels[:5]))
    assert _refused(desired(labels[5:]), zone) == ["steering-host-vanished"]
    assert _refused(desired(labels[5:], withdrawn=gone), zone) == []


def test_withdrawal_killed_half_way() -> None:
    """The digest goes on answering; a further removal under it is refused."""
    wanted, zone = desired("abcd", [AU]), converged(desired("abcd"))
    code = _digest(wanted, zone)
    *_, half, _, _, _ = steps(zone, plan(wanted, zone))
    assert _refused(wanted, half) == ["steering-shrink"]
    assert _refused(wanted, half, code) == []
    assert _refused(desired("abc", [AU]), half, code) == ["steering-shrink"]
    assert "steering-shrink" in _refused(desired("abcd", []), half, code)


def test_other_box_moved_into_a_taken_region_under_a_digest() -> None:
    """It stays armed and loses all its sets: not the end that was acknowledged."""
    zone = converged(desired("a", [*FOUR, edge("de-1", "eu-central-1", "3.120.0.1")]))
    code = _digest(desired("a", [AU, IE]), zone)
    assert _refused(desired("a", [AU, IE]), zone, code) == []
    moved = IE.model_copy(update={"region": AU.region})
    assert _refused(desired("a", [AU, moved]), zone, code) == ["steering-shrink"]


def test_host_goes_under_a_digest_for_boxes() -> None:
    """The digest was made while no host was to go."""
    zone = converged(desired("abc"))
    code = _digest(desired("abc", [AU]), zone)
    assert _refused(desired("ab", [AU]), zone, code) == ["steering-shrink"]


def test_host_added_under_a_digest_for_boxes() -> None:
    """Where no host goes, which hosts stay does not matter."""
    zone = converged(desired("ab"))
    code = _digest(desired("ab", [AU]), zone)
    assert _refused(desired("abc", [AU]), zone, code) == []


def test_edge_host_of_another_domain() -> None:
    """A changed apps domain does not take edge. away by itself."""
    zone = converged(desired("a"))
    assert _refused(desired("a", domain=f"apps.{APEX}"), zone) == ["steering-host-emptied"]


def _brakes(violations: tuple[Violation, ...]) -> set[str]:
    return {each.rule for each in violations if each.digest}


@MANY
@given(deployment=deployments(), first_run=st.booleans())
def test_digest_along_its_plan(deployment: Deployment, *, first_run: bool) -> None:
    """Accepted at the start, it is accepted at every step, and so is the first run's."""
    wanted, zone = deployment
    whole = _summary(wanted, zone)
    code = adoption_digest(whole) if first_run else _digest(wanted, zone)
    for before in (zone, *steps(zone, plan(wanted, zone))):
        summary = _summary(wanted, before, code)
        assert not _brakes(steering_violations(summary, first_run=first_run))


@MANY
@given(deployments(), st.data())
def test_digest_of_another_end(deployment: Deployment, data: st.DataObject) -> None:
    """Other boxes, or other hosts where hosts go: it lets nothing more through than none does."""
    wanted, zone = deployment
    code = _digest(wanted, zone)
    other = _another(wanted, data)
    ends = _summary(wanted, zone).end, _summary(other, zone).end
    assume(ends[0].boxes != ends[1].boxes or (ends[1].hosts_go and ends[0] != ends[1]))
    assert _brakes(_violations(other, zone, code)) == _brakes(_violations(other, zone))


def _another(wanted: Desired, data: st.DataObject) -> Desired:
    kept = {
        "edges": tuple(each for each in wanted.edges if data.draw(st.booleans())),
        "hosts": tuple(each for each in wanted.hosts if data.draw(st.booleans())),
    }
    return wanted.model_copy(update=kept)


@MANY
@given(deployments())
def test_unremoved_host_turned_into_a_held_one(deployment: Deployment) -> None:
    """No refusal of a removal is lifted by a host that turns out to be refused."""
    wanted, zone = deployment
    work = plan(wanted, zone)
    losing = {each.name for each in work.hosts if any(not c.after for c in each.changes)}
    for name in sorted({*wanted.hosts} & {*work.names} - losing):
        rest = tuple(each for each in wanted.hosts if each != name)
        held = wanted.model_copy(update={"hosts": rest, "held": (*wanted.held, name)})
        assert _brakes(_violations(wanted, zone)) <= _brakes(_violations(held, zone))


REFUSALS: dict[str, Callable[[set[str]], bool]] = {
    "refusal": bool,
    "shrink alone": lambda rules: rules == {"steering-shrink"},
    "emptied": lambda rules: "steering-host-emptied" in rules,
    "vanished": lambda rules: "steering-host-vanished" in rules,
    "empty": lambda rules: "steering-empty-desired" in rules,
}


@pytest.mark.parametrize("kind", REFUSALS)
def test_generator_reaches_every_refusal(kind: str) -> None:
    """The properties above are about plans that the guards refuse."""

    def refuses(deployment: Deployment) -> bool:
        return REFUSALS[kind](_brakes(_violations(*deployment)))

    assert refuses(find(deployments(), refuses, settings=REACHED))
