"""Hosted zones: created, listed, removed."""

from typing import Any

import pytest

from tests.local.zone.support import ZONE, Account, create, delete, refused, simple


def test_create_hosted_zone(account: Account) -> None:
    """A new zone has its NS and SOA, a canonical name and a PENDING change."""
    answer = account.client.create_hosted_zone(
        Name="New.Example.ORG",
        CallerReference="one",
        HostedZoneConfig={"Comment": "a & b", "PrivateZone": False},
    )
    zone = answer["HostedZone"]
    assert answer["ResponseMetadata"]["HTTPStatusCode"] == 201
    assert answer["Location"].endswith(zone["Id"])
    assert zone["Id"].startswith("/hostedzone/Z")
    assert zone["Name"] == "new.example.org."
    assert zone["Config"] == {"Comment": "a & b", "PrivateZone": False}
    assert zone["ResourceRecordSetCount"] == 2
    assert answer["ChangeInfo"]["Status"] == "PENDING"
    assert len(answer["DelegationSet"]["NameServers"]) == 4
    sets = account.client.list_resource_record_sets(HostedZoneId=zone["Id"])["ResourceRecordSets"]
    assert [(each["Type"], each["TTL"]) for each in sets] == [("NS", 172800), ("SOA", 900)]
    assert account.client.get_hosted_zone(Id=zone["Id"])["HostedZone"] == zone
    assert account.client.get_hosted_zone(Id=ZONE)["HostedZone"]["Config"] == {"PrivateZone": False}
    account.client.create_hosted_zone(Name="b.org", CallerReference="r" * 128)


def test_create_hosted_zone_refusals(account: Account) -> None:
    """References are unique, names are checked, lengths are limited."""
    made = account.client.create_hosted_zone
    made(Name="a.org", CallerReference="one")
    made(Name="a.org", CallerReference="two")
    taken = {"Name": "b.org", "CallerReference": "one"}
    refused("HostedZoneAlreadyExists", "caller reference", made, **taken)
    for name, text in (("a..org", "DomainLabelEmpty"), ("*.a.org", "leftmost")):
        refused("InvalidDomainName", text, made, Name=name, CallerReference="three")
    refused("InvalidInput", "CallerReference", made, Name="a.org", CallerReference="x" * 129)


def test_a_deleted_zones_reference_stays_taken(account: Account) -> None:
    """A caller reference is taken for ever."""
    client, wanted = account.client, {"Name": "a.org", "CallerReference": "one"}
    zone = client.create_hosted_zone(**wanted)["HostedZone"]
    assert client.delete_hosted_zone(Id=zone["Id"])["ChangeInfo"]["Status"] == "PENDING"
    identifier = zone["Id"].split("/")[-1]
    refused("NoSuchHostedZone", identifier, client.get_hosted_zone, Id=zone["Id"])
    refused("HostedZoneAlreadyExists", "", client.create_hosted_zone, **wanted)


def test_delete_hosted_zone_refusals(account: Account) -> None:
    """Only a zone with nothing but its NS and SOA can be deleted."""
    account.change(create(simple("a.example.com")))
    refused("HostedZoneNotEmpty", "non-required", account.client.delete_hosted_zone, Id=ZONE)
    account.change(delete(simple("a.example.com")))
    account.client.delete_hosted_zone(Id=ZONE)
    refused("NoSuchHostedZone", ZONE, account.client.delete_hosted_zone, Id=ZONE)


def test_no_such_hosted_zone(account: Account) -> None:
    """An unknown id is 404; an id with /hostedzone/ before it is the same id."""
    change, client = create(simple("a.example.com")), account.client
    refused("NoSuchHostedZone", "ZNONE", lambda: account.change(change, zone="ZNONE"))
    refused("NoSuchHostedZone", "ZNONE", client.list_resource_record_sets, HostedZoneId="ZNONE")
    refused("NoSuchHostedZone", "ZNONE", client.get_hosted_zone, Id="ZNONE")
    account.change(change, zone=f"/hostedzone/{ZONE}")


def size(page: dict[str, Any], following: str) -> tuple[int, bool, bool]:
    """How many zones a page holds, and whether it says that more follow, and from where."""
    return len(page["HostedZones"]), page["IsTruncated"], following in page


def test_list_hosted_zones_pages(account: Account) -> None:
    """At most 100 a page, in the order of ids, from the marker on."""
    for number in range(149):
        account.client.create_hosted_zone(Name=f"z{number}.org", CallerReference=str(number))
    listing, paginator = account.client.list_hosted_zones, "list_hosted_zones"
    first = listing()
    assert size(first, "NextMarker") == (100, True, True)
    assert first["MaxItems"] == "100"
    second = listing(Marker=first["NextMarker"])
    assert size(second, "NextMarker") == (50, False, False)
    assert second["HostedZones"][0]["Id"] == f"/hostedzone/{first['NextMarker']}"
    exact = listing(Marker=first["NextMarker"], MaxItems="50")
    assert size(exact, "NextMarker") == (50, False, False)
    small = {"PageSize": 40}
    pages = account.client.get_paginator(paginator).paginate(PaginationConfig=small)
    ids = [zone["Id"] for page in pages for zone in page["HostedZones"]]
    assert len(ids) == len(set(ids)) == 150
    assert len(listing(MaxItems="500")["HostedZones"]) == 100
    refused("InvalidInput", "maxitems", listing, MaxItems="0")


BY_NAME = [
    ("a.com.", "ZA1"),
    ("a.com.", "ZA2"),
    ("x.a.com.", "ZSUB"),
    ("b.com.", "ZB"),
    ("example.com.", ZONE),
    ("a.org.", "ZORG"),
]


@pytest.fixture
def named(account: Account) -> Account:
    """An account with several zones, seeded out of order."""
    zones = [{"id": identifier, "name": name} for name, identifier in reversed(BY_NAME)]
    account.emulator.seed({"zones": zones})
    return account


def test_list_hosted_zones_by_name(named: Account) -> None:
    """By reversed labels, then id."""
    listed = named.client.list_hosted_zones_by_name()["HostedZones"]
    found = [(zone["Name"], zone["Id"].removeprefix("/hostedzone/")) for zone in listed]
    assert found == BY_NAME


def test_list_hosted_zones_by_name_from_a_place(named: Account) -> None:
    """The page begins at the name and id given, and names the next ones."""
    listing = named.client.list_hosted_zones_by_name
    page = listing(DNSName="A.com", MaxItems="1")
    assert page["HostedZones"][0]["Id"] == "/hostedzone/ZA1"
    assert size(page, "NextDNSName") == (1, True, True)
    assert page["DNSName"] == "A.com"
    assert (page["NextDNSName"], page["NextHostedZoneId"]) == ("a.com.", "ZA2")
    rest = listing(DNSName="a.com.", HostedZoneId="ZA2")
    ids = [zone["Id"].removeprefix("/hostedzone/") for zone in rest["HostedZones"]]
    assert ids == [identifier for _, identifier in BY_NAME[1:]]
    assert size(rest, "NextDNSName") == (5, False, False)
    assert size(listing(DNSName="b.com", MaxItems="3"), "NextDNSName") == (3, False, False)


def test_list_hosted_zones_by_name_refusals(named: Account) -> None:
    """Half a cursor, and a name that is none."""
    listing = named.client.list_hosted_zones_by_name
    refused("InvalidInput", "dnsname", listing, HostedZoneId="ZA2")
    refused("InvalidDomainName", "DomainLabelEmpty", listing, DNSName="a..b")
