"""on_call: what a test does before a call is judged."""

import threading
from typing import Any

import pytest
from botocore.exceptions import ConnectionClosedError

from local.zone.record_sets import RecordSet
from tests.local.zone.support import Account, account_with, create, raw, refused, simple


def test_it_sees_each_call_before_it_is_judged(account: Account) -> None:
    """With the log entry: operation, arguments, index and the fault to come, no status yet."""
    seen: list[dict[str, Any]] = []
    account.emulator.set_faults([{"op": "GetHealthCheckCount", "nth": 2, "do": "drop_after"}])
    account.emulator.on_call = lambda call: seen.append(dict(call))
    account.client.get_health_check_count()
    with pytest.raises(ConnectionClosedError):
        account.client.get_health_check_count()
    assert [(call["index"], call["op"], call["status"], call["fault"]) for call in seen] == [
        (0, "GetHealthCheckCount", None, None),
        (1, "GetHealthCheckCount", None, "drop_after"),
    ]


def test_what_it_changes_is_judged(account: Account) -> None:
    """A set that somebody else creates meanwhile is in the way."""

    def meanwhile(call: dict[str, Any]) -> None:
        account.emulator.on_call = None
        zone = account.emulator.zones[call["args"][0]]
        zone.add(RecordSet(simple("a.example.com")))

    account.emulator.on_call = meanwhile
    change = create(simple("a.example.com"))
    refused("InvalidChangeBatch", "already exists", lambda: account.change(change))


def test_the_emulator_answers_others_while_it_runs(account: Account) -> None:
    """It is called without the lock, so it can wait for another caller or ask for the state."""
    answers: list[int] = []

    def ask(_: dict[str, Any]) -> None:
        url = f"{account.emulator.url}/_emulator/state"
        asking = threading.Thread(target=lambda: answers.append(raw(url, method="GET")[0]))
        asking.start()
        asking.join(5)

    account.emulator.on_call = ask
    account.client.get_health_check_count()
    assert answers == [200]


def test_control_calls_are_none(account: Account) -> None:
    """Neither is a call that comes after it was taken away."""
    seen: list[str] = []
    account.emulator.on_call = lambda call: seen.append(call["op"])
    raw(f"{account.emulator.url}/_emulator/state", method="GET")
    account.client.list_hosted_zones()
    account.emulator.on_call = None
    account.client.list_hosted_zones()
    assert seen == ["ListHostedZones"]


def test_it_runs_before_a_call_that_is_never_judged() -> None:
    """Every call comes by, one that is dropped too."""
    with account_with(faults=[{"op": "GetHealthCheckCount", "do": "drop_before"}]) as account:
        seen: list[str] = []
        account.emulator.on_call = lambda call: seen.append(call["fault"])
        with pytest.raises(ConnectionClosedError):
            account.client.get_health_check_count()
        assert seen == ["drop_before"]
