"""What holds for every deployment that adopts names, and for the digest that lets it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, find, given
from hypothesis import strategies as st

from folds.desired import Desired
from folds.steering import plan
from folds.summary import removed_names, summarize
from folds.zone import LiveZone
from policy.guards import steering_violations
from tests.folds.model import PREFIX, applied, as_text, foreign, steps
from tests.folds.strategies import MANY, REACHED, SOME, Deployment, adoptions

TAKEOVER = "steering-takeover"


def _broken(wanted: Desired, zone: LiveZone, acknowledged: str = "") -> dict[str, str]:
    """The broken rules that a digest lets through, each with it."""
    summary = summarize(wanted, zone, plan(wanted, zone), acknowledged)
    return {each.rule: each.digest for each in steering_violations(summary) if each.digest}


@MANY
@given(adoptions())
def test_plan_after_its_own_application(deployment: Deployment) -> None:
    """Apply, then the plan is empty; Route 53 takes every change of it."""
    desired, zone = deployment
    assert plan(desired, applied(zone, plan(desired, zone))).empty


@MANY
@given(adoptions())
def test_what_goes_of_others(deployment: Deployment) -> None:
    """Only simple sets of listed, steered names whose every value an armed box has; all shown."""
    desired, zone = deployment
    work = plan(desired, zone)
    gone = foreign(zone) - foreign(applied(zone, work))
    assert gone == {*work.adopted}
    armed = {each.address for each in desired.edges}
    for each in gone:
        assert (each.set_identifier, each.type in {"A", "AAAA"}) == ("", True)
        assert {*each.values} <= armed
        assert each.name in {*desired.adopt} & {*work.names}
        assert sum(f"{each.name} {each.type} (simple) " in line for line in work.lines) == 1


@MANY
@given(adoptions())
def test_adopted_name_at_every_step(deployment: Deployment) -> None:
    """Each type that it answered before it answers at every step, and half of none is ours."""
    desired, zone = deployment
    work = plan(desired, zone)
    answering = {(each.name, each.type) for each in work.adopted}
    wanted = {(e.type, PREFIX + e.box) for e in work.serving}
    for after in steps(zone, work):
        assert answering <= {(each.name, each.type) for each in after.sets}
        for name in {name for name, _ in answering}:
            ours = {s.key[1:] for s in after.sets if s.name == name and s.managed(PREFIX)}
            assert ours == wanted or not ours & wanted or {*work.adopted} & {*after.sets}


@MANY
@given(adoptions())
def test_all_other_names(deployment: Deployment) -> None:
    """Whatever is adopted beside them, they are planned as without the setting."""
    desired, zone = deployment
    work, plain = plan(desired, zone), plan(desired.model_copy(update={"adopt": ()}), zone)
    adopted = {each.name for each in work.adopted}
    rest = [each for each in work.hosts if each.name not in adopted]
    assert rest == [each for each in plain.hosts if each.name not in adopted]
    assert {*plain.names} == {*work.names} - adopted
    assert (work.creations, work.updates) == (plain.creations, plain.updates)
    refused = {each.host for each in plain.refused}
    assert refused - adopted <= {each.host for each in work.refused}


@SOME
@given(adoptions())
def test_removals_read_back_from_the_lines(deployment: Deployment) -> None:
    """The lines carry the key of every set that goes, adopted ones too."""
    work = plan(*deployment)
    assert removed_names(work.lines) == work.removals


@SOME
@given(adoptions(), st.integers(0, 2**32))
def test_order_of_what_was_read(deployment: Deployment, seed: int) -> None:
    """Shuffled sets give the same plan and summary, byte for byte."""
    desired, zone = deployment
    shuffled = replace(zone, sets=tuple(Random(seed).sample(zone.sets, len(zone.sets))))
    assert plan(desired, shuffled) == plan(desired, zone)
    assert as_text(desired, shuffled) == as_text(desired, zone)


@MANY
@given(adoptions())
def test_digest_along_its_plan(deployment: Deployment) -> None:
    """Nothing is adopted without it; accepted at the start, it is accepted at every step."""
    desired, zone = deployment
    work, broken = plan(desired, zone), _broken(*deployment)
    assert (TAKEOVER in broken) is bool(work.adopted)
    code = next(iter(broken.values()), "")
    for before in (zone, *steps(zone, work)):
        assert not _broken(desired, before, code)


@MANY
@given(adoptions(), st.data())
def test_digest_of_another_end(deployment: Deployment, data: st.DataObject) -> None:
    """Other names to adopt, or other boxes: nothing of others goes under it."""
    desired, zone = deployment
    kept = {
        "edges": tuple(each for each in desired.edges if data.draw(st.booleans())),
        "adopt": tuple(each for each in desired.adopt if data.draw(st.booleans())),
    }
    other = desired.model_copy(update=kept)
    ends = [summarize(each, zone, plan(each, zone)).end for each in (desired, other)]
    assume((ends[0].boxes, ends[0].adopted) != (ends[1].boxes, ends[1].adopted))
    code = next(iter(_broken(desired, zone).values()), "")
    assert (TAKEOVER in _broken(other, zone, code)) is bool(plan(other, zone).adopted)


KINDS: dict[str, Callable[[Desired, LiveZone], bool]] = {
    "adopted": lambda wanted, zone: bool(plan(wanted, zone).adopted),
    "A and AAAA of one name": lambda wanted, zone: any(
        {"A", "AAAA"} == {each.type for each in plan(wanted, zone).adopted if each.name == name}
        for name in wanted.adopt
    ),
    "several values": lambda wanted, zone: any(
        len(each.values) > 1 for each in plan(wanted, zone).adopted
    ),
    "a name that has sets of ours": lambda wanted, zone: any(
        each.managed(PREFIX) and each.name in {one.name for one in plan(wanted, zone).adopted}
        for each in zone.sets
    ),
    "several names": lambda wanted, zone: (
        len({each.name for each in plan(wanted, zone).adopted}) > 1
    ),
    "not adopted": lambda wanted, zone: any(
        "no address of an armed box" in each.reason for each in plan(wanted, zone).refused
    ),
    "beside a removal that is refused": lambda wanted, zone: (
        {TAKEOVER, "steering-shrink"} <= {*_broken(wanted, zone)}
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_generator_reaches_every_kind(kind: str) -> None:
    """The properties above are about what can be adopted, and what cannot."""
    found = find(adoptions(), lambda each: KINDS[kind](*each), settings=REACHED)
    assert KINDS[kind](*found)
