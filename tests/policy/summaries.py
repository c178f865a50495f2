"""Summaries that pass every rule, and one mutation of each that breaks it alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from policy.guards import SteeringSummary

Fields = Mapping[str, Any]

# Eight managed sets: hosts a and b on four boxes, of which nothing changes.
QUIET: Fields = {
    "zone": "Z1",
    "prefix": "carlos-steering/",
    "former": "",
    "managed": 8,
    "desired": 8,
    "held": 0,
    "liveHosts": 2,
    "vanished": [],
    "shrinking": [],
    "adopted": [],
    "formerSets": 0,
    "additions": 0,
    "zoneAfter": 8,
    "zoneLimit": 10_000,
    "newChecks": 0,
    "checksPeak": 4,
    "healthCheckLimit": 200,
    "crowded": [],
    "unchecked": [],
    "repointed": 0,
    "splitAddresses": [],
    "ttl": 60,
    "end": {
        "boxes": ["ie-1 A eu-west-1"],
        "hosts": "0" * 64,
        "hostsGo": False,
        "adopted": "0" * 64,
    },
    "acknowledged": "",
}


def shrinking(
    name: str, removed: int, left: int = 9, replaced: int = 0, *, asks: bool = True
) -> Fields:
    """One (name, type) that loses sets."""
    return {
        "name": name,
        "type": "A",
        "removed": removed,
        "replaced": replaced,
        "left": left,
        "asks": asks,
    }


def adopted(name: str, *values: str) -> Fields:
    """One simple set of others that goes."""
    addresses = list(values or ("3.80.0.1",))
    return {"name": name, "type": "A", "values": addresses, "ttl": 300, "healthCheck": ""}


# By rule: fields that still pass, next to fields that break it.
CASES: Mapping[str, tuple[Fields, Fields]] = {
    "steering-empty-desired": ({"desired": 0, "held": 1}, {"desired": 0}),
    "steering-shrink": (
        {"shrinking": [shrinking("a", 2), shrinking("b", 2)]},
        {"shrinking": [shrinking("a", 3), shrinking("b", 2)]},
    ),
    "steering-host-emptied": (
        {"shrinking": [shrinking("a", 1, left=1)]},
        {"shrinking": [shrinking("a", 1, left=0)]},
    ),
    "steering-host-vanished": (
        {"vanished": ["a", "b", "c"], "liveHosts": 9},
        {"vanished": ["a", "b", "c", "d"], "liveHosts": 39},
    ),
    "steering-takeover": ({"adopted": []}, {"adopted": [adopted("a")]}),
    "steering-former-prefix": ({"former": "old/"}, {"former": "old/", "formerSets": 1}),
    "steering-limits": (
        {"additions": 1, "zoneAfter": 10_000},
        {"additions": 1, "zoneAfter": 10_001},
    ),
    "steering-health-checks": ({}, {"unchecked": ["a A carlos-steering/ie-1"]}),
    "steering-split-address": (
        {},
        {"splitAddresses": [{"address": "3.80.0.1", "regions": ["eu-west-1", "us-east-1"]}]},
    ),
    "steering-mass-repoint": ({"repointed": 4}, {"repointed": 5}),
    "steering-ttl": ({"ttl": 60}, {"ttl": 61}),
}


def fields(changes: Fields | None = None, **more: object) -> dict[str, Any]:
    """Return the wire form of the quiet summary with changes."""
    return {**QUIET, **(changes or {}), **more}


def summary(changes: Fields | None = None, **more: object) -> SteeringSummary:
    """Return the quiet summary with changes."""
    return SteeringSummary.model_validate(fields(changes, **more))
