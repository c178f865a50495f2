"""From the changes of a plan to change batches, within what Route 53 takes in one request.

https://docs.aws.amazon.com/Route53/latest/APIReference/API_ChangeResourceRecordSets.html
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from folds.changes import HostChange, WantedSet
from route53.errors import HostTooLarge
from route53.names import encode
from route53.packing import Cost, pack

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """What one change batch may hold: ResourceRecord elements, characters in them, changes.

    An alias counts as one value; a DELETE counts like a CREATE.
    """

    values: int = 1000
    characters: int = 32_000
    changes: int = 1000


REAL_LIMITS = BatchLimits()


@dataclass(frozen=True, slots=True)
class HostDocuments:
    """The changes of one host as the API takes them, all DELETEs before the CREATEs.

    ``sets`` counts the record sets concerned: a replaced one is two documents.
    """

    name: str
    adds: bool
    sets: int
    documents: tuple[Document, ...]

    @property
    def cost(self) -> Cost:
        """Values, characters and changes, as ``BatchLimits`` has them."""
        sets = [each["ResourceRecordSet"] for each in self.documents]
        values = [[each["Value"] for each in one.get("ResourceRecords", ())] for one in sets]
        elements = sum(len(each) or 1 for each in values)
        return elements, sum(len(text) for each in values for text in each), len(sets)


Batch = tuple[HostDocuments, ...]
"""What goes into one request: whole hosts, by name."""


def batches(
    hosts: Iterable[HostChange], checks: Mapping[str, str], limits: BatchLimits = REAL_LIMITS
) -> tuple[Batch, ...]:
    """Distribute the hosts' changes over change batches; ``checks`` maps an address to its check.

    A host is never split, and batches that add come before those that only remove. The same hosts
    in any order give the same batches.

    Raises:
        HostTooLarge: if the changes of one host are over the limits.
    """
    rendered = [render(host, checks) for host in hosts]
    costs = {host.name: host.cost for host in rendered}
    capacity: Cost = (limits.values, limits.characters, limits.changes)
    for host in rendered:
        _admit(host.name, costs[host.name], limits)

    def largest_first(host: HostDocuments) -> tuple[float, str]:
        shares = (part / room for part, room in zip(costs[host.name], capacity, strict=True))
        return (-max(shares), host.name)

    ordered = sorted(rendered, key=largest_first)
    packed = [
        tuple(sorted((ordered[index] for index in indices), key=lambda host: host.name))
        for indices in pack([costs[host.name] for host in ordered], capacity)
    ]
    return tuple(sorted(packed, key=lambda batch: not any(host.adds for host in batch)))


def documents(batch: Batch) -> list[Document]:
    """Return the ``Changes`` of a request."""
    return [document for host in batch for document in host.documents]


def render(host: HostChange, checks: Mapping[str, str]) -> HostDocuments:
    """Return a host's changes as the API takes them; ``checks`` maps an address to its check."""
    deletes = [
        _change("DELETE", dict(each.before.document)) for each in host.changes if each.before
    ]
    creates = [
        _change("CREATE", _created(each.after, checks[each.after.address]))
        for each in host.changes
        if each.after
    ]
    return HostDocuments(host.name, host.adds, len(host.changes), (*deletes, *creates))


def _change(action: str, record_set: Document) -> Document:
    return {"Action": action, "ResourceRecordSet": record_set}


def _created(wanted: WantedSet, health_check_id: str) -> Document:
    return {
        "Name": encode(wanted.name),
        "Type": wanted.type,
        "SetIdentifier": wanted.set_identifier,
        "Region": wanted.region,
        "TTL": wanted.ttl,
        "ResourceRecords": [{"Value": wanted.address}],
        "HealthCheckId": health_check_id,
    }


def _admit(name: str, cost: Cost, limits: BatchLimits) -> None:
    for part, limit in zip(cost, fields(limits), strict=True):
        room = getattr(limits, limit.name)
        if part > room:
            reason = f"its changes need {part} {limit.name} in one batch, limit {room}"
            raise HostTooLarge(name, reason, "arm or withdraw fewer edges at once")
