"""From what was seen to a plan and its verdict."""

from __future__ import annotations

import random

import pytest

from folds.steering import plan
from policy.guards import adoption_digest
from stacks.decision import decide
from stacks.observation import Observation
from tests.support.steering import (
    APEX,
    ZONE,
    adopting,
    converged,
    documents,
    edge,
    host_of,
    observed,
    record,
    settings,
    shrunk,
)


@pytest.mark.behaviour(12)
@pytest.mark.behaviour(13)
@pytest.mark.behaviour(40)
def test_an_empty_zone() -> None:
    """Every host and the edge name get one set per edge; every address gets one check."""
    decision = decide(settings(), observed(4, ("a", "b")))
    assert decision.plan.names == (host_of("a"), host_of("b"), f"edge.{APEX}")
    assert len(decision.plan.removals) == 0
    assert decision.summary.desired == 12
    assert [each.address for each in decision.plan.creations] == [f"192.0.2.{n}" for n in "1234"]
    assert decision.refused == ()


def test_a_converged_zone() -> None:
    """Nothing is left to do, and nothing to refuse."""
    decision = decide(settings(), observed(live=converged()))
    assert decision.plan.empty
    assert decision.violations == ()


@pytest.mark.behaviour(20)
def test_a_bucket_in_another_order() -> None:
    """The same documents in any order are the same decision."""
    seen = observed(4, "abcdef")
    edges, records = list(seen.documents.edges), list(seen.documents.records)
    random.Random(7).shuffle(edges)
    random.Random(7).shuffle(records)
    shuffled = Observation(documents(edges, records), seen.live)
    assert decide(settings(), shuffled) == decide(settings(), seen)


@pytest.mark.behaviour(24)
def test_an_empty_bucket() -> None:
    """No edges and no records are decided on like any others: here, nothing is to be done."""
    decision = decide(settings(), observed(0, ()))
    assert decision.plan.empty
    assert decision.violations == ()


@pytest.mark.behaviour(24)
@pytest.mark.behaviour(29)
def test_an_empty_bucket_and_a_zone_full_of_sets() -> None:
    """Nothing desired while managed sets exist fails the run."""
    decision = decide(settings(), observed(0, (), converged()))
    assert "steering-empty-desired" in {each.rule for each in decision.refused}


@pytest.mark.behaviour(30)
def test_more_than_half_withdrawn() -> None:
    """Refused, with counts, limit and digest."""
    [refusal] = shrunk().refused
    assert "removes 9 of 12 managed sets, limit half (6)" in refusal.message
    assert refusal.digest in refusal.message


@pytest.mark.behaviour(30)
@pytest.mark.parametrize("left", [2, 3])
def test_half_withdrawn(left: int) -> None:
    """Up to half passes."""
    decision = decide(settings(), observed(left, live=converged()))
    assert len(decision.plan.removals) == 3 * (4 - left)
    assert decision.refused == ()


@pytest.mark.behaviour(30)
def test_the_acknowledged_end() -> None:
    """A digest lets its own end through, and no other one."""
    digest = shrunk().refused[0].digest
    assert shrunk(digest).refused == ()
    other = observed(0, live=converged())
    assert decide(settings(), other, digest).refused != ()


def test_a_host_to_adopt() -> None:
    """Its simple set goes under a digest alone; without the setting the host is refused."""
    (refusal,) = adopting().refused
    assert refusal.rule == "steering-takeover"
    assert [each.key for each in adopting().plan.adopted] == [(host_of("a"), "A", "")]
    assert adopting(refusal.digest).refused == ()
    assert adopting(refusal.digest).answered


def test_a_word_that_answers() -> None:
    """An acknowledgement that lets something through has answered."""
    assert shrunk(shrunk().refused[0].digest).answered


def test_a_word_for_a_first_run() -> None:
    """So has one that only a stack without the zone in its state needs: no program sees that."""
    three = observed(3, live=converged())
    digest = adoption_digest(decide(settings(), three).summary)
    assert decide(settings(), three, digest).answered


def test_a_word_that_answers_nothing() -> None:
    """One for another end has not answered, and none has not either."""
    assert not shrunk("0123456789ab").answered
    assert not shrunk().answered
    assert not decide(settings(), observed(live=converged()), shrunk().refused[0].digest).answered


@pytest.mark.behaviour(41)
def test_no_apps_domain() -> None:
    """Without one there is no edge name, and hosts are steered all the same."""
    decision = decide(settings(apps_domain=""), observed(1, ("a",)))
    assert decision.plan.names == (host_of("a"),)


@pytest.mark.behaviour(15)
def test_a_record_that_asks_for_nothing() -> None:
    """A record with empty steering is left out, and takes its host's sets along."""
    seen = Observation(documents([edge(0)], [record("a", steering="")]), converged(1, ("a", "b")))
    assert decide(settings(), seen).desired.withdrawn == (host_of("a"),)


def test_names_that_are_not_live() -> None:
    """Of the names not steered only live ones are kept: the inputs stay small."""
    off = [record("a", steering=""), record("b", steering="nearest")]
    desired = decide(settings(), Observation(documents([edge(0)], off), observed().live)).desired
    assert (desired.withdrawn, desired.held) == ((), ())


def test_the_settings_of_the_stack() -> None:
    """What the fold and the guards need of the settings reaches them."""
    made = settings(ttl=30, zone_limit=20_000, health_check_limit=300, set_identifier_prefix="b/")
    desired = decide(made, observed(1)).desired
    assert (desired.zone, desired.prefix, desired.ttl) == (ZONE, "b/", 30)
    assert (desired.zone_limit, desired.health_check_limit) == (20_000, 300)
    assert plan(desired, observed().live).serving == desired.edges
