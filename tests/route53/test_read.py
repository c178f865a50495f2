"""Reading a zone and the health checks: all of it, or an error."""

from __future__ import annotations

from typing import Any

import pytest

from folds.zone import LiveSet, LiveZone
from local.zone.vocabulary import Doc
from route53.client import Calls
from route53.errors import AccessRefused, ApexMissing, ListingStuck, Unavailable, ZoneNotFound
from route53.read import read_zone
from tests.support.zones import APEX, PREFIX, ZONE, Account

OWN_SETS = 2  # NS and SOA, which every zone has


def simple_sets(count: int) -> list[Doc]:
    values = [{"Value": "192.0.2.1"}]
    return [
        {"Name": f"h{number}.{APEX}", "Type": "A", "TTL": 60, "ResourceRecords": values}
        for number in range(count)
    ]


def tcp_checks(count: int) -> list[Doc]:
    config = {"Type": "TCP", "IPAddress": "192.0.2.1", "Port": 443}
    return [{"Id": f"c{number}", "HealthCheckConfig": config} for number in range(count)]


def fill(account: Account, sets: list[Doc], checks: list[Doc] | None = None) -> None:
    zone = {"id": ZONE, "name": APEX, "record_sets": sets}
    account.emulator.seed({"zones": [zone], "health_checks": checks or []})


@pytest.mark.parametrize(
    ("sets", "checks", "pages", "check_pages"),
    [(2, 0, 1, 1), (300, 100, 1, 1), (301, 101, 2, 2), (900, 201, 3, 3)],
)
def test_calls_of_a_read(
    account: Account, sets: int, checks: int, pages: int, check_pages: int
) -> None:
    """One for each 300 sets, one for each 100 checks; the zone's name is in the first."""
    fill(account, simple_sets(sets - OWN_SETS), tcp_checks(checks))
    live = read_zone(account.calls(), ZONE)
    assert len(live.sets) == sets
    assert len({each.key for each in live.sets}) == sets
    assert len(live.checks) == checks
    assert live.name == APEX
    assert account.made() == {"ListResourceRecordSets": pages, "ListHealthChecks": check_pages}


@pytest.mark.parametrize("found", [0, 2])
def test_listing_without_the_one_soa(account: Account, found: int) -> None:
    """Every zone has exactly one, so such a listing is not the whole, and an error."""
    soa = {"Name": f"{APEX}.", "Type": "SOA", "TTL": 900, "ResourceRecords": [{"Value": "ns"}]}
    answer = {"ResourceRecordSets": [soa] * found, "IsTruncated": False}
    with pytest.raises(ApexMissing, match=rf"zone Z1: {found} SOA among {found} record sets"):
        read_zone(Scripted(account, answer), ZONE)


def test_page_that_ends_between_the_sets_of_one_name(account: Account) -> None:
    """The cursor is name, type and identifier: the next page goes on within the name."""
    ours = [
        {
            "Name": f"z.{APEX}",
            "Type": "A",
            "TTL": 60,
            "SetIdentifier": f"box-{number:03}",
            "Weight": 1,
            "ResourceRecords": [{"Value": "192.0.2.1"}],
        }
        for number in range(100)
    ]
    fill(account, [*simple_sets(250), *ours])
    assert len(read_zone(account.calls(), ZONE).sets) == 350 + OWN_SETS


def test_fields_of_a_latency_set(account: Account) -> None:
    """Name and address in their short spelling, the document exactly as it was given."""
    document = {
        "Name": f"\\052.A.{APEX}",
        "Type": "AAAA",
        "SetIdentifier": f"{PREFIX}ie-1",
        "Region": "eu-west-1",
        "TTL": 60,
        "ResourceRecords": [{"Value": "2001:DB8:0:0::1"}],
        "HealthCheckId": "c0",
    }
    fill(account, [document])
    found = next(each for each in read_zone(account.calls(), ZONE).sets if each.region)
    key = (f"*.a.{APEX}", "AAAA", f"{PREFIX}ie-1")
    assert found == LiveSet(*key, "eu-west-1", 60, ("2001:db8::1",), "c0")
    assert found.document == {**document, "Name": f"\\052.a.{APEX}."}


