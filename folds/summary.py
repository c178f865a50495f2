"""What the guards read of a steering plan."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable

from folds.changes import HostChange, Plan, SetChange
from folds.desired import Desired
from folds.hosts import under
from folds.steering import wanted_sets
from folds.waves import checks_peak
from folds.zone import LiveZone
from policy.guards.summary import Crowded, End, Shrinking, SplitAddress, SteeringSummary


def summarize(
    desired: Desired, live: LiveZone, plan: Plan, acknowledged: str = ""
) -> SteeringSummary:
    """Sum a plan up. ``acknowledged`` is the digest that the operator let through, or empty."""
    ours = Counter(each.name for each in live.sets if each.managed(desired.prefix))
    changes = [change for host in plan.hosts for change in host.changes]
    staying = {*plan.names, *plan.held}
    added = sum(change.before is None for change in changes)
    return SteeringSummary(
        zone=desired.zone,
        prefix=desired.prefix,
        managed=sum(count for name, count in ours.items() if name not in plan.held),
        desired=len(plan.names) * len(plan.serving),
        held=len(plan.held),
        live_hosts=sum(name != desired.edge_host for name in ours),
        vanished=tuple(sorted(set(ours) - staying - {*desired.withdrawn, desired.edge_host})),
        shrinking=_shrinking(desired, live, plan),
        additions=added,
        zone_after=len(live.sets) + added - len(plan.removals),
        zone_limit=desired.zone_limit,
        new_checks=len(plan.creations),
        checks_peak=checks_peak(plan, len(live.checks), desired.health_check_limit),
        health_check_limit=desired.health_check_limit,
        crowded=_crowded(plan),
        unchecked=_unchecked(desired, plan),
        repointed=sum(map(_repointed, changes)),
        split_addresses=_split(desired),
        ttl=desired.ttl,
        end=End(
            boxes=tuple(edge.box for edge in desired.edges),
            hosts=hashlib.sha256("\n".join(sorted(staying)).encode()).hexdigest(),
            hosts_go=bool(set(ours) - staying),
        ),
        acknowledged=acknowledged,
    )


def _shrinking(desired: Desired, live: LiveZone, plan: Plan) -> tuple[Shrinking, ...]:
    having = Counter((s.name, s.type) for s in live.sets if s.managed(desired.prefix))
    removed: Counter[tuple[str, str]] = Counter()
    added: Counter[tuple[str, str]] = Counter()
    for change in (change for host in plan.hosts for change in host.changes):
        if not (change.before and change.after):
            (added if change.after else removed)[change.key[:2]] += 1
    return tuple(
        Shrinking(
            name=name,
            type=kind,
            removed=count,
            added=added[name, kind],
            left=having[name, kind] - count + added[name, kind],
            asks=name in plan.names or name in plan.held or _edge_name(name, desired),
        )
        for (name, kind), count in sorted(removed.items())
    )


def _edge_name(name: str, desired: Desired) -> bool:
    """Say whether a name is an ``edge.<apps domain>``, the domain of an earlier run included."""
    tenant = bool(desired.domain) and under(name, desired.domain) and name != desired.edge_host
    return name.startswith("edge.") and not tenant


def _crowded(plan: Plan) -> tuple[Crowded, ...]:
    most = max(Counter(edge.type for edge in plan.serving).values(), default=0)
    values = {host.name: _values(host) for host in plan.hosts}
    over = [name for name, count in values.items() if count > 1000]  # noqa: PLR2004 - AWS's number
    crowded = over if most <= 100 else [*values]  # noqa: PLR2004 - AWS's number
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


def _repointed(change: SetChange) -> bool:
    return bool(
        change.before
        and change.after
        and (change.before.region, change.before.values)
        != (change.after.region, (change.after.address,))
    )


def _split(desired: Desired) -> tuple[SplitAddress, ...]:
    regions: dict[str, set[str]] = defaultdict(set)
    for edge in desired.edges:
        regions[edge.address].add(edge.region)
    return tuple(
        SplitAddress(address=address, regions=tuple(sorted(regions[address])))
        for address in sorted(regions)
        if len(regions[address]) > 1
    )


def removed_names(lines: Iterable[str]) -> frozenset[tuple[str, str, str]]:
    """Read the keys of removed sets back out of a plan's lines."""
    parts = (line.split(" ") for line in lines if line.startswith("- "))
    return frozenset((each[1], each[2], each[3]) for each in parts if each[1] != "health")
