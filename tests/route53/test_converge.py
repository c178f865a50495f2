"""A zone and a deployment, from one state to the next."""

from __future__ import annotations

from typing import Any

import pytest

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
    host_names,
    settled,
    wanting,
)

TWO = ["eu-west-1 99.81.104.1", "us-east-1 3.80.0.1"]


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
