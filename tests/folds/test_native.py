"""What a native run declares."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from folds.native import Declared, NativeSet, declared
from folds.steering import plan
from tests.folds.model import FOUR, IE, PREFIX, UK, applied, desired, edge, empty_zone, host
from tests.folds.native_model import native_converged, native_plan, native_zone
from tests.folds.strategies import SOME, Deployment, deployments

EMPTY = empty_zone()
SIX = edge("six-1", "eu-west-1", "2600:1f18::1")


def _names(found: Declared) -> tuple[list[str], list[str]]:
    return [each.name for each in found.checks], [each.resource for each in found.sets]


def test_an_empty_zone() -> None:
    """A check for each address and a record for each set, named by what they are."""
    wanted = desired("a", [IE, SIX], domain="")
    checks, sets = _names(declared(wanted, EMPTY, plan(wanted, EMPTY)))
    assert checks == ["2600:1f18:0000:0000:0000:0000:0000:0001/HTTPS/30", "99.81.104.1/HTTPS/30"]
    assert sets == [f"{host('a')}/A/ie-1", f"{host('a')}/AAAA/six-1"]


def test_a_set() -> None:
    """It has all that Route 53 is to be told, and the name of its check."""
    wanted = desired("a", [IE], domain="")
    [made] = declared(wanted, EMPTY, plan(wanted, EMPTY)).sets
    assert made == NativeSet(
        resource=f"{host('a')}/A/ie-1",
        name=host("a"),
        type="A",
        set_identifier=f"{PREFIX}ie-1",
        region="eu-west-1",
        ttl=60,
        values=("99.81.104.1",),
        check="99.81.104.1/HTTPS/30",
        check_id="",
    )
    assert made.key == (host("a"), "A", f"{PREFIX}ie-1")


def test_a_converged_zone() -> None:
    """The same is declared again: else the engine would take it away."""
    wanted = desired("ab")
    first = declared(wanted, EMPTY, plan(wanted, EMPTY))
    assert declared(wanted, *native_plan(wanted, native_converged(wanted, EMPTY))) == first


def test_a_box_that_stands_by() -> None:
    """It has no set, and keeps its check."""
    second = edge("ie-2", IE.region, "99.81.104.2")
    wanted = desired("a", [IE, second], domain="")
    checks, sets = _names(declared(wanted, EMPTY, plan(wanted, EMPTY)))
    assert (checks, len(sets)) == (["99.81.104.1/HTTPS/30", "99.81.104.2/HTTPS/30"], 1)


def test_a_box_that_retires() -> None:
    """Neither its sets nor its check are declared any more."""
    zone = native_converged(desired("ab"), EMPTY)
    fewer = desired("ab", [each for each in FOUR if each != UK])
    checks, sets = _names(declared(fewer, *native_plan(fewer, zone)))
    assert f"{UK.address}/HTTPS/30" not in checks
    assert not [each for each in sets if each.endswith("uk-1")]


def test_a_held_host() -> None:
    """Its sets are declared as they are live, settings of before and all."""
    zone = native_converged(desired("ab", ttl=300), EMPTY)
    wanted = desired("a", held=(host("b"),))
    found = declared(wanted, *native_plan(wanted, zone))
    ttls = {each.name: each.ttl for each in found.sets}
    assert (ttls[host("a")], ttls[host("b")]) == (60, 300)
    assert {each.check_id for each in found.sets} == {""}


def test_the_last_box_of_a_held_host() -> None:
    """Its set stays, and so does the check that it refers to, with the settings it has."""
    before = desired("ab", [IE], domain="")
    zone = native_converged(before, EMPTY)
    wanted = desired("a", [UK], domain="", held=(host("b"),), check={"path": "/up"})
    found = declared(wanted, *native_plan(wanted, zone))
    paths = {each.name: each.settings.path for each in found.checks}
    assert paths == {f"{IE.address}/HTTPS/30": "/", f"{UK.address}/HTTPS/30": "/up"}
    assert [each.check for each in found.sets if each.name == host("b")] == [
        f"{IE.address}/HTTPS/30"
    ]


@pytest.mark.parametrize("id_", ["0-before-all-others", "z-after-all-others"])
def test_a_held_set_with_the_second_check_of_an_address(id_: str) -> None:
    """One of the two has the name, the one that most sets refer to; the other goes by its id."""
    zone = native_converged(desired("abc", [IE], domain=""), EMPTY)
    [first] = zone.checks
    second = replace(first, id=id_, path="/up", caller_reference=first.caller_reference[:-1])
    sets = {each.name: each for each in zone.sets}
    sets[host("b")] = replace(sets[host("b")], health_check_id=id_)
    twice = replace(zone, sets=tuple(sets.values()), checks=(*zone.checks, second))
    wanted = desired("ac", [IE], domain="", held=(host("b"),))
    found = declared(wanted, *native_plan(wanted, twice))
    assert [each.settings.path for each in found.checks] == ["/"]
    assert [each.check_id for each in found.sets] == ["", id_, ""]


@pytest.mark.parametrize("id_", ["somebody-else's", ""])
def test_a_held_set_with_another_check(id_: str) -> None:
    """It keeps that, by its id: nothing of ours stands for it."""
    zone = native_converged(desired("a", [IE], domain=""), EMPTY)
    zone = replace(zone, sets=tuple(replace(each, health_check_id=id_) for each in zone.sets))
    wanted = desired("", [IE], domain="", held=(host("a"),))
    [found] = declared(wanted, *native_plan(wanted, zone)).sets
    assert (found.check, found.check_id) == ("", id_)


@SOME
@given(deployments())
def test_the_end_of_a_plan(deployment: Deployment) -> None:
    """What is declared is what the plan leaves behind, set by set, and each name stands once."""
    wanted, zone = deployment
    seen, work = native_plan(wanted, native_zone(zone, wanted))
    found = declared(wanted, seen, work)
    after = applied(seen, work)
    assert {(each.key, each.region, each.ttl, each.values) for each in found.sets} == {
        (each.key, each.region, each.ttl, each.values)
        for each in after.sets
        if each.managed(PREFIX)
    }
    for names in _names(found):
        assert names == sorted(set(names))


@SOME
@given(deployments())
def test_the_checks_of_a_plan(deployment: Deployment) -> None:
    """A set's check is declared, and is the one that the plan gives it; a swept one is not."""
    wanted, zone = deployment
    seen, work = native_plan(wanted, native_zone(zone, wanted))
    found = declared(wanted, seen, work)
    named = {each.name: each for each in found.checks}
    after = applied(seen, work)
    live = {each.id: each for each in after.checks}
    refers = {each.key: each.health_check_id for each in after.sets}
    for each in found.sets:
        if each.check:
            check = live[refers[each.key]]
            assert named[each.check].identity == (check.address, check.type, check.interval)
        else:
            assert each.check_id == refers[each.key]
    assert {edge.address for edge in wanted.edges} <= {each.address for each in found.checks}
