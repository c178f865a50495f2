"""Listing record sets: order, cursor, pages."""

from typing import Any

import pytest

from local.zone import sort_key
from tests.local.zone.support import (
    ZONE,
    Account,
    account_with,
    create,
    latency,
    refused,
    simple,
    weighted,
)

LISTED = [
    ("", "A", None),
    ("", "NS", None),
    ("", "SOA", None),
    ("0.", "A", None),
    ("\\052.", "A", None),
    ("_x.", "A", None),
    ("a-b.", "A", None),
    ("a.", "A", None),
    ("a.", "AAAA", None),
    ("a.", "TXT", None),
    ("x.a.", "A", None),
    ("ab.", "A", None),
    ("b.", "A", None),
    ("l.", "A", "1"),
    ("l.", "A", "10"),
    ("l.", "A", "2"),
]
BAD_CURSORS = [
    ({"StartRecordType": "A"}, "type needs name"),
    ({"StartRecordName": "a.example.com", "StartRecordIdentifier": "i"}, "identifier needs type"),
    ({"StartRecordName": "a.example.com", "StartRecordType": "ALIAS"}, "type 'ALIAS'"),
    ({"StartRecordName": "a..b"}, "DomainLabelEmpty"),
    ({"MaxItems": "0"}, "maxitems"),
    ({"StartRecordName": ""}, "DomainNameEmpty"),
    ({"MaxItems": "many"}, "maxitems"),
]


def page_of(account: Account, **start: str) -> dict[str, Any]:
    """One page of the zone."""
    page = account.client.list_resource_record_sets(HostedZoneId=ZONE, **start)
    return dict(page)


def test_listing_order(account: Account) -> None:
    """Reversed labels, type, identifier; escaped names by their escapes."""
    names = ("", "b.", "a.", "a-b.", "x.a.", "ab.", "*.", "0.", "_x.")
    account.change(
        *(create(simple(f"{name}example.com")) for name in names),
        create(simple("a.example.com", "::1", kind="AAAA")),
        create(simple("a.example.com", '"t"', kind="TXT")),
        create(latency("l.example.com", "2", "us-east-1")),
        create(latency("l.example.com", "1", "eu-west-1")),
        create(latency("l.example.com", "10", "eu-west-2")),
    )
    page = page_of(account)
    found = [
        (each["Name"].removesuffix("example.com."), each["Type"], each.get("SetIdentifier"))
        for each in page["ResourceRecordSets"]
    ]
    assert found == LISTED
    assert page["IsTruncated"] is False
    assert page["MaxItems"] == "300"
    assert "NextRecordName" not in page


@pytest.fixture
def cursored(account: Account) -> Account:
    """A zone that lists as eNS eSOA aA aTXT bAi bAk cA."""
    account.change(
        create(simple("a.example.com")),
        create(simple("a.example.com", '"t"', kind="TXT")),
        create(latency("b.example.com", "i", "us-east-1")),
        create(latency("b.example.com", "k", "eu-west-1")),
        create(simple("c.example.com")),
    )
    return account


@pytest.mark.parametrize(
    ("cursor", "listed"),
    [
        ((), "eNS eSOA aA aTXT bAi bAk cA"),
        (("A.example.com",), "aA aTXT bAi bAk cA"),
        (("a.example.com", "NS"), "aTXT bAi bAk cA"),
        (("aa.example.com", "TXT"), "bAi bAk cA"),
        (("b.example.com", "A"), "bAi bAk cA"),
        (("b.example.com", "A", "j"), "bAk cA"),
        (("b.example.com", "A", "k"), "bAk cA"),
        (("b.example.com", "AAAA"), "cA"),
        (("zz.example.com",), ""),
    ],
)
def test_the_cursor_is_inclusive(cursored: Account, cursor: tuple[str, ...], listed: str) -> None:
    """A page begins with the first set at or after name, type and identifier."""
    keys = ("StartRecordName", "StartRecordType", "StartRecordIdentifier")
    page = page_of(cursored, **dict(zip(keys, cursor, strict=False)))
    found = [
        each["Name"][0] + each["Type"] + each.get("SetIdentifier", "")
        for each in page["ResourceRecordSets"]
    ]
    assert found == listed.split()


