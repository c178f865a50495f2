"""``steering:Plan`` as the engine calls it."""

from __future__ import annotations

import json

import pytest
from pulumi.dynamic import DiffResult

from folds.zone import LiveZone
from providers.plan_inputs import PlanInputs
from providers.steering_plan import SteeringPlanProvider
from stacks.decision import Decision
from tests.providers.inputs import Props, decided
from tests.support.steering import converged
from tests.support.zones import APEX, PREFIX, ZONE

EMPTY = LiveZone(ZONE, APEX, (), ())
provider = SteeringPlanProvider()


def sent(decision: Decision, existing: int = 0) -> Props:
    """A decision as inputs on the wire: every number is a float, and the provider is there too."""
    made = PlanInputs(plan=decision.plan.lines, summary=decision.summary, existing=existing)
    props: Props = json.loads(made.model_dump_json(by_alias=True), parse_int=float)
    return {**props, "__provider": "gASV"}


def reasons(olds: Props, news: Props) -> list[str]:
    result = provider.check(olds, news)
    assert result.inputs == news
    assert {failure.property for failure in result.failures} <= {""}
    return [failure.reason for failure in result.failures]


def test_a_first_run_of_an_empty_zone() -> None:
    """Nothing is in the way."""
    assert reasons({}, sent(decided(EMPTY))) == []


def test_a_first_run_of_a_zone_with_managed_sets() -> None:
    """It is refused: what exists cannot be created, and nobody knows whose it is."""
    [reason] = reasons({}, sent(decided(converged()), existing=12))
    assert reason.startswith(f"steering: zone {ZONE} ({PREFIX}): the stack has no such zone in its")
    assert "12 managed sets are live, limit 0" in reason
    assert "digest" not in reason


def test_a_later_run_of_it() -> None:
    """The state knows the zone."""
    olds = sent(decided(EMPTY))
    assert reasons(olds, sent(decided(converged()), existing=12)) == []


@pytest.mark.parametrize("olds", [{}, sent(decided(converged()))], ids=["first", "later"])
def test_a_plan_that_a_guard_refuses(olds: Props) -> None:
    """The guard's message is all that is said, on a first run too."""
    [reason] = reasons(olds, sent(decided(converged(), boxes=1), existing=12))
    assert reason.startswith("steering-shrink: ")
    assert "acknowledge digest" in reason


@pytest.mark.parametrize(
    ("summary", "reason"),
    [
        (None, "the summary cannot be read: the summary is a NoneType, not an object"),
        ({}, "the summary cannot be read: acknowledged: Field required"),
    ],
)
def test_a_summary_that_cannot_be_read(summary: object, reason: str) -> None:
    """It is held against the plan."""
    [found] = reasons({}, {**sent(decided(EMPTY)), "summary": summary})
    assert found.startswith(reason)


def test_inputs_with_mistakes() -> None:
    """Every mistake is a failure, by its place and without its value."""
    news = {**sent(decided(EMPTY)), "existing": "a secret"}
    del news["plan"]
    found = reasons({}, news)
    assert [each.split(":")[0] for each in found] == ["plan", "existing"]
    assert "a secret" not in str(found)


@pytest.mark.parametrize("key", ["zone", "prefix"])
def test_another_zone_or_prefix(key: str) -> None:
    """It is refused: the engine would move every record out of the old one."""
    olds = sent(decided(EMPTY))
    olds["summary"] = {**olds["summary"], key: "other"}
    [reason] = reasons(olds, sent(decided(EMPTY)))
    assert "the stack's state is that of zone " in reason
    assert "other" in reason


def test_diff() -> None:
    """It changes exactly when the plan is not empty."""
    empty, full = sent(decided(converged())), sent(decided(EMPTY))
    results: list[DiffResult] = [provider.diff("", {}, news) for news in (empty, full)]
    assert [each.changes for each in results] == [False, True]


def test_create_and_update() -> None:
    """The outputs name the zone and the prefix; nothing is called."""
    made = provider.create(sent(decided(EMPTY)))
    assert (made.id, made.outs) == (f"{ZONE}/{PREFIX}", {"zone": ZONE, "prefix": PREFIX})
    assert provider.update("", {}, sent(decided(EMPTY))).outs == made.outs
