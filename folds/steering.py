"""The steering fold: what the bucket asks for, against what the zone has, as a plan.

name                 live sets of ours   what happens to them
asked for, fits      any                 converge to one set per serving edge
to be adopted        any                 the same; simple sets of others go, see ``folds.adoption``
refused              some                held: nothing added, a set goes with its box
refused              none                nothing, it is reported
refused by Route 53  any                 frozen for the rest of this run
not asked for        some                removed
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from folds.changes import HostChange, Plan, SetChange, WantedSet
from folds.checks import Checks, checks_of, sweepable
from folds.desired import Desired, Edge
from folds.names import Names, names_of
from folds.placement import placed
from folds.zone import LiveSet, LiveZone


def plan(desired: Desired, live: LiveZone, frozen: frozenset[str] = frozenset()) -> Plan:
    """Work out every change from what is live to what is desired (behaviours 12-20, 40, 41).

    ``frozen`` are names to leave exactly as they are, because Route 53 refused their change.
    """
    managed = [each for each in live.sets if each.managed(*desired.prefixes)]
    foreign = [each for each in live.sets if not each.managed(*desired.prefixes)]
    ours = _by_name(managed)
    serving, standby = placed(desired.edges, managed, desired.prefixes)
    checks = checks_of(desired, live.checks)
    names = names_of(desired, live.name, foreign, serving, ours)
    changes = [*_changes(desired, names, ours, serving, checks, frozen)]
    return Plan(
        hosts=tuple(changes),
        creations=checks.creations,
        updates=checks.updates,
        sweeps=sweepable(checks, _referred(live, changes)),
        checks={address: check.id for address, check in checks.serving.items()},
        names=names.hosts,
        refused=names.refused,
        held=names.held,
        standby=standby,
        serving=serving,
    )


def wanted_sets(desired: Desired, serving: Iterable[Edge], name: str) -> tuple[WantedSet, ...]:
    """Return the latency sets of one host: one per serving edge."""
    return tuple(
        WantedSet(name, e.type, desired.prefix + e.box, e.region, desired.ttl, e.address)
        for e in serving
    )


def _by_name(sets: Iterable[LiveSet]) -> dict[str, tuple[LiveSet, ...]]:
    grouped: dict[str, list[LiveSet]] = defaultdict(list)
    for each in sets:
        grouped[each.name].append(each)
    return {name: tuple(sorted(grouped[name], key=lambda s: s.key)) for name in sorted(grouped)}


def _changes(
    desired: Desired,
    names: Names,
    ours: Mapping[str, tuple[LiveSet, ...]],
    serving: Sequence[Edge],
    checks: Checks,
    frozen: frozenset[str],
) -> Iterator[HostChange]:
    hosts, held = set(names.hosts), set(names.held)
    wanted = {each.key[1:]: each for each in wanted_sets(desired, serving, "")}
    for name in sorted({*hosts, *ours} - frozen):
        sets = ours.get(name, ())
        if name in held:
            changes = _held(sets, desired)
        else:
            gone = names.adopted.get(name, ())
            changes = [SetChange(each, None) for each in gone]
            changes += _converged(name, sets, wanted if name in hosts else {}, checks)
        if changes:
            yield HostChange(name, tuple(changes))


def _converged(
    name: str, sets: Iterable[LiveSet], wanted: Mapping[tuple[str, str], WantedSet], checks: Checks
) -> list[SetChange]:
    """Compare by type and identifier; ``wanted`` is what every host gets, without the name."""
    have = {(each.type, each.set_identifier): each for each in sets}
    pairs = [(have.get(key), wanted.get(key)) for key in sorted(have.keys() | wanted.keys())]
    return [
        SetChange(before, after and after.named(name))
        for before, after in pairs
        if not (before and after and _same(before, after, checks))
    ]


def _same(before: LiveSet, after: WantedSet, checks: Checks) -> bool:
    check = checks.serving.get(after.address)
    have = (before.region, before.ttl, before.values, before.health_check_id)
    return check is not None and have == (after.region, after.ttl, (after.address,), check.id)


def _held(sets: Iterable[LiveSet], desired: Desired) -> list[SetChange]:
    """Let a held set go only with its box, and never the last of its name and type."""
    edges = product(desired.prefixes, desired.edges)
    addresses = {prefix + edge.box: edge.address for prefix, edge in edges}
    by_type: dict[str, list[LiveSet]] = defaultdict(list)
    for each in sets:
        by_type[each.type].append(each)
    leaving: list[LiveSet] = []
    for kept in by_type.values():
        going = [each for each in kept if each.values != (addresses.get(each.set_identifier),)]
        leaving += going[1:] if len(going) == len(kept) else going
    return [SetChange(each, None) for each in sorted(leaving, key=lambda each: each.key)]


def _referred(live: LiveZone, changes: Iterable[HostChange]) -> set[str]:
    """Return the health checks that the zone's sets refer to once the changes are made."""
    gone = {change.before.key for host in changes for change in host.changes if change.before}
    return {each.health_check_id for each in live.sets if each.key not in gone}
