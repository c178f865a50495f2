from __future__ import annotations

import pytest

from policy.guards import ADOPTION, STEERING, steering_violations
from tests.policy.summaries import CASES, Fields, shrinking, summary


def _rules(changes: Fields | None = None, **more: object) -> list[str]:
    return [each.rule for each in steering_violations(summary(changes, **more))]


def test_every_rule_has_a_case() -> None:
    """A new rule needs a passing case and one that breaks it."""
    assert [*CASES] == [rule.name for rule in STEERING]


@pytest.mark.parametrize("rule", CASES)
def test_case_that_passes(rule: str) -> None:
    """The limit itself is allowed."""
    assert _rules(CASES[rule][0]) == []


@pytest.mark.parametrize("rule", CASES)
def test_case_that_breaks_one_rule(rule: str) -> None:
    """One step further, and that rule alone is broken, at its own level, in one line."""
    (violation,) = steering_violations(summary(CASES[rule][1]))
    assert violation.rule == rule
    assert violation.level == ("advisory" if rule[9:] in {"mass-repoint", "ttl"} else "mandatory")
    assert violation.message.startswith(f"{rule}: zone Z1 (carlos-steering/): ")
    assert "\n" not in violation.message


def test_message_of_a_rule_with_a_way_out() -> None:
    """It names subject, measure, limit, what to do, and the digest of 12 lower-case hex digits."""
    (violation,) = steering_violations(summary(CASES["steering-shrink"][1]))
    assert violation.message == (
        "steering-shrink: zone Z1 (carlos-steering/): removes 5 of 8 managed sets, limit half (4);"
        f" withdraw fewer boxes at once; or, if it is meant, acknowledge digest {violation.digest}"
    )
    assert len(violation.digest) == 12
    assert set(violation.digest) <= set("0123456789abcdef")


def test_message_of_a_rule_without_a_digest() -> None:
    """What no digest lets through offers none."""
    (violation,) = steering_violations(summary(CASES["steering-limits"][1]))
    assert violation.digest == ""
    assert "digest" not in violation.message


@pytest.mark.behaviour(30)
@pytest.mark.parametrize(
    ("removed", "managed", "refused"),
    [(2, 8, False), (4, 8, False), (5, 8, True), (3, 7, False), (4, 7, True), (1, 1, True)],
)
def test_removals_of_managed_sets(removed: int, managed: int, *, refused: bool) -> None:
    """More than half is refused at every run; there is a way out, for one run and one end."""
    found = _rules(managed=managed, shrinking=[shrinking("a", removed)])
    assert found == (["steering-shrink"] if refused else [])


def test_removals_net_of_replacements() -> None:
    """Within a name and type a replaced set is no loss; it makes up for none of another."""
    relabelled = shrinking("a", 4, replaced=4)
    gained = shrinking("b", 1, replaced=9)
    assert _rules(shrinking=[relabelled, gained, shrinking("c", 4)]) == []
    assert _rules(shrinking=[relabelled, gained, shrinking("c", 5)]) == ["steering-shrink"]


def test_removals_of_held_hosts_alone() -> None:
    """Held sets are not counted as managed, so nothing vouches for what held hosts lose."""
    assert _rules(managed=0, desired=0, held=2, shrinking=[shrinking("a", 1)]) == [
        "steering-shrink"
    ]


def test_name_that_nobody_asks_for() -> None:
    """Its last set may go."""
    assert _rules(shrinking=[shrinking("a", 1, left=0, asks=False)]) == []


def test_name_that_is_relabelled() -> None:
    """A removed set has a successor of its name and type."""
    assert _rules(shrinking=[shrinking("a", 1, left=1, replaced=1)]) == []


@pytest.mark.parametrize(
    ("vanished", "live", "refused"),
    [
        (3, 3, False),
        (3, 4, False),
        (4, 40, False),
        (4, 39, True),
        (40, 400, False),
        (41, 400, True),
    ],
)
def test_hosts_that_vanish(vanished: int, live: int, *, refused: bool) -> None:
    """Refused are more than three that are also more than a tenth."""
    names = [f"h{index}" for index in range(vanished)]
    found = _rules(vanished=names, liveHosts=live)
    assert found == (["steering-host-vanished"] if refused else [])


def test_message_about_many_names() -> None:
    """It names five and counts the rest."""
    names = [f"h{index}" for index in range(9)]
    (violation,) = steering_violations(summary(vanished=names, liveHosts=9))
    assert "(h0, h1, h2, h3, h4 and 4 more)" in violation.message


@pytest.mark.parametrize(
    ("over", "allowed"),
    [
        ({"newChecks": 1, "checksPeak": 201}, {"newChecks": 0, "checksPeak": 201}),
        ({"newChecks": 1, "checksPeak": 201}, {"newChecks": 1, "checksPeak": 200}),
        ({"additions": 1, "zoneAfter": 10_001}, {"additions": 0, "zoneAfter": 10_001}),
        ({"crowded": [{"name": "a", "values": 1001, "sets": 4}]}, {}),
    ],
)
def test_limits(over: Fields, allowed: Fields) -> None:
    """A quota stops a plan that needs more of it, never one that needs nothing."""
    assert _rules(over) == ["steering-limits"]
    assert _rules(allowed) == []


def test_empty_desired_in_an_empty_zone() -> None:
    """Nothing managed, nothing to lose."""
    assert _rules(desired=0, managed=0) == []


def test_first_run_that_removes() -> None:
    """A stack without the resource in its state removes nothing, not even a set it replaces."""
    for lost in (shrinking("a", 1), shrinking("a", 1, replaced=1, asks=False)):
        found = steering_violations(summary(shrinking=[lost]), first_run=True)
        assert [each.rule for each in found] == [ADOPTION.name]
    assert steering_violations(summary(additions=8), first_run=True) == ()


def test_all_violations_at_once() -> None:
    """Everything that is wrong is said in one run, under one digest."""
    everything: dict[str, object] = {}
    for _, broken in CASES.values():
        everything |= broken
    everything["shrinking"] = [shrinking("a", 5, left=0)]
    found = steering_violations(summary(everything))
    assert [each.rule for each in found] == [rule for rule in CASES if rule != "steering-ttl"]
    assert len({each.digest for each in found if each.digest}) == 1
