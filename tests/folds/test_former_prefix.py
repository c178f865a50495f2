"""A prefix that is being changed: its sets are ours, and give way host by host."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from folds.checks import owner, stem
from folds.desired import CheckSettings, Desired
from folds.steering import plan
from folds.summary import summarize
from folds.zone import LiveCheck, LiveSet, LiveZone
from policy.guards import steering_violations
from tests.folds.model import FOUR, IE, PREFIX, UK, applied, converged, desired, edge, host, steps
from tests.folds.strategies import MANY, REACHED, SOME, Deployment, deployments

OLD = "old-steering/"
RULE = "steering-former-prefix"


def before(*labels: str, **more: Any) -> LiveZone:
    """The zone that a deployment of the old prefix leaves."""
    return converged(desired(labels, prefix=OLD, **more))


def moving(*labels: str, **more: Any) -> Desired:
    return desired(labels, former=OLD, **more)


def rules(wanted: Desired, zone: LiveZone, *, first_run: bool = False) -> list[str]:
    summary = summarize(wanted, zone, plan(wanted, zone))
    return [each.rule for each in steering_violations(summary, first_run=first_run)]


def test_every_host_moves() -> None:
    """One change batch a host: each old set goes, and one of its region and address comes."""
    wanted, zone = moving("a", "b"), before("a", "b")
    work = plan(wanted, zone)
    assert [each.name for each in work.hosts] == [
        f"{host('a')}",
        f"{host('b')}",
        "edge.example.com",
    ]
    for each in work.hosts:
        gone = {(c.before.region, c.before.values) for c in each.changes if c.before}
        come = {(c.after.region, (c.after.address,)) for c in each.changes if c.after}
        assert gone == come
        assert len(each.changes) == 2 * len(FOUR)
    assert applied(zone, work).sets == converged(desired(["a", "b"])).sets


def test_health_checks_move_too() -> None:
    """Those of the old prefix go once no set refers to them."""
    wanted, zone = moving("a"), before("a")
    after = applied(zone, plan(wanted, zone))
    assert {each.caller_reference for each in after.checks} == {
        f"{stem(wanted, each.address)}1" for each in FOUR
    }


def test_second_step() -> None:
    """Without the former prefix nothing is to be done any more."""
    after = applied(before("a"), plan(moving("a"), before("a")))
    assert plan(desired(["a"]), after).empty


def test_prefix_changed_without_the_former_one() -> None:
    """Every host is refused, and keeps the sets of the old prefix: that is why there is a step."""
    work = plan(desired(["a"]), before("a"))
    assert (work.hosts, work.names, work.held) == ((), (), ())
    assert {each.reason for each in work.refused} == {"the name carries a foreign A set"}


def test_guards() -> None:
    """It is refused without a digest, and counts as no shrinking: every region gets its set."""
    wanted, zone = moving("a", "b"), before("a", "b")
    assert rules(wanted, zone) == [RULE]
    assert rules(wanted, zone, first_run=True) == [RULE, "steering-adoption"]
    after = applied(zone, plan(wanted, zone))
    assert rules(wanted, after, first_run=True) == []


def test_prefix_of_another_deployment() -> None:
    """Named by mistake, half of what is managed would go: this rule alone stands in the way."""
    ours = converged(desired(["a"]))
    theirs = [each for each in before("b", "c").sets if not each.name.startswith("edge.")]
    zone = replace(ours, sets=(*ours.sets, *theirs))
    assert rules(moving("a"), zone) == [RULE]
    assert len(plan(moving("a"), zone).removals) == 8


def test_move_cut_short() -> None:
    """What is left goes on: a host that moved stays, the others move."""
    wanted, zone = moving("a", "b"), before("a", "b")
    _, first, *_ = steps(zone, plan(wanted, zone))
    assert applied(first, plan(wanted, first)).sets == converged(desired(["a", "b"])).sets


def test_held_host() -> None:
    """It keeps its old sets but for those of boxes that are gone, as ever."""
    zone = before("a", "b")
    wanted = moving("a", held=(host("b"),), edges=[IE, UK])
    after = applied(zone, plan(wanted, zone))
    left = {each.set_identifier for each in after.sets if each.name == host("b")}
    assert left == {OLD + IE.box, OLD + UK.box}


def test_box_that_holds_a_region() -> None:
    """It is the one that holds it under the old prefix, first by name or not."""
    first = edge("ab-1", IE.region, "99.81.104.9")
    zone = before("a", edges=[IE, UK])
    work = plan(moving("a", edges=[first, IE, UK]), zone)
    assert (work.serving, work.standby) == ((IE, UK), (first,))


@st.composite
def moves(draw: st.DrawFn) -> Deployment:
    """A deployment some of whose sets, and some or none of whose checks, have the old prefix."""
    wanted, zone = draw(deployments())
    old = draw(st.sets(st.sampled_from(range(8))))
    checks = [_older_check(each) if n % 4 in old else each for n, each in enumerate(zone.checks)]
    ids = {each.id: new.id for each, new in zip(zone.checks, checks, strict=True)}
    sets = [_older(each) if n % 8 in old else each for n, each in enumerate(zone.sets)]
    sets = [replace(s, health_check_id=ids.get(s.health_check_id, s.health_check_id)) for s in sets]
    after = replace(zone, sets=tuple(sets), checks=tuple(checks))
    return wanted.model_copy(update={"former": OLD}), after


def _older(each: LiveSet) -> LiveSet:
    if not each.managed(PREFIX):
        return each
    return replace(each, set_identifier=OLD + each.set_identifier.removeprefix(PREFIX))


def _older_check(each: LiveCheck) -> LiveCheck:
    reference = each.caller_reference.replace(owner("Z1", PREFIX), owner("Z1", OLD))
    return replace(each, id=reference.replace("/", "-"), caller_reference=reference)


def _others(zone: LiveZone) -> set[LiveSet]:
    return {each for each in zone.sets if not each.managed(PREFIX, OLD)}


@MANY
@given(moves())
def test_plan_after_its_own_application(deployment: Deployment) -> None:
    """Apply, then the plan is empty; Route 53 takes every change, and others' sets stay."""
    wanted, zone = deployment
    after = applied(zone, plan(wanted, zone))
    assert plan(wanted, after).empty
    assert _others(after) == _others(zone)