@pytest.mark.parametrize(("start", "text"), BAD_CURSORS)
def test_half_a_cursor_is_refused(account: Account, start: dict[str, str], text: str) -> None:
    """A type needs a name, an identifier needs a type, MaxItems is a positive number."""
    refused("InvalidInput", text, lambda: page_of(account, **start))


def test_a_cut_page_names_the_next_set(cursored: Account) -> None:
    """By name, type and, where it has one, identifier."""
    page = page_of(cursored, MaxItems="5")
    assert page["IsTruncated"]
    assert (page["MaxItems"], len(page["ResourceRecordSets"])) == ("5", 5)
    following = (page["NextRecordName"], page["NextRecordType"], page["NextRecordIdentifier"])
    assert following == ("b.example.com.", "A", "k")
    page = page_of(cursored, MaxItems="6")
    assert page["NextRecordName"] == "c.example.com."
    assert "NextRecordIdentifier" not in page


def fill(account: Account, before: int, members: int, after: int) -> None:
    """Hosts a…, one host b with many members, hosts c…; the apex holds two more sets."""
    changes = [create(simple(f"a{number:04}.example.com")) for number in range(before)]
    changes += [
        create(weighted("b.example.com", f"m{number:03}", f"192.0.2.{number}"))
        for number in range(members)
    ]
    changes += [create(simple(f"c{number:04}.example.com")) for number in range(after)]
    account.change(*changes)


def test_paginator_over_1000_sets_with_a_name_across_the_page_edge(account: Account) -> None:
    """The full cursor neither skips nor repeats."""
    fill(account, before=288, members=40, after=670)
    calls, paginator = len(account.emulator.calls), "list_resource_record_sets"
    pages = list(account.client.get_paginator(paginator).paginate(HostedZoneId=ZONE))
    assert len(account.emulator.calls) - calls == len(pages) == 4
    assert [len(page["ResourceRecordSets"]) for page in pages] == [300, 300, 300, 100]
    assert pages[0]["NextRecordName"] == "b.example.com."
    assert pages[0]["NextRecordIdentifier"] == "m010"
    keys = [
        (each["Name"], each["Type"], each.get("SetIdentifier", ""))
        for page in pages
        for each in page["ResourceRecordSets"]
    ]
    assert len(keys) == len(set(keys)) == 1000
    assert keys == sorted(keys, key=lambda key: (sort_key(key[0]), *key[1:]))
    assert sum(name == "b.example.com." for name, _, _ in keys) == 40


def test_without_the_identifier_a_name_starts_again(account: Account) -> None:
    """Half of the cursor repeats what the page before it held."""
    fill(account, before=288, members=40, after=0)
    page = page_of(account)
    start = {"StartRecordName": page["NextRecordName"], "StartRecordType": page["NextRecordType"]}
    assert page["NextRecordIdentifier"] == "m010"
    assert page_of(account, **start)["ResourceRecordSets"][0]["SetIdentifier"] == "m000"


def test_page_sizes() -> None:
    """MaxItems above 300 means 300; without it default_page holds."""
    with account_with() as account:
        fill(account, before=400, members=1, after=0)
        for asked, got in (("299", 299), ("300", 300), ("301", 300), ("5000", 300)):
            page = page_of(account, MaxItems=asked)
            assert (len(page["ResourceRecordSets"]), page["MaxItems"]) == (got, str(got))
    with account_with(default_page=100) as account:
        fill(account, before=400, members=1, after=0)
        assert len(page_of(account)["ResourceRecordSets"]) == 100
        assert len(page_of(account, MaxItems="300")["ResourceRecordSets"]) == 300
