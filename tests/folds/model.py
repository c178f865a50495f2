"""Route 53 as a pure value: what a plan makes of a zone, and what Route 53 would not take."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from folds.changes import HostChange, Plan, WantedSet
from folds.desired import CheckSettings, Desired, Edge
from folds.steering import plan
from folds.summary import summarize
from folds.zone import LiveCheck, LiveSet, LiveZone
from policy.guards import SteeringSummary

PREFIX = "carlos-steering/"
APEX = "example.com"
IE = Edge(box="ie-1", region="eu-west-1", address="99.81.104.1")
UK = Edge(box="uk-1", region="eu-west-2", address="18.130.0.1")
US = Edge(box="us-1", region="us-east-1", address="3.80.0.1")
AU = Edge(box="au-1", region="ap-southeast-2", address="13.54.0.1")
FOUR = (AU, IE, UK, US)


class Route53Refuses(Exception):
    """A change that Route 53 would answer with InvalidChangeBatch."""


def foreign(zone: LiveZone) -> set[LiveSet]:
    """What others made."""
    return {each for each in zone.sets if not each.managed(PREFIX)}


def as_text(desired: Desired, zone: LiveZone) -> str:
    """Everything a plan says, byte for byte."""
    summary = summary_of(desired, zone).model_dump(mode="json", by_alias=True)
    return json.dumps([plan(desired, zone).lines, summary])


def summary_of(desired: Desired, zone: LiveZone) -> SteeringSummary:
    """What the guards read of a plan."""
    return summarize(desired, zone, plan(desired, zone))


def edge(box: str, region: str, address: str) -> Edge:
    return Edge(box=box, region=region, address=address)


def host(label: str) -> str:
    return f"{label}.bab.{APEX}"


def desired(
    hosts: Iterable[str] = (), edges: Iterable[Edge] = FOUR, domain: str = APEX, **more: object
) -> Desired:
    """What the bucket asks for: hosts by first label, four boxes in four regions, ``edge.``."""
    values = {
        "zone": "Z1",
        "prefix": PREFIX,
        "domain": domain,
        "edges": tuple(sorted(edges, key=lambda each: each.box)),
        "hosts": tuple(sorted(host(label) for label in hosts)),
        **more,
    }
    return Desired.model_validate(values)


def empty_zone(*sets: LiveSet, checks: Iterable[LiveCheck] = ()) -> LiveZone:
    """A zone of these sets alone."""
    return LiveZone("Z1", APEX, tuple(sets), tuple(checks))


def converged(wanted: Desired, *foreign: LiveSet) -> LiveZone:
    """The zone that a deployment leaves behind: its plan, applied to foreign sets alone."""
    zone = empty_zone(*foreign)
    return applied(zone, plan(wanted, zone))


def simple(name: str, *values: str, ttl: int = 300) -> LiveSet:
    """A simple set of somebody else's: AAAA if its first value is of version 6."""
    return LiveSet(name, "AAAA" if ":" in values[0] else "A", ttl=ttl, values=values)


def names_of(zone: LiveZone) -> dict[str, list[str]]:
    """Every managed name with the boxes that answer for it."""
    found: dict[str, list[str]] = {}
    for each in sorted(zone.sets, key=lambda each: each.key):
        if each.managed(PREFIX):
            found.setdefault(each.name, []).append(each.set_identifier.removeprefix(PREFIX))
    return found


def applied(zone: LiveZone, work: Plan) -> LiveZone:
    """Apply a whole plan: checks, then host by host, then the sweep.

    Raises:
        Route53Refuses: where Route 53 would.
    """
    *_, last = steps(zone, work)
    return last


def steps(zone: LiveZone, work: Plan) -> Iterator[LiveZone]:
    """Yield the zone after the checks are made, after each host, and after the sweep."""
    checks = _made(zone.checks, work)
    ids = {**work.checks, **_created_ids(work)}
    sets = {each.key: each for each in zone.sets}
    yield _zone(zone, sets, checks)
    for change in work.hosts:
        sets = changed(sets, change, ids, checks)
        yield _zone(zone, sets, checks)
    yield _zone(zone, sets, _swept(checks, work, sets.values()))


