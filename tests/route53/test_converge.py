"""A zone and a deployment, from one state to the next."""

from __future__ import annotations

import time
from typing import Any

import pytest

from folds.desired import CheckSettings, Desired
from folds.steering import plan
from folds.zone import LiveZone
from route53.converge import Target, converge
from route53.errors import AccessRefused, NotInSync, PartlyApplied, QuotaExceeded
from route53.regions import latency_regions
from tests.support.zones import (
    APEX,
    AU,
    IE,
    PREFIX,
    UK,
    US,
    ZONE,
    Account,
    box,
    deciding,
    host_names,
    wanting,
)

TWO = ["eu-west-1 99.81.104.1", "us-east-1 3.80.0.1"]


def settled(account: Account, desired: Desired) -> None:
    """Nothing is left to do, and no set ever pointed at a missing check or left a host empty."""
    assert account.plan(desired).empty
    assert account.emulator.violations == []
    account.heal()
    assert account.converge(desired).changed == 0
    assert account.writes() == []


def cname(name: str, target: str = "elsewhere.example.net") -> dict[str, Any]:
    return {"Name": name, "Type": "CNAME", "TTL": 300, "ResourceRecords": [{"Value": target}]}


@pytest.mark.behaviour(40)
@pytest.mark.behaviour(41)
def test_fresh_zone(account: Account) -> None:
    """One set per host and edge, ``edge.`` too, and one check per address."""
    desired = wanting("ab", [IE, US], domain=APEX)
    result = account.converge(desired)
    assert account.answers() == {f"a.{APEX}": TWO, f"b.{APEX}": TWO, f"edge.{APEX}": TWO}
    assert (result.changed, result.batches, result.warnings) == (8, 1, ())
    assert result.checks == {each.address: each.id for each in account.live().checks}
    assert len(result.checks) == 2
    settled(account, desired)


def test_box_disarmed(account: Account) -> None:
    """Exactly its sets go, and its check after them."""
    account.converge(wanting("ab"))
    desired = wanting("ab", [AU, IE, US])
    account.emulator.reset()
    assert account.converge(desired).changed == 3
    assert account.writes() == ["ChangeResourceRecordSets", "DeleteHealthCheck"]
    settled(account, desired)


def test_box_replaced_under_a_new_label(account: Account) -> None:
    """Its region changes hands within one batch."""
    account.converge(wanting("abc"))
    desired = wanting("abc", [AU, box("ie-9", "eu-west-1", "99.81.104.9"), UK, US])
    account.converge(desired)
    assert account.answers()[f"a.{APEX}"][1] == "eu-west-1 99.81.104.9"
    settled(account, desired)


def test_two_boxes_that_swap_regions(account: Account) -> None:
    """Both sets of a host go before both come."""
    account.converge(wanting("abc"))
    swapped = [box("ie-1", UK.region, IE.address), box("uk-1", IE.region, UK.address)]
    desired = wanting("abc", [AU, *swapped, US])
    account.converge(desired)
    assert account.answers()[f"a.{APEX}"][1:3] == [
        "eu-west-1 18.130.0.1",
        "eu-west-2 99.81.104.1",
    ]
    settled(account, desired)


def test_second_box_of_a_region_over_ten_runs(account: Account) -> None:
    """It stands by, takes over while the first is away, and keeps what it holds."""
    second = box("ie-2", "eu-west-1", "99.81.104.2")
    answers: list[str] = []
    for number in range(10):
        edges = [[IE, US], [IE, second, US], [second, US], [IE, second, US]][number % 4]
        desired = wanting("ab", edges)
        account.converge(desired)
        answers.append(account.answers()[f"a.{APEX}"][0].removeprefix("eu-west-1 99.81.104."))
        settled(account, desired)
    assert "".join(answers) == "1122112211"


def test_two_zones_of_one_account(account: Account) -> None:
    """One prefix and shared addresses: neither touches a set or check of the other."""
    account.emulator.seed({"zones": [{"id": "Z2", "name": "example.org"}]})
    first, second = wanting("ab"), wanting(["a.example.org"], zone="Z2")
    account.converge(first)
    account.converge(second)
    assert len(account.live().checks) == 8
    account.converge(wanting(edges=[], zone="Z2"))
    assert account.answers("Z2") == {}
    assert len(account.live().checks) == 4
    account.emulator.violations.clear()
    settled(account, first)


def test_withdrawal(account: Account) -> None:
    """Nothing desired: what is managed goes, checks too, and the rest stays."""
    account.converge(wanting("ab"))
    zone = {"id": ZONE, "name": APEX, "record_sets": [cname(f"www.{APEX}")]}
    sets = account.emulator.state()["zones"][0]["record_sets"]
    account.emulator.seed({"zones": [{**zone, "record_sets": [*sets, *zone["record_sets"]]}]})
    before = account.foreign()
    account.converge(wanting(edges=[]))
    assert account.answers() == {}
    assert account.live().checks == ()
    assert account.foreign() == before


def test_foreign_cname_at_one_of_a_hundred_names(account: Account) -> None:
    """That host is left out, the others come, and the CNAME stays to the byte."""
    names = host_names(100)
    record_set = {**cname(names[50]), "TTL": 17}
    account.emulator.seed({"zones": [{"id": ZONE, "name": APEX, "record_sets": [record_set]}]})
    before = account.foreign()
    desired = wanting(names)
    result = account.converge(desired)
    assert account.answers().keys() == {*names} - {names[50]}
    assert [each.host for each in result.plan.refused] == [names[50]]
    assert account.foreign() == before


