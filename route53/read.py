"""Reading one hosted zone and the account's health checks: all of it, or an error."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from typing import Any

from folds.zone import LiveCheck, LiveSet, LiveZone
from route53.client import Calls
from route53.errors import ApexMissing, ListingStuck
from route53.names import decode
from route53.progress import Progress, counted, quiet

SETS_A_PAGE = 300  # the most that ListResourceRecordSets gives
CHECKS_A_PAGE = 100  # the most that ListHealthChecks gives everywhere
_SETS_CURSOR = {
    "StartRecordName": "NextRecordName",
    "StartRecordType": "NextRecordType",
    "StartRecordIdentifier": "NextRecordIdentifier",
}
_CHECKS_CURSOR = {"Marker": "NextMarker"}


def read_zone(calls: Calls, zone_id: str, progress: Progress = quiet) -> LiveZone:
    """Read the zone in ``ceil(sets / 300) + ceil(checks / 100)`` calls, at least 2.

    Raises:
        ZoneNotFound: if the zone is gone.
        ListingStuck: if a listing does not advance.
        ApexMissing: if the listing lacks the zone's own SOA.
        Route53Error: if any page fails: a part of a zone is never returned.
    """
    sets = tuple(map(_live_set, _record_sets(calls, zone_id, progress)))
    return LiveZone(
        zone_id=zone_id,
        name=_apex(zone_id, sets),
        sets=sets,
        checks=tuple(map(_live_check, _health_checks(calls, progress))),
    )


def _apex(zone_id: str, sets: tuple[LiveSet, ...]) -> str:
    """Return the name of the zone: its SOA's, which cannot be deleted and is always alone.

    https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/SOA-NSrecords.html
    So GetHostedZone is not asked, and a listing without it is known not to be the whole.
    """
    names = [each.name for each in sets if each.type == "SOA"]
    if len(names) != 1:
        raise ApexMissing(f"zone {zone_id}", len(names), len(sets))
    return names[0]


def _record_sets(calls: Calls, zone_id: str, progress: Progress) -> list[Mapping[str, Any]]:
    documents: list[Mapping[str, Any]] = []
    about = f"the record sets of zone {zone_id}"
    arguments = {"HostedZoneId": zone_id, "MaxItems": str(SETS_A_PAGE)}
    for page in _pages(calls, "list_resource_record_sets", about, arguments, _SETS_CURSOR):
        documents += page.get("ResourceRecordSets", ())
        progress(f"zone {zone_id}: read {counted(len(documents), 'record set')}")
    return documents


def _health_checks(calls: Calls, progress: Progress) -> list[Mapping[str, Any]]:
    documents: list[Mapping[str, Any]] = []
    arguments = {"MaxItems": str(CHECKS_A_PAGE)}
    for page in _pages(calls, "list_health_checks", "the health checks", arguments, _CHECKS_CURSOR):
        documents += page.get("HealthChecks", ())
        progress(f"read {counted(len(documents), 'health check')}")
    return documents


def _pages(
    calls: Calls, method: str, about: str, arguments: dict[str, str], cursor: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Yield every page. ``cursor`` maps a request's parameters to the answer's members."""
    seen: set[tuple[str | None, ...]] = set()
    place: dict[str, str] = {}
    while True:
        page = calls.read(method, about, **arguments, **place)
        yield page
        if page.get("IsTruncated") is False:
            return
        place = {name: page[member] for name, member in cursor.items() if page.get(member)}
        mark = tuple(map(page.get, cursor.values()))
        if not place or mark in seen:
            raise ListingStuck(about, f"page {len(seen) + 2} begins where an earlier one did")
        seen.add(mark)


def _live_set(document: Mapping[str, Any]) -> LiveSet:
    kind = document["Type"]
    values = (record["Value"] for record in document.get("ResourceRecords", ()))
    return LiveSet(
        name=decode(document["Name"]),
        type=kind,
        set_identifier=document.get("SetIdentifier", ""),
        region=document.get("Region", ""),
        ttl=document.get("TTL", 0),
        values=tuple(map(shortest, values) if kind == "AAAA" else values),
        health_check_id=document.get("HealthCheckId", ""),
        document=document,
    )


def _live_check(document: Mapping[str, Any]) -> LiveCheck:
    config = document["HealthCheckConfig"]
    return LiveCheck(
        id=document["Id"],
        caller_reference=document["CallerReference"],
        version=document["HealthCheckVersion"],
        type=config["Type"],
        address=shortest(config.get("IPAddress", "")),
        port=config.get("Port", 0),
        path=config.get("ResourcePath", ""),
        domain_name=config.get("FullyQualifiedDomainName", ""),
        interval=config.get("RequestInterval", 30),
        failure_threshold=config.get("FailureThreshold", 3),
    )


def shortest(address: str) -> str:
    """Return an address in its shortest spelling: Route 53 writes IPv6 out.

    What is no address comes back as it is.
    """
    try:
        return str(ipaddress.ip_address(address))
    except ValueError:
        return address