def changed(
    sets: Mapping[tuple[str, str, str], LiveSet],
    change: HostChange,
    ids: Mapping[str, str],
    checks: Mapping[str, LiveCheck],
) -> dict[tuple[str, str, str], LiveSet]:
    """Apply one host's changes as one batch, all its DELETEs before its CREATEs."""
    left = dict(sets)
    for each in change.changes:
        if each.before:
            if left.get(each.before.key) != each.before:
                raise Route53Refuses(f"{each.before.key} is not what the DELETE says")
            del left[each.before.key]
    for each in change.changes:
        if each.after:
            insert(left, _live(each.after, ids[each.after.address]))
            if ids[each.after.address] not in checks:
                raise Route53Refuses(f"{each.after.key} refers to no health check")
    return left


def insert(sets: dict[tuple[str, str, str], LiveSet], new: LiveSet) -> None:
    """CREATE one set.

    Raises:
        Route53Refuses: for a second set of a key or region, a second policy, or beside a CNAME.
    """
    siblings = [each for each in sets.values() if each.name == new.name]
    alike = [each for each in siblings if each.type == new.type]
    if new.key in sets or any(new.region and each.region == new.region for each in alike):
        raise Route53Refuses(f"{new.key} exists, or its region {new.region} is taken")
    if any(_policy(each) != _policy(new) for each in alike):
        raise Route53Refuses(f"{new.key} stands beside a set of another routing policy")
    if any((each.type == "CNAME") != (new.type == "CNAME") for each in siblings):
        raise Route53Refuses(f"{new.key} stands beside a CNAME, or is one")
    sets[new.key] = new


def _policy(each: LiveSet) -> str:
    if not each.set_identifier:
        return "simple"
    return "latency" if each.region else "weighted"


def live_check(reference: str, address: str, settings: CheckSettings) -> LiveCheck:
    """A health check as the account holds it after a CREATE."""
    return LiveCheck(
        id=reference.replace("/", "-"),
        caller_reference=reference,
        type=settings.type,
        address=address,
        port=settings.port,
        path=settings.path,
        domain_name=settings.domain_name,
        interval=settings.interval,
        failure_threshold=settings.failure_threshold,
    )


def _live(wanted: WantedSet, check: str) -> LiveSet:
    values = (wanted.address,)
    return LiveSet(*wanted.key, wanted.region, wanted.ttl, values, health_check_id=check)


def _made(checks: Iterable[LiveCheck], work: Plan) -> dict[str, LiveCheck]:
    made = {each.id: each for each in checks}
    references = {each.caller_reference for each in checks}
    for new in work.creations:
        created = live_check(f"{new.stem}{new.generation}", new.address, new.settings)
        if created.caller_reference in references:
            raise Route53Refuses(f"HealthCheckAlreadyExists: {created.caller_reference}")
        made[created.id] = created
    for update in work.updates:
        old = made[update.before.id]
        fresh = live_check(old.caller_reference, update.address, update.settings)
        if (fresh.type, fresh.interval) != (old.type, old.interval):
            raise Route53Refuses(f"type and interval of {old.id} cannot be updated")
        made[old.id] = replace(fresh, id=old.id, version=old.version + 1)
    return made


def _created_ids(work: Plan) -> dict[str, str]:
    return {
        each.address: live_check(f"{each.stem}{each.generation}", each.address, each.settings).id
        for each in work.creations
    }


def _swept(
    checks: Mapping[str, LiveCheck], work: Plan, sets: Iterable[LiveSet]
) -> dict[str, LiveCheck]:
    used = {each.health_check_id for each in sets}
    gone = {each.id for each in work.sweeps}
    if used & gone:
        raise Route53Refuses(f"{sorted(used & gone)} are still referred to")
    return {key: check for key, check in checks.items() if key not in gone}


def _zone(
    zone: LiveZone,
    sets: Mapping[tuple[str, str, str], LiveSet],
    checks: Mapping[str, LiveCheck],
) -> LiveZone:
    return replace(zone, sets=tuple(sets.values()), checks=tuple(checks.values()))
