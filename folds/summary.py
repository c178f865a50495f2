"""What the guards read of a steering plan."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from urllib.parse import unquote

from folds.changes import HostChange, Plan
from folds.desired import Desired, Edge
from folds.hosts import under
from folds.steering import wanted_sets
from folds.waves import checks_peak
from folds.words import SIMPLE
from folds.zone import LiveSet, LiveZone
from policy.guards.findings import SETS_LIMIT, VALUES_LIMIT
from policy.guards.summary import (
    Adopted,
    Crowded,
    End,
    Shrinking,
    SplitAddress,
    SteeringSummary,
)

_ByType = dict[tuple[str, str], list[str]]


def summarize(
    desired: Desired, live: LiveZone, plan: Plan, acknowledged: str = ""
) -> SteeringSummary:
    """Sum a plan up. ``acknowledged`` is the digest that the operator let through, or empty."""
    having = Counter((s.name, s.type) for s in live.sets if s.managed(*desired.prefixes))
    names, held = {name for name, _ in having}, set(plan.held)
    staying = {*plan.names, *plan.held}
    added = sum(change.before is None for host in plan.hosts for change in host.changes)
    return SteeringSummary(
        zone=desired.zone,
        prefix=desired.prefix,
        former=desired.former,
        managed=sum(count for (name, _), count in having.items() if name not in held),
        desired=len(plan.names) * len(plan.serving),
        held=len(plan.held),
        live_hosts=len(names - {desired.edge_host}),
        vanished=tuple(sorted(names - staying - {*desired.withdrawn, desired.edge_host})),
        shrinking=_shrinking(desired, having, plan),
        adopted=tuple(map(_adopted, plan.adopted)),
        former_sets=_former(desired, plan),
        additions=added,
        zone_after=len(live.sets) + added - len(plan.removals),
        zone_limit=desired.zone_limit,
        new_checks=len(plan.creations),
        checks_peak=checks_peak(plan, len(live.checks), desired.health_check_limit),
        health_check_limit=desired.health_check_limit,
        crowded=_crowded(plan),
        unchecked=_unchecked(desired, plan),
        repointed=sum(map(_repointed, plan.hosts)),
        split_addresses=_split(plan.serving),
        ttl=desired.ttl,
        end=End(
            boxes=tuple(f"{edge.box} {edge.type} {edge.region}" for edge in desired.edges),
            hosts=_digest(staying),
            hosts_go=bool(names - staying),
            adopted=_digest({*desired.adopt} & {*plan.names}),
        ),
        acknowledged=acknowledged,
    )


def _digest(names: Iterable[str]) -> str:
    text = "\n".join(sorted(names))
    return hashlib.sha256(text.encode()).hexdigest()


def _former(desired: Desired, plan: Plan) -> int:
    if not desired.former:
        return 0
    going = (change.before for host in plan.hosts for change in host.changes)
    return sum(bool(each and each.managed(desired.former)) for each in going)


def _adopted(gone: LiveSet) -> Adopted:
    return Adopted(
        name=gone.name,
        type=gone.type,
        values=tuple(sorted(gone.values)),
        ttl=gone.ttl,
        health_check=gone.health_check_id,
    )


def _shrinking(
    desired: Desired, having: Mapping[tuple[str, str], int], plan: Plan
) -> tuple[Shrinking, ...]:
    asking = {*plan.names, *plan.held}
    removed, added = _regions(plan)
    return tuple(
        Shrinking(
            name=name,
            type=kind,
            removed=len(regions),
            replaced=len(set(regions) & set(added[name, kind])),
            left=having[name, kind] - len(regions) + len(added[name, kind]),
            asks=name in asking or _edge_name(name, desired),
        )
        for (name, kind), regions in sorted(removed.items())
    )


def _regions(plan: Plan) -> tuple[_ByType, _ByType]:
    """Return the regions of the sets that go, and of those that come, by name and type."""
    removed: _ByType = defaultdict(list)
    added: _ByType = defaultdict(list)
    for change in (change for host in plan.hosts for change in host.changes):
        if change.before and not change.after and not change.adopted:
            removed[change.key[:2]].append(change.before.region)
        elif change.after and not change.before:
            added[change.key[:2]].append(change.after.region)
    return removed, added


def _edge_name(name: str, desired: Desired) -> bool:
    """Say whether a name is an ``edge.<apps domain>``, the domain of an earlier run included."""
    tenant = bool(desired.domain) and under(name, desired.domain) and name != desired.edge_host
    return name.startswith("edge.") and not tenant


def _crowded(plan: Plan) -> tuple[Crowded, ...]:
    most = max(Counter(edge.type for edge in plan.serving).values(), default=0)
    values = {host.name: _values(host) for host in plan.hosts}
    over = [name for name, count in values.items() if count > VALUES_LIMIT]
    crowded = over if most <= SETS_LIMIT else [*values]
    return tuple(Crowded(name=name, values=values[name], sets=most) for name in sorted(crowded))


def _values(host: HostChange) -> int:
    return sum(
        (len(change.before.values) or 1 if change.before else 0) + bool(change.after)
        for change in host.changes
    )


def _unchecked(desired: Desired, plan: Plan) -> tuple[str, ...]:
    checked = {*plan.checks, *(each.address for each in plan.creations)}
    bare = [edge for edge in plan.serving if edge.address not in checked]
    names = [each.key for name in plan.names for each in wanted_sets(desired, bare, name)]
    return tuple(" ".join(key) for key in sorted(names))


def _repointed(host: HostChange) -> int:
    """Count the sets that other addresses or regions take the place of, under any identifier."""
    ours = [each for each in host.changes if not each.adopted]
    before = {(each.before.region, each.before.values) for each in ours if each.before}
    after = {(each.after.region, (each.after.address,)) for each in host.changes if each.after}
    return min(len(before - after), len(after - before))


def _split(serving: Iterable[Edge]) -> tuple[SplitAddress, ...]:
    regions: dict[str, set[str]] = defaultdict(set)
    for edge in serving:
        regions[edge.address].add(edge.region)
    return tuple(
        SplitAddress(address=address, regions=tuple(sorted(regions[address])))
        for address in sorted(regions)
        if len(regions[address]) > 1
    )


def removed_names(lines: Iterable[str]) -> frozenset[tuple[str, str, str]]:
    """Read the keys of removed sets back out of a plan's lines."""
    parts = (line.split(" ") for line in lines if line.startswith("- "))
    sets = (each[1:4] for each in parts if each[1:3] != ["health", "check"])
    return frozenset(
        (unquote(name), kind, "" if identifier == SIMPLE else unquote(identifier))
        for name, kind, identifier in sets
    )
