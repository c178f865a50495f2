"""Names that a ``ZoneRecords`` adopts: judged again on the fresh read, to the letter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from folds.zone import LiveSet, LiveZone
from providers.errors import ApplyFailed, GuardRefused, ZoneChanged
from providers.zone_records import ZoneRecordsProvider
from stacks.decision import Decision, decide
from tests.folds.model import simple
from tests.providers.inputs import Props, sent
from tests.support.steering import host_of, observed, settings
from tests.support.zones import APEX, PREFIX, ZONE, Account, on_each

ID = f"{ZONE}/{PREFIX}"
A, B = host_of("a"), host_of("b")
OLD = (simple(A, "192.0.2.1"), simple(B, "192.0.2.2", "192.0.2.3"))


@pytest.fixture(autouse=True)
def zone(account: Account) -> None:
    """A zone in which both hosts have a simple set."""
    put(account, *OLD)


def put(account: Account, *sets: LiveSet) -> None:
    account.seed(LiveZone(ZONE, APEX, sets, ()))


def decided(account: Account, acknowledged: str = "") -> Decision:
    adopting = settings(adopt=(A, B))
    return decide(adopting, observed(live=account.live()), acknowledged)


def acknowledged(account: Account) -> Props:
    """What a program sends under the digest of what it sees."""
    (refusal,) = decided(account).refused
    assert refusal.rule == "steering-takeover"
    return sent(decided(account, refusal.digest))


def test_without_a_digest(account: Account, provider: ZoneRecordsProvider) -> None:
    """Refused in check and, where that was left out, in create and update; nothing is written."""
    news = sent(decided(account))
    (failure,) = provider.check({}, news).failures
    assert failure.reason.startswith("steering-takeover: ")
    with pytest.raises(GuardRefused, match="in the place of 2 simple sets that others made"):
        provider.create(news)
    with pytest.raises(GuardRefused, match="steering-takeover"):
        provider.update(ID, {}, news)
    assert account.writes() == []


def test_under_its_digest(account: Account, provider: ZoneRecordsProvider) -> None:
    """Both are adopted, on a first run too; then there is nothing to do, and nothing to say."""
    news = acknowledged(account)
    assert not provider.check({}, news).failures
    provider.create(news)
    assert {*account.answers()} == {A, B, f"edge.{APEX}"}
    after = decided(account)
    assert (after.plan.empty, after.violations, after.plan.refused) == (True, (), ())
    assert provider.diff(ID, {"zone": ZONE, "prefix": PREFIX}, sent(after)).changes is False


@pytest.mark.parametrize(
    "other",
    [
        replace(OLD[0], ttl=301),
        replace(OLD[0], values=("192.0.2.2",)),
        replace(OLD[0], values=("192.0.2.1", "192.0.2.2")),
        replace(OLD[0], health_check_id="c1"),
        replace(OLD[0], values=("192.0.2.99",)),
        replace(OLD[0], type="CNAME", values=("elsewhere.example.net",)),
        replace(OLD[0], set_identifier="blue"),
    ],
)
def test_set_that_changed_meanwhile(
    account: Account, provider: ZoneRecordsProvider, other: LiveSet
) -> None:
    """It is not the one of the plan, whatever it is now: the run ends before it writes."""
    news = acknowledged(account)
    put(account, other, OLD[1])
    with pytest.raises(ZoneChanged, match=rf"1 simple set to adopt not as.*the first {A} A;"):
        provider.create(news)
    assert account.writes() == []


def test_set_that_came_meanwhile(account: Account, provider: ZoneRecordsProvider) -> None:
    """The plan did not show it, and so it stays."""
    put(account, OLD[0])
    news = acknowledged(account)
    put(account, *OLD)
    with pytest.raises(ZoneChanged, match=f"the first {B} A; nothing more is changed"):
        provider.create(news)
    assert account.writes() == []


def test_set_that_went_meanwhile(account: Account, provider: ZoneRecordsProvider) -> None:
    """Somebody made room: the host gets its latency sets all the same."""
    news = acknowledged(account)
    put(account, OLD[1])
    provider.create(news)
    assert {*account.answers()} == {A, B, f"edge.{APEX}"}


def test_values_in_another_order(account: Account, provider: ZoneRecordsProvider) -> None:
    """They are the same set."""
    news = acknowledged(account)
    put(account, OLD[0], replace(OLD[1], values=OLD[1].values[::-1]))
    provider.create(news)
    assert decided(account).plan.empty


@pytest.mark.parametrize("other", ["192.0.2.2", "192.0.2.99"])
def test_set_that_changes_before_its_batch(
    account: Account, provider: ZoneRecordsProvider, other: str
) -> None:
    """Route 53 refuses the DELETE; the next look finds another set, and the run ends there."""
    news = acknowledged(account)
    on_each(account, "ChangeResourceRecordSets", _editing(account, other))
    with pytest.raises(ApplyFailed, match=r"done: 4 health check creations.*adopt not as planned"):
        provider.create(news)
    assert account.answers() == {}
    assert account.batches() == []


def _editing(account: Account, address: str) -> Callable[[int], None]:
    group: Any = account.emulator.zones[ZONE].names[f"{A}."]

    def edit(_count: int) -> None:
        group["A", ""].doc["ResourceRecords"] = [{"Value": address}]
        group["A", ""].values[:] = [address]

    return edit


def test_digest_for_other_boxes(account: Account, provider: ZoneRecordsProvider) -> None:
    """A box more is another end."""
    (refusal,) = decided(account).refused
    more = decide(settings(adopt=(A, B)), observed(5, live=account.live()), refusal.digest)
    with pytest.raises(GuardRefused, match="steering-takeover"):
        provider.create(sent(more))
    assert account.writes() == []
