"""How a run ends that does not come through, and what it waits for."""

from __future__ import annotations

import time
from typing import Any

import pytest

from folds.desired import Desired
from folds.steering import plan
from folds.zone import LiveZone
from route53.converge import Target, converge
from route53.errors import AccessRefused, NotInSync, PartlyApplied
from tests.support.zones import (
    ZONE,
    Account,
    deciding,
    host_names,
    settled,
    wanting,
)


@pytest.mark.parametrize(
    ("op", "nth"),
    [("ListResourceRecordSets", 1), ("ListResourceRecordSets", 2), ("ListHealthChecks", 1)],
)
def test_read_that_is_refused(account: Account, op: str, nth: int) -> None:
    """Credentials that expire on page 2, too: nothing is written, the error passes as it is."""
    account.converge(wanting(host_names(80)))
    account.fault(op, "expired", nth)
    with pytest.raises(AccessRefused):
        account.converge(wanting(host_names(79)))
    assert account.writes() == []


class Refusal(Exception):
    """What a decision refuses with."""


def refusing(account: Account, desired: Desired, nth: int) -> Any:
    """Converge, the nth decision refusing."""
    count = 0

    def decide(live: LiveZone, frozen: frozenset[str]) -> Any:
        nonlocal count
        count += 1
        if count == nth:
            raise Refusal("steering-shrink: removes 9 of 10, limit half (5); digest 0123456789ab")
        return plan(desired, live, frozen)

    return converge(account.calls(), decide, Target(ZONE), refusals=(Refusal,))


def test_decision_that_refuses_at_once(account: Account) -> None:
    """It passes as it is."""
    with pytest.raises(Refusal):
        refusing(account, wanting("ab"), 1)
    assert account.writes() == []


def test_decision_that_refuses_half_way(account: Account) -> None:
    """What was done is said, and the refusal whole."""
    account.fault("ChangeResourceRecordSets", "drop_before")
    with pytest.raises(PartlyApplied) as caught:
        refusing(account, wanting("ab"), 2)
    assert str(caught.value) == (
        "zone Z1: done: 4 health check creations; not done: 8 record set changes; it ended with"
        " steering-shrink: removes 9 of 10, limit half (5); digest 0123456789ab;"
        " run it again: the next run observes and goes on"
    )


def test_account_whose_rate_others_use_up(account: Account) -> None:
    """Calls are declined again and again, and the run gets there."""
    account.emulator.settings.rate, account.emulator.settings.burst = 100.0, 1
    calls = account.calls(sleep=lambda seconds: time.sleep(seconds / 50))
    converge(calls, deciding(wanting("ab")), Target(ZONE))
    assert "Throttling" in {call["error"] for call in account.emulator.calls}
    account.emulator.settings.rate = 0.0
    settled(account, wanting("ab"))


@pytest.mark.parametrize(("wait", "asked"), [(True, 1), (False, 0)])
def test_wait_for_all_name_servers(account: Account, *, wait: bool, asked: int) -> None:
    """After the last batch, where it is wished."""
    account.converge(wanting("ab"))
    account.emulator.reset()
    target = Target(ZONE, wait_for_sync=wait)
    converge(account.calls(), deciding(wanting("abc")), target)
    assert account.made()["GetChange"] == asked


def test_name_servers_that_take_long(account: Account) -> None:
    """It fails, saying that all was accepted; the next run finds nothing to do."""
    account.emulator.settings.insync_after = 3600.0
    with pytest.raises(NotInSync, match="every change was accepted"):
        account.converge(wanting("ab"))
    settled(account, wanting("ab"))
