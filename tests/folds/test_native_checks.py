"""Health checks whose references pulumi-aws gave, as the steering fold sees them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from folds.desired import Desired
from folds.native_checks import as_folded, leftovers, reference_name, spare
from folds.steering import plan
from folds.zone import LiveZone
from tests.folds.model import FOUR, IE, PREFIX, UK, desired, empty_zone, live_check
from tests.folds.native_model import native_check, native_converged, native_plan, native_zone
from tests.folds.strategies import OTHERS_CHECKS, SOME, Deployment, deployments

EMPTY = empty_zone()


def test_the_reference_name() -> None:
    """27 characters at most, of one zone and prefix, and none of the other realizer's."""
    name = reference_name("Z1", PREFIX)
    assert len(name) <= 27
    assert name != reference_name("Z2", PREFIX)
    assert name != reference_name("Z1", "other/")
    assert not name.startswith("fairlead/")


def test_a_converged_zone() -> None:
    """Nothing is left to do, though no reference says which address a check is for."""
    wanted = desired("ab")
    zone = native_converged(wanted, EMPTY)
    assert all("terraform" in each.caller_reference for each in zone.checks)
    assert native_plan(wanted, zone)[1].empty


@pytest.mark.parametrize("check", [{"type": "HTTP", "port": 80}, {"interval": 10}])
def test_type_or_interval_changed(check: dict[str, object]) -> None:
    """They are part of the identity: a new check for each address, and the old ones go."""
    zone = native_converged(desired("a", [IE, UK]), EMPTY)
    work = native_plan(desired("a", [IE, UK], check=check), zone)[1]
    assert [each.address for each in work.creations] == sorted([IE.address, UK.address])
    assert {each.id for each in work.sweeps} == {each.id for each in zone.checks}


def test_a_path_changed() -> None:
    """It is updated on the check that is there."""
    zone = native_converged(desired("a", [IE]), EMPTY)
    work = native_plan(desired("a", [IE], check={"path": "/up"}), zone)[1]
    assert [each.before.id for each in work.updates] == [zone.checks[0].id]
    assert (work.creations, work.sweeps) == ((), ())


def _twice(wanted: Desired, zone: LiveZone, id_: str) -> LiveZone:
    """The zone with a second check of the first one's identity."""
    second = replace(zone.checks[0], id=id_, caller_reference=f"{_mine(wanted)}-terraform-2")
    return replace(zone, checks=(*zone.checks, second))


def _mine(wanted: Desired) -> str:
    return reference_name(wanted.zone, wanted.prefix)


@pytest.mark.parametrize("id_", ["0-before-all-others", "z-after-all-others"])
def test_what_a_run_cut_short_left(id_: str) -> None:
    """The check that sets refer to counts; the other one is told of, and nothing is planned."""
    wanted = desired("a", [IE])
    zone = _twice(wanted, native_converged(wanted, EMPTY), id_)
    assert [each.id for each in leftovers(wanted, as_folded(wanted, zone))] == [id_]
    assert native_plan(wanted, zone)[1].empty


@pytest.mark.parametrize("id_", ["0-before-all-others", "z-after-all-others"])
def test_what_a_run_cut_short_left_for_no_set(id_: str) -> None:
    """Nobody can say which of the two is in the state, so neither is called a leftover."""
    wanted = desired("", [IE], domain="")
    zone = _twice(wanted, native_converged(wanted, EMPTY), id_)
    seen, work = native_plan(wanted, zone)
    assert len(spare(wanted, seen)) == 1
    assert leftovers(wanted, seen) == ()
    assert work.empty


def test_two_checks_in_use() -> None:
    """Both are ours: the sets of one move to the other, and then it goes."""
    wanted = desired("ab", [IE])
    zone = _twice(wanted, native_converged(wanted, EMPTY), "second")
    moved = replace(zone.sets[0], health_check_id="second")
    work = native_plan(wanted, replace(zone, sets=(moved, *zone.sets[1:])))[1]
    assert [change.key for host in work.hosts for change in host.changes] == [moved.key]
    assert [each.id for each in work.sweeps] == ["second"]


def test_checks_of_the_other_realizer() -> None:
    """They are foreign here, as the native ones are foreign there."""
    wanted = desired("a")
    theirs = live_check("fairlead/000000000000/x/1", IE.address, wanted.check)
    zone = empty_zone(checks=[theirs])
    assert as_folded(wanted, zone) == zone
    native = native_converged(wanted, EMPTY)
    assert len(plan(wanted, native).creations) == len(FOUR)
    assert plan(wanted, native).sweeps == ()


@SOME
@given(deployments())
def test_foreign_checks(deployment: Deployment) -> None:
    """No check of somebody else is given a name of ours, planned on, or called a leftover."""
    wanted, zone = deployment
    zone = native_zone(zone, wanted)
    others = {each for each in zone.checks if each.caller_reference in OTHERS_CHECKS}
    seen, work = native_plan(wanted, zone)
    assert others <= set(seen.checks)
    assert not others & {*work.sweeps, *spare(wanted, seen)}


@SOME
@given(deployments())
def test_each_check_is_ours_or_spare(deployment: Deployment) -> None:
    """Every native check is one of both, a set refers to no spare one, and leftovers are spare."""
    wanted, zone = deployment
    zone = native_zone(zone, wanted)
    mine = {each.id for each in zone.checks if each.caller_reference.startswith(_mine(wanted))}
    seen = as_folded(wanted, zone)
    left = {each.id for each in spare(wanted, seen)}
    kept = {
        each.id
        for each in seen.checks
        if each.caller_reference.startswith("fairlead/") and each.id in mine
    }
    assert (kept | left, kept & left) == (mine, set())
    assert not left & {each.health_check_id for each in zone.sets if each.managed(PREFIX)}
    assert {each.id for each in leftovers(wanted, seen)} <= left


def test_a_check_that_is_not_ours() -> None:
    """The model leaves it alone."""
    theirs = live_check("somebody/1", IE.address, desired().check)
    assert native_check(theirs, desired()) == theirs
