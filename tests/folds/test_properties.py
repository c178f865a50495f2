"""What holds for every deployment, not for examples alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from folds.desired import Desired
from folds.steering import plan
from folds.summary import removed_names
from folds.zone import LiveSet, LiveZone
from tests.folds.model import PREFIX, applied, as_text, foreign, steps
from tests.folds.strategies import (
    ESCAPED,
    MANY,
    OTHERS_CHECKS,
    REACHED,
    SOME,
    Deployment,
    deployments,
)


def _ours(zone: LiveZone) -> list[LiveSet]:
    return [each for each in zone.sets if each.managed(PREFIX)]


def _answers(zone: LiveZone, name: str) -> set[tuple[str, str, str, tuple[str, ...]]]:
    sets = (each for each in _ours(zone) if each.name == name)
    return {(each.type, each.set_identifier, each.region, each.values) for each in sets}


@MANY
@given(deployments())
def test_plan_after_its_own_application(deployment: Deployment) -> None:
    """Apply, then the plan is empty; Route 53 takes every change of it."""
    desired, zone = deployment
    after = applied(zone, plan(desired, zone))
    assert plan(desired, after).empty


@SOME
@given(deployments())
def test_foreign_sets_and_checks(deployment: Deployment) -> None:
    """What is not ours stays as it was, at every step."""
    desired, zone = deployment
    others = {each for each in zone.checks if each.caller_reference in OTHERS_CHECKS}
    for after in steps(zone, plan(desired, zone)):
        assert foreign(after) == foreign(zone)
        assert others <= set(after.checks)


@SOME
@given(deployments())
def test_every_converging_host(deployment: Deployment) -> None:
    """A host that converges has exactly one set per serving edge, with its address."""
    desired, zone = deployment
    work = plan(desired, zone)
    after = applied(zone, work)
    wanted = {(e.type, PREFIX + e.box, e.region, (e.address,)) for e in work.serving}
    assert all(_answers(after, name) == wanted for name in work.names)


@SOME
@given(deployments())
def test_held_hosts(deployment: Deployment) -> None:
    """A held host gains nothing, loses a set only with its box, and keeps one of each type."""
    desired, zone = deployment
    work = plan(desired, zone)
    after = applied(zone, work)
    armed = {(PREFIX + each.box, (each.address,)) for each in desired.edges}
    for name in work.held:
        before, left = _answers(zone, name), _answers(after, name)
        assert left <= before
        assert all((box, values) not in armed for _, box, _, values in before - left)
        assert {kind for kind, *_ in left} == {kind for kind, *_ in before}


@MANY
@given(deployments())
def test_names_with_an_answer_keep_one(deployment: Deployment) -> None:
    """While any edge serves, a name that is asked for or held answers at every step."""
    desired, zone = deployment
    work = plan(desired, zone)
    kept = {*work.held, *(work.names if work.serving else ())} & {s.name for s in _ours(zone)}
    for after in steps(zone, work):
        assert kept <= {each.name for each in _ours(after)}


@SOME
@given(deployments(), st.integers(0, 2**32))
def test_order_of_what_was_read(deployment: Deployment, seed: int) -> None:
    """Shuffled sets and checks give the same plan and summary, byte for byte."""
    desired, zone = deployment
    random = Random(seed)
    shuffled = replace(
        zone,
        sets=tuple(random.sample(zone.sets, len(zone.sets))),
        checks=tuple(random.sample(zone.checks, len(zone.checks))),
    )
    assert plan(desired, shuffled) == plan(desired, zone)
    assert as_text(desired, shuffled) == as_text(desired, zone)


@SOME
@given(deployments())
def test_removals_read_back_from_the_lines(deployment: Deployment) -> None:
    """The lines carry the key of every set that goes, and of no other."""
    desired, zone = deployment
    work = plan(desired, zone)
    assert removed_names(work.lines) == work.removals


KINDS: dict[str, Callable[[Desired, LiveZone], bool]] = {
    "foreign sets": lambda _, zone: bool(foreign(zone)),
    "A and AAAA": lambda _, zone: {each.type for each in _ours(zone)} == {"A", "AAAA"},
    "shared region": lambda wanted, zone: bool(plan(wanted, zone).standby),
    "held host": lambda wanted, zone: bool(plan(wanted, zone).held),
    "held host that loses a set": lambda wanted, zone: any(
        change.name in plan(wanted, zone).held for change in plan(wanted, zone).hosts
    ),
    "escaped name": lambda _, zone: any(each.name == ESCAPED for each in zone.sets),
    "sweep": lambda wanted, zone: bool(plan(wanted, zone).sweeps),
    "update of a check": lambda wanted, zone: bool(plan(wanted, zone).updates),
    "region that changes hands": lambda wanted, zone: any(
        change.before and change.after and change.before.region != change.after.region
        for each in plan(wanted, zone).hosts
        for change in each.changes
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_generator_reaches_every_kind(kind: str) -> None:
    """The properties above are about zones that hold what can go wrong."""
    found = find(deployments(), lambda each: KINDS[kind](*each), settings=REACHED)
    assert KINDS[kind](*found)
