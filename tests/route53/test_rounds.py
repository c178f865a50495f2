"""Conflicts and lost answers: what is read and decided again, and when it ends."""

from __future__ import annotations

from typing import Any

import pytest

from folds.desired import CheckSettings
from route53.batches import BatchLimits
from route53.errors import BatchRefused, LostAnswer, PartlyApplied
from tests.support.zones import (
    APEX,
    FOUR,
    IE,
    PREFIX,
    US,
    ZONE,
    Account,
    box,
    deciding,
    host_names,
    on_each,
    wanting,
)

BAD = "x" * 64 + f".{APEX}"  # a label of 64 characters, which Route 53 refuses
REPLACED = [box("ie-9", "eu-west-1", "99.81.104.9"), US]


def edited(account: Account, name: str, ttl: int) -> None:
    """Somebody changes one set by hand, past the log."""
    group = account.emulator.zones[ZONE].names[f"{name}."]
    group["A", f"{PREFIX}ie-1"].doc["TTL"] = ttl


def refusals(account: Account) -> int:
    """How many change batches were refused."""
    return sum(call["error"] == "InvalidChangeBatch" for call in account.emulator.calls)


def test_zone_that_somebody_changes_meanwhile(account: Account) -> None:
    """The batch is refused whole, the zone read again, and the new state deleted to the letter."""
    account.converge(wanting("ab", [IE, US]))
    account.emulator.reset()
    on_each(account, "ChangeResourceRecordSets", _once(lambda: edited(account, f"a.{APEX}", 7)))
    desired = wanting("ab", REPLACED)
    account.converge(desired)
    assert account.plan(desired).empty
    assert refusals(account) == 1
    assert account.made()["ListHealthChecks"] == 2


def _once(act: Any) -> Any:
    return lambda count: act() if count == 1 else None


def test_zone_that_somebody_keeps_changing(account: Account) -> None:
    """Three tries, then the run ends and says what it ended with."""
    account.converge(wanting("ab", [IE, US]))
    account.emulator.reset()
    on_each(account, "ChangeResourceRecordSets", lambda n: edited(account, f"a.{APEX}", 100 + n))
    with pytest.raises(
        PartlyApplied, match="1 health check creation; not done: 4 record set changes"
    ):
        account.converge(wanting("ab", REPLACED))
    assert refusals(account) == 3
    assert "DeleteHealthCheck" not in account.writes()
    account.emulator.on_call = None
    account.converge(wanting("ab", REPLACED))
    assert account.plan(wanting("ab", REPLACED)).empty


def test_nothing_done_before_the_conflict(account: Account) -> None:
    """There is nothing to say of a half: the error passes as it is."""
    account.converge(wanting("ab", [IE, US]))
    on_each(account, "ChangeResourceRecordSets", lambda n: edited(account, f"a.{APEX}", 100 + n))
    with pytest.raises(BatchRefused):
        account.converge(wanting("b", [IE, US]))


def test_check_that_is_removed_before_its_sets_come(account: Account) -> None:
    """Route 53 refuses the batch; the next round makes the check anew."""

    def remove() -> None:
        checks = account.emulator.health_checks
        del checks[next(iter(checks))]

    on_each(account, "ChangeResourceRecordSets", _once(remove))
    account.converge(wanting("ab"))
    assert account.plan(wanting("ab")).empty
    assert account.emulator.violations == []


def test_check_that_somebody_updates_meanwhile(account: Account) -> None:
    """The version differs, so it is read again and put right."""
    account.converge(wanting("ab"))
    check = next(iter(account.emulator.health_checks.values()))

    def update() -> None:
        check["HealthCheckVersion"] += 1

    account.emulator.reset()
    on_each(account, "UpdateHealthCheck", _once(update))
    desired = wanting("ab", check=CheckSettings(path="/up"))
    account.converge(desired)
    assert account.plan(desired).empty


@pytest.mark.parametrize("do", ["500", "drop_before", "drop_after"])
def test_batch_whose_answer_is_lost(account: Account, do: str) -> None:
    """It is not sent again: the zone is read, and only what is missing comes."""
    account.fault("ChangeResourceRecordSets", do)
    result = account.converge(wanting("ab"))
    assert account.plan(wanting("ab")).empty
    sent = account.made()["ChangeResourceRecordSets"]
    assert sent == (1 if do == "drop_after" else 2)
    (warning,) = result.warnings
    assert "its answer was lost, so this run does not wait for all name servers" in warning


