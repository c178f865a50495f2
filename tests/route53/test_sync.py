"""Waiting until every name server has a change."""

from __future__ import annotations

import pytest

from local.zone.vocabulary import Doc
from route53.errors import AccessRefused, NotInSync
from route53.progress import quiet
from route53.sync import wait_for_sync
from tests.support.zones import ZONE, Account, on_each

RECORD = {"Name": "a.example.com", "Type": "A", "TTL": 60}
CHANGE = {**RECORD, "ResourceRecords": [{"Value": "192.0.2.1"}]}


def accepted(account: Account) -> str:
    """A change that stays pending."""
    account.emulator.settings.insync_after = 3600.0
    changes = [{"Action": "CREATE", "ResourceRecordSet": CHANGE}]
    answer = account.calls().write(
        "change_resource_record_sets", "x", HostedZoneId=ZONE, ChangeBatch={"Changes": changes}
    )
    identifier: str = answer["ChangeInfo"]["Id"]
    account.emulator.reset()
    return identifier


def test_change_that_is_in_sync_at_the_third_look(account: Account) -> None:
    """Two waits, growing, each told of."""
    change, waits, lines = accepted(account), list[float](), list[str]()
    entry: Doc = account.emulator.account.changes[change.removeprefix("/change/")]

    def arrive(count: int) -> None:
        entry["insync_at"] = 0.0 if count == 3 else entry["insync_at"]

    on_each(account, "GetChange", arrive)
    wait_for_sync(account.calls(sleep=waits.append), change, 60.0, lines.append)
    assert waits == [2.0, 3.0]
    assert [line.rpartition(": ")[2] for line in lines] == [
        "accepted, waiting for all name servers, 0 s",
        "accepted, waiting for all name servers, 2 s",
    ]


def test_change_that_stays_pending(account: Account) -> None:
    """It says that all was accepted, how long it waited, and what to do."""
    waits: list[float] = []
    with pytest.raises(NotInSync, match=r"every change was accepted, .* after \d+ s, limit 60 s"):
        wait_for_sync(account.calls(sleep=waits.append), accepted(account), 60.0, quiet)
    assert 40.0 < sum(waits) <= 60.0
    assert max(waits) == 10.0


def test_change_that_may_not_be_asked_for(account: Account) -> None:
    """A permission that is missing is no reason to wait."""
    change = accepted(account)
    account.fault("GetChange", "denied")
    with pytest.raises(AccessRefused, match=r"change C\w+: GetChange: AccessDenied"):
        wait_for_sync(account.calls(), change, 60.0, quiet)