def test_fields_of_other_sets(account: Account) -> None:
    """A weighted set has no region, an alias neither TTL nor values."""
    target = {"HostedZoneId": "Z35", "DNSName": "lb.example.net", "EvaluateTargetHealth": False}
    weighted = {**simple_sets(1)[0], "SetIdentifier": "blue", "Weight": 1}
    alias = {"Name": f"z.{APEX}", "Type": "A", "AliasTarget": target}
    fill(account, [weighted, alias])
    sets = {each.name: each for each in read_zone(account.calls(), ZONE).sets}
    assert sets[f"h0.{APEX}"] == LiveSet(f"h0.{APEX}", "A", "blue", "", 60, ("192.0.2.1",))
    assert sets[f"z.{APEX}"] == LiveSet(f"z.{APEX}", "A")


def test_fields_of_a_health_check(account: Account) -> None:
    """Route 53 writes IPv6 out; here it is in the shortest spelling."""
    config = {"Type": "HTTPS", "IPAddress": "2001:db8::4", "ResourcePath": "/up"}
    config["FullyQualifiedDomainName"] = f"edge.{APEX}"
    check = {"Id": "c1", "CallerReference": "mine/1", "HealthCheckConfig": config}
    fill(account, [], [{**check, "HealthCheckVersion": 7}])
    (found,) = read_zone(account.calls(), ZONE).checks
    assert (found.id, found.caller_reference, found.version) == ("c1", "mine/1", 7)
    assert (found.type, found.address, found.port) == ("HTTPS", "2001:db8::4", 443)
    assert (found.path, found.domain_name) == ("/up", f"edge.{APEX}")
    assert (found.interval, found.failure_threshold) == (30, 3)


@pytest.mark.parametrize("do", ["expired", "denied"])
@pytest.mark.parametrize(
    ("op", "nth"),
    [("ListResourceRecordSets", 1), ("ListResourceRecordSets", 2), ("ListHealthChecks", 2)],
)
def test_page_that_is_refused(account: Account, op: str, nth: int, do: str) -> None:
    """Credentials that expire on page 2: an error, not the first page."""
    fill(account, simple_sets(400), tcp_checks(150))
    account.fault(op, do, nth)
    with pytest.raises(AccessRefused, match=op):
        read_zone(account.calls(), ZONE)


def test_page_that_never_comes(account: Account) -> None:
    """The budget of that call ends the read."""
    fill(account, simple_sets(400))
    account.emulator.set_faults([{"op": "ListResourceRecordSets", "do": "503"}])
    with pytest.raises(Unavailable, match="the record sets of zone Z1: ListResourceRecordSets"):
        read_zone(account.calls(), ZONE)


def test_zone_that_is_gone(account: Account) -> None:
    """An error of its own: a refresh tells it from all others."""
    with pytest.raises(ZoneNotFound, match=r"zone ZGONE: .*NoSuchHostedZone.*zoneId"):
        read_zone(account.calls(), "ZGONE")


def test_progress_of_a_long_read(account: Account) -> None:
    """One line for each page."""
    lines: list[str] = []
    fill(account, simple_sets(400), tcp_checks(1))
    read_zone(account.calls(), ZONE, lines.append)
    assert lines == [
        "zone Z1: read 300 record sets",
        "zone Z1: read 402 record sets",
        "read 1 health check",
    ]


class Scripted(Calls):
    """Calls that answer listings from a script."""

    def __init__(self, account: Account, *pages: Doc) -> None:
        super().__init__(account.client)
        self.pages = list(pages)

    def read(self, method: str, subject: str, **arguments: Any) -> Doc:
        if method != "list_resource_record_sets":
            return super().read(method, subject, **arguments)
        return self.pages.pop(0)


def page(**cursor: str) -> Doc:
    return {"ResourceRecordSets": [], "IsTruncated": True, **cursor}


@pytest.mark.parametrize(
    "pages",
    [
        [page()],
        [{}],
        [page(NextRecordName="a"), page(NextRecordName="a")],
        [page(NextRecordName="a"), page(NextRecordName="b"), page(NextRecordName="a")],
    ],
)
def test_cursor_that_does_not_advance(account: Account, pages: list[Doc]) -> None:
    """A listing that goes round, or ends in the middle, is no listing."""
    with pytest.raises(ListingStuck, match="the record sets of zone Z1"):
        read_zone(Scripted(account, *pages), ZONE)


def test_big_zone(account: Account) -> None:
    """9,000 sets come whole and in order."""
    fill(account, simple_sets(9000 - OWN_SETS))
    live: LiveZone = read_zone(account.calls(), ZONE)
    assert len(live.sets) == 9000
    assert account.made()["ListResourceRecordSets"] == 30