def test_answers_that_are_always_lost(account: Account) -> None:
    """Three tries; nobody knows what is done, so the error of the call itself is what is said."""
    account.emulator.set_faults([{"op": "CreateHealthCheck", "do": "500"}])
    with pytest.raises(LostAnswer, match="it may be applied or not"):
        account.converge(wanting("ab"))
    assert account.writes() == ["CreateHealthCheck"] * 3


def test_one_host_that_route_53_refuses(account: Account) -> None:
    """It is found by halves and named; all others are done, the run fails, and so does the next."""
    names = host_names(30)
    desired = wanting([*names, BAD])
    with pytest.raises(PartlyApplied) as caught:
        account.converge(desired)
    message = str(caught.value)
    assert f"Route 53 refuses the changes of 1 host, limit 0 ({BAD})" in message
    assert "DomainLabelTooLong" in message
    assert message.endswith("; mend them; run it again: the next run observes and goes on")
    assert message.count("run it again") == 1
    assert account.answers().keys() == set(names)
    assert len(account.live().checks) == 4
    account.emulator.reset()
    with pytest.raises(PartlyApplied, match="Route 53 refuses the changes of 1 host"):
        account.converge(desired)
    assert account.writes() == ["ChangeResourceRecordSets"] * 2


def test_calls_that_halving_takes(account: Account) -> None:
    """At most 2 for each halving of the batch, beside the two refusals of the whole."""
    names = host_names(127)
    with pytest.raises(PartlyApplied):
        account.converge(wanting([*names, BAD], [US]))
    assert refusals(account) == 1 + 8
    assert account.made()["ChangeResourceRecordSets"] <= 2 + 2 * 7
    assert account.made()["ListHealthChecks"] == 3


def test_hosts_of_many_batches_that_route_53_refuses(account: Account) -> None:
    """Each is found, one batch after the other; the sets of all others come."""
    bad = [letter * 64 + f".{APEX}" for letter in "ghwx"]
    names, limits = host_names(12), BatchLimits(values=16)
    with pytest.raises(PartlyApplied, match="of 4 hosts"):
        account.converge(wanting([*names, *bad]), limits=limits)
    assert account.answers().keys() == set(names)


def test_zone_that_takes_nothing_more(account: Account) -> None:
    """Every host is refused: the search ends, in calls that are bounded."""
    account.emulator.settings.zone_quota = 2
    with pytest.raises(PartlyApplied, match="MAX_RRSETS_BY_ZONE"):
        account.converge(wanting(host_names(200)))
    assert account.made()["ChangeResourceRecordSets"] < 70


def test_frozen_host_that_has_sets(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """They stay to the letter, with the checks that they refer to."""
    account.converge(wanting("ab", [IE, US]))
    kept = account.answers()[f"a.{APEX}"]
    zone = account.emulator.zones[ZONE]
    for record_set in zone.names[f"a.{APEX}."].values():
        monkeypatch.setattr(record_set, "matches", lambda _other: False)
    with pytest.raises(PartlyApplied, match=r"1 host, limit 0 \(a\.example\.com\)"):
        account.converge(wanting("ab", REPLACED))
    assert account.answers() == {
        f"a.{APEX}": kept,
        f"b.{APEX}": ["eu-west-1 99.81.104.9", "us-east-1 3.80.0.1"],
    }
    assert IE.address in {each.address for each in account.live().checks}


def test_decision_that_sees_frozen_names(account: Account) -> None:
    """It is asked again with the name to leave alone."""
    seen: list[frozenset[str]] = []
    desired = wanting(["a", BAD], FOUR)

    def decide(live: Any, frozen: frozenset[str]) -> Any:
        seen.append(frozen)
        return deciding(desired)(live, frozen)

    with pytest.raises(PartlyApplied):
        account.converge(desired, decide=decide)
    assert seen == [frozenset(), frozenset(), frozenset({BAD})]