@SOME
@given(moves())
def test_names_at_every_step(deployment: Deployment) -> None:
    """A region that answered and goes on to answer does so at every step, by one set."""
    wanted, zone = deployment
    work = plan(wanted, zone)
    lasting = {(each.type, each.region) for each in work.serving}
    answering = {
        (each.name, each.type, each.region)
        for each in zone.sets
        if each.managed(PREFIX, OLD) and each.name in work.names
    }
    for after in steps(zone, work):
        found = {(each.name, each.type, each.region) for each in after.sets}
        assert {each for each in answering if each[1:] in lasting} <= found


@SOME
@given(moves())
def test_what_is_left_of_the_old_prefix(deployment: Deployment) -> None:
    """Only sets of held hosts; and every one that goes is counted for its rule."""
    wanted, zone = deployment
    work = plan(wanted, zone)
    after = applied(zone, work)
    left = [each for each in after.sets if each.managed(OLD)]
    assert {each.name for each in left} <= set(work.held)
    gone = [each for each in zone.sets if each.managed(OLD) and each not in after.sets]
    summary = summarize(wanted, zone, work)
    assert summary.former_sets == len(gone)
    assert (RULE in {each.rule for each in steering_violations(summary)}) == bool(gone)


@pytest.mark.parametrize("what", ["moves", "stays"])
def test_what_the_strategy_reaches(what: str) -> None:
    """Some sets move, and some of held hosts stay."""

    def reached(deployment: Deployment) -> bool:
        wanted, zone = deployment
        after = applied(zone, plan(wanted, zone))
        left = sum(each.managed(OLD) for each in after.sets)
        had = sum(each.managed(OLD) for each in zone.sets)
        return had > left if what == "moves" else bool(left)

    find(moves(), reached, settings=REACHED)


def test_settings_of_checks_are_no_part_of_it() -> None:
    """A check of the old prefix is never taken over, whatever it probes: new ones are made."""
    wanted, zone = moving("a"), before("a", check=CheckSettings(path="/old"))
    assert len(plan(wanted, zone).creations) == len(FOUR)
