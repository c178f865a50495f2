"""What a run tells beside its plan."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

from folds.zone import LiveCheck
from policy.guards import adoption_digest
from stacks.acknowledgement import Acknowledgement
from stacks.decision import decide
from stacks.notices import warnings, ways_out
from stacks.observation import Observation
from tests.folds.model import applied
from tests.support.steering import (
    adopting,
    converged,
    documents,
    edge,
    observed,
    record,
    settings,
    shrunk,
)

NOW = datetime(2026, 9, 7, 10, tzinfo=timezone.utc)
UNTIL = "20260908T100000Z"


def test_a_plan_that_passes() -> None:
    """Nothing is to be let through."""
    assert ways_out(decide(settings(), observed()), NOW, "prod") == ()


def test_a_refused_plan() -> None:
    """One line for a stack that knows the zone, one for a stack that does not."""
    digest, first = shrunk().refused[0].digest, adoption_digest(shrunk().summary)
    assert ways_out(shrunk(), NOW, "prod") == (
        f"to let exactly this through: FAIRLEAD_ACKNOWLEDGE={digest}.{UNTIL} pulumi up"
        " --stack prod",
        "or, where this stack does not have the zone in its state:"
        f" FAIRLEAD_ACKNOWLEDGE={first}.{UNTIL}",
    )


def test_a_refused_native_plan() -> None:
    """One line: what the state does not know, that realizer never removes."""
    assert ways_out(shrunk(), NOW, "prod", "native") == ways_out(shrunk(), NOW, "prod")[:1]


def test_a_former_prefix_that_nothing_has() -> None:
    """It is to be taken out of the settings: named for good, it could be another one's later."""
    moved = decide(settings(former_prefix="old/"), observed(live=converged()))
    assert warnings(moved, Acknowledgement()) == (
        "left over: no set begins with old/ any more; empty the setting formerPrefix",
    )
    before = decide(settings(set_identifier_prefix="old/"), observed()).plan
    moving = observed(live=applied(observed().live, before))
    assert warnings(decide(settings(former_prefix="old/"), moving), Acknowledgement()) == ()


def test_health_checks_left_over() -> None:
    """Each is told of, with the command that removes it."""
    left = LiveCheck("an-id", "fairlead-0-terraform-1", address="192.0.2.1")
    decision = replace(decide(settings(), observed(live=converged())), leftovers=(left,))
    assert warnings(decision, Acknowledgement()) == (
        "left over: health check an-id of 192.0.2.1, which no state knows;"
        " remove it: aws route53 delete-health-check --health-check-id an-id",
    )


def test_a_plan_that_adopts() -> None:
    """It removes nothing of ours, so that one line does for every stack."""
    (refusal,) = adopting().refused
    assert ways_out(adopting(), NOW, "prod") == (
        f"to let exactly this through: FAIRLEAD_ACKNOWLEDGE={refusal.digest}.{UNTIL} pulumi up"
        " --stack prod",
    )


def test_a_plan_that_no_digest_lets_through() -> None:
    """A rule that is no matter of judgement gets no way out, and takes it from all others."""
    decision = decide(settings(), observed(1, live=converged()))
    split = Observation(
        documents([edge(0), edge(1, address="192.0.2.1")], [record("a")]), converged()
    )
    both = decide(settings(), split)
    assert {each.rule for each in both.refused} >= {"steering-split-address"}
    assert ways_out(decision, NOW, "prod") != ()
    assert ways_out(both, NOW, "prod") == ()


def test_what_was_refused_and_held() -> None:
    """Each on a line of its own, with its reason."""
    bad = record("a", steering="nearest")
    decision = decide(settings(), Observation(documents([edge(0)], [bad]), converged(1, ("a",))))
    refused, held = warnings(decision, Acknowledgement())
    assert refused.startswith("refused: a.bab.example.com (apps/bab/a/instances/")
    assert held.startswith("held: a.bab.example.com: ")


def test_a_word_that_does_nothing() -> None:
    """An expired word is warned of, and so is one that answers nothing."""
    assert warnings(shrunk(), Acknowledgement(warning="expired")) == ("expired",)
    [idle] = warnings(shrunk("0123456789ab"), Acknowledgement("0123456789ab"))
    assert idle == "FAIRLEAD_ACKNOWLEDGE: 0123456789ab answers nothing in this run"


def test_a_word_that_answers() -> None:
    """Nothing is to be told of it."""
    digest = shrunk().refused[0].digest
    assert warnings(shrunk(digest), Acknowledgement(digest)) == ()
