"""What a native run may do to its resources, and what it has to. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field

from folds.changes import sweep_line
from folds.native import Declared, Key, NativeCheck, resource_name
from folds.native_checks import identity, spare
from stacks.decision import Decision


@dataclass(frozen=True, slots=True)
class Taken:
    """The set whose place another one takes, and the name of its resource."""

    key: Key
    resource: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a run may do, and what it has seen live.

    ``sets`` and ``checks`` (ids) may be deleted, and so may what is in neither ``live_sets`` nor
    ``live_checks``. ``going`` are the sets and checks that the engine has to delete, each with its
    line of the plan: other sets it changes into what takes their place. ``existing`` are the
    resources whose set is live, and may not be created. ``changes`` are the resources that have to
    change, each with its line. ``users`` gives the checks (ids) the sets that refer to them and
    have to be deleted first, ``takes`` the resources that can come only in another one's place.
    Without a ``zone`` nothing was read, and nothing may be deleted.
    """

    zone: str = ""
    sets: frozenset[Key] = frozenset()
    going: Mapping[Key | str, str] = field(default_factory=dict)
    checks: frozenset[str] = frozenset()
    live_sets: frozenset[Key] = frozenset()
    live_checks: frozenset[str] = frozenset()
    existing: frozenset[str] = frozenset()
    changes: Mapping[str, str] = field(default_factory=dict)
    users: Mapping[str, frozenset[Key]] = field(default_factory=dict)
    takes: Mapping[str, Taken] = field(default_factory=dict)

    def may_delete_set(self, zone: str, key: Key) -> bool:
        """Say whether the record of a set may be deleted: its zone is part of its identity."""
        known = bool(self.zone) and zone == self.zone
        return known and (key in self.sets or key not in self.live_sets)

    def may_delete_check(self, identifier: str) -> bool:
        """Say whether a health check may be deleted."""
        known = bool(self.zone)
        return known and (identifier in self.checks or identifier not in self.live_checks)


def allowed(decision: Decision, declared: Declared, takes: Mapping[Key, Key]) -> Allowed:
    """Return what the run of a plan may do. ``takes`` gives a set the one that goes as it comes."""
    desired, live, plan = decision.desired, decision.live, decision.plan
    live_sets = frozenset(each.key for each in live.sets)
    going = dict(_going(decision, takes.values()))
    swept = {each.id for each in (*plan.sweeps, *spare(desired, live))}
    return Allowed(
        zone=desired.zone,
        sets=plan.removals,
        going=going,
        checks=frozenset(swept),
        live_sets=live_sets,
        live_checks=frozenset(each.id for each in live.checks),
        existing=frozenset(each.resource for each in declared.sets if each.key in live_sets),
        changes=dict(_changes(decision, declared)),
        users=_users(decision, going),
        takes={
            resource_name(key, desired.prefix): Taken(old, resource_name(old, desired.prefix))
            for key, old in takes.items()
        },
    )


def _going(decision: Decision, taken: Container[Key]) -> Iterator[tuple[Key | str, str]]:
    """Yield what the engine has to delete. Of checks of one identity the state has one at most."""
    plan = decision.plan
    for change in (change for host in plan.hosts for change in host.changes):
        if change.after is None and change.key not in taken:
            yield change.key, change.line
    swept = {identity(each) for each in plan.sweeps}
    doubles = (each for each in spare(decision.desired, decision.live) if identity(each) in swept)
    for check in (*plan.sweeps, *doubles):
        yield check.id, sweep_line(check)


def _users(decision: Decision, going: Container[object]) -> dict[str, frozenset[Key]]:
    users: dict[str, set[Key]] = defaultdict(set)
    for each in (each for each in decision.live.sets if each.key in going):
        users[each.health_check_id].add(each.key)
    return {check: frozenset(keys) for check, keys in users.items()}


def _changes(decision: Decision, declared: Declared) -> Iterator[tuple[str, str]]:
    """Yield each resource that is made or changed, and the line that says so."""
    plan, settings = decision.plan, decision.desired.check
    named = {each.key: each.resource for each in declared.sets}
    for change in (change for host in plan.hosts for change in host.changes):
        if change.after:
            yield named[change.key], change.line
    updated = (each.address for each in plan.updates)
    for address in (*(each.address for each in plan.creations), *updated):
        yield NativeCheck(address, settings).name, f"health check of {address}"
