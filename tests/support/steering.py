"""A steering deployment as plain values: what the bucket says and what is live."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from control.records import Edge, Instance
from control.scan import SteeringDocuments
from folds.zone import LiveZone
from stacks.decision import Decision, decide
from stacks.observation import Observation
from stacks.settings import SteeringSettings
from tests.folds.model import applied, simple
from tests.support.zones import APEX, PREFIX, ZONE

REGIONS = ("eu-west-1", "eu-west-2", "us-east-1", "ap-southeast-2")


def edge(number: int, *, armed: bool = True, **changes: Any) -> Edge:
    """The edges file of box ``b<number>``; its region and address follow its number."""
    values = {
        "box": f"b{number}",
        "aws_region": REGIONS[number % len(REGIONS)],
        "address": f"192.0.2.{number + 1}",
        "armed": armed,
    }
    return Edge(**{**values, **changes})


def host_of(name: str) -> str:
    """The host that `record` asks for."""
    return f"{name}.bab.{APEX}"


def record(name: str, **changes: Any) -> Instance:
    """The record of ``<name>.bab.<apps domain>``, steered unless the changes say otherwise."""
    host = host_of(name)
    values = {"app": name, "name": host, "host": host, "steering": "latency", "pool": ""}
    key = f"apps/bab/{name}/instances/{host}.json"
    return Instance(key=key, account="bab", **{**values, **changes})


def documents(edges: Iterable[Edge] = (), records: Iterable[Instance] = ()) -> SteeringDocuments:
    """What a bucket holds."""
    return SteeringDocuments(tuple(edges), tuple(records))


def settings(**changes: Any) -> SteeringSettings:
    """An armed stack of the test zone."""
    values = {"zone_id": ZONE, "bucket": "control", "apps_domain": APEX, "wait_for_sync": False}
    return SteeringSettings(**{**values, **changes})


def observed(
    boxes: int = 4, hosts: Iterable[str] = ("a", "b"), live: LiveZone | None = None
) -> Observation:
    """A bucket of so many armed boxes and steered hosts, and what is live: nothing by default."""
    held = documents(map(edge, range(boxes)), map(record, hosts))
    return Observation(held, live or LiveZone(ZONE, APEX, (), ()))


def converged(boxes: int = 4, hosts: Iterable[str] = ("a", "b")) -> LiveZone:
    """The zone that a converged stack leaves."""
    seen = observed(boxes, hosts)
    return applied(seen.live, decide(settings(), seen).plan)


def shrunk(acknowledged: str = "") -> Decision:
    """Of four live boxes one is left, and two hosts: refused by steering-shrink alone."""
    return decide(settings(), observed(1, live=converged()), acknowledged)


def adopting(acknowledged: str = "") -> Decision:
    """Two hosts, of which one has a simple set that is to be adopted: steering-takeover alone."""
    live = LiveZone(ZONE, APEX, (simple(host_of("a"), "192.0.2.1"),), ())
    return decide(settings(adopt=(host_of("a"),)), observed(live=live), acknowledged)


__all__ = [
    "APEX",
    "PREFIX",
    "REGIONS",
    "ZONE",
    "adopting",
    "converged",
    "documents",
    "edge",
    "host_of",
    "observed",
    "record",
    "settings",
    "shrunk",
]
