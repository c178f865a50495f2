"""Reading one hosted zone and the account's health checks: all of it, or an error."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from typing import Any

from folds.zone import LiveCheck, LiveSet, LiveZone
from route53.client import Calls
from route53.errors import ListingStuck
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
    """Read the zone in ``1 + ceil(sets / 300) + ceil(checks / 100)`` calls, at least 3.

    Raises:
        ZoneNotFound: if the zone is gone.
        ListingStuck: if a listing does not advance.
        Route53Error: if any page fails: a part of a zone is never returned.
    """
    about = f"zone {zone_id}"
    zone = calls.read("get_hosted_zone", about, Id=zone_id)["HostedZone"]
    return LiveZone(
        zone_id=zone_id,
        name=decode(zone["Name"]),
        sets=tuple(map(_live_set, _record_sets(calls, zone_id, progress))),
        checks=tuple(map(_live_check, _health_checks(calls, progress))),
    )


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