def test_held_host_whose_box_retires(account: Account) -> None:
    """Its set goes with the box; nothing is added to it, and never the last goes."""
    account.converge(wanting("ab", [IE, US]))
    held = (f"b.{APEX}",)
    account.converge(wanting("a", [IE, UK], held=held))
    assert account.answers()[f"b.{APEX}"] == ["eu-west-1 99.81.104.1"]
    account.converge(wanting("a", [UK], held=held))
    assert account.answers() == {
        f"a.{APEX}": ["eu-west-2 18.130.0.1"],
        f"b.{APEX}": ["eu-west-1 99.81.104.1"],
    }
    assert account.emulator.violations == []


def test_set_that_somebody_edited(account: Account) -> None:
    """It is put right: what is there is deleted to the letter, several values too."""
    account.converge(wanting("ab", [IE, US]))
    record_set = {
        "Name": f"a.{APEX}",
        "Type": "A",
        "SetIdentifier": f"{PREFIX}ie-1",
        "Region": "eu-central-1",
        "TTL": 600,
        "ResourceRecords": [{"Value": "192.0.2.1"}, {"Value": "192.0.2.2"}],
    }
    change = {"Action": "UPSERT", "ResourceRecordSet": record_set}
    account.client.change_resource_record_sets(
        HostedZoneId=ZONE,
        ChangeBatch={"Changes": [change]},  # type: ignore[list-item] # plain text for a literal
    )
    desired = wanting("ab", [IE, US])
    assert account.converge(desired).changed == 1
    assert account.answers()[f"a.{APEX}"] == TWO
    settled(account, desired)


def test_check_that_somebody_removed(account: Account) -> None:
    """A new one of the next generation is made, and every set of the address moved to it."""
    desired = wanting("ab", [IE, US])
    result = account.converge(desired)
    account.client.delete_health_check(HealthCheckId=result.checks[IE.address])
    account.emulator.violations.clear()
    assert account.converge(desired).changed == 3
    assert {each.caller_reference[-2:] for each in account.live().checks} == {"/1", "/2"}
    settled(account, desired)


def test_check_settings_changed_in_place(account: Account) -> None:
    """No set is touched: a new check would count as healthy at first."""
    account.converge(wanting("ab"))
    desired = wanting("ab", check=CheckSettings(path="/up", failure_threshold=5))
    account.emulator.reset()
    account.converge(desired)
    assert account.writes() == ["UpdateHealthCheck"] * 4
    settled(account, desired)


def test_other_interval_at_180_of_200_checks(account: Account) -> None:
    """The checks of boxes that stand by make room for the new ones: never over the quota."""
    addresses = [f"99.81.{number // 90}.{number % 90 + 1}" for number in range(180)]
    boxes = [box(f"b-{n:03}", "eu-west-1", address) for n, address in enumerate(addresses)]
    account.converge(wanting("ab", boxes))
    config = {"Type": "TCP", "IPAddress": "192.0.2.1", "Port": 443}
    foreign = [{"Id": f"f{n}", "HealthCheckConfig": config} for n in range(5)]
    account.emulator.seed({"health_checks": foreign})
    desired = wanting("ab", boxes, CheckSettings(interval=10))
    account.converge(desired)
    assert len(account.live().checks) == 185
    settled(account, desired)


def test_other_type_with_little_room(account: Account) -> None:
    """Four new checks at a time, records moved to them, old ones swept, the next wave."""
    regions = sorted(latency_regions())[:30]
    boxes = [box(f"b-{n:02}", region, f"99.81.104.{n + 1}") for n, region in enumerate(regions)]
    account.emulator.settings.health_check_quota = 34
    account.converge(wanting("abc", boxes, health_check_limit=34))
    desired = wanting("abc", boxes, CheckSettings(type="HTTP"), health_check_limit=34)
    account.emulator.reset()
    result = account.converge(desired)
    assert account.made()["GetHostedZone"] == 8, "rounds"
    assert result.changed == 30 + 90 + 30
    settled(account, desired)


def test_no_room_for_a_single_check(account: Account) -> None:
    """Nothing is written; the message has count, limit and way out."""
    account.converge(wanting("a"))
    account.emulator.reset()
    desired = wanting("a", check=CheckSettings(interval=10), health_check_limit=4)
    with pytest.raises(QuotaExceeded) as caught:
        account.converge(desired)
    assert str(caught.value) == (
        "zone Z1: 4 health checks wanted beside 4, limit 4;"
        " raise the quota at AWS and the setting healthCheckLimit"
    )
    assert account.writes() == []


def test_quota_below_the_setting(account: Account) -> None:
    """AWS has the last word; what was done until then is said."""
    account.emulator.settings.health_check_quota = 3
    with pytest.raises(PartlyApplied, match="done: 3 health check creations; not done: 1 health"):
        account.converge(wanting("a"))


@pytest.mark.parametrize(
    ("op", "nth"),
    [("GetHostedZone", 1), ("ListResourceRecordSets", 2), ("ListHealthChecks", 1)],
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
