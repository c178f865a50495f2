"""What the native realizer declares: one record for each latency set, one check for each address.

A program that declares resources says what there is to be, not what changes, and the engine deletes
what is declared no more. So a plan's end is declared: what it makes, and what it leaves as it is,
the sets of held hosts and their checks too.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass

from folds.changes import Plan, WantedSet
from folds.checks import owner
from folds.desired import CheckSettings, Desired
from folds.native_checks import Identity, identity
from folds.zone import LiveCheck, LiveSet, LiveZone

Key = tuple[str, str, str]
"""Name, type and set identifier of a record set."""


@dataclass(frozen=True, slots=True)
class NativeCheck:
    """A health check to declare: where it probes, and how."""

    address: str
    settings: CheckSettings

    @property
    def identity(self) -> Identity:
        """What it keeps for life."""
        return (self.address, self.settings.type, self.settings.interval)

    @property
    def name(self) -> str:
        """The resource's name, ``192.0.2.1/HTTPS/30``; IPv6 is written out: ``::`` parts a URN."""
        written = ipaddress.ip_address(self.address).exploded
        return f"{written}/{self.settings.type}/{self.settings.interval}"


@dataclass(frozen=True, slots=True)
class NativeSet:
    """A latency record set to declare.

    ``resource`` is the resource's name. ``check`` names the declared check that it refers to; a set
    that refers to none of them has its id in ``check_id``, which may be empty.
    """

    resource: str
    name: str
    type: str
    set_identifier: str
    region: str
    ttl: int
    values: tuple[str, ...]
    check: str
    check_id: str

    @property
    def key(self) -> Key:
        """What is unique in a zone."""
        return (self.name, self.type, self.set_identifier)


@dataclass(frozen=True, slots=True)
class Declared:
    """All that a run declares, in the order of the resources' names."""

    checks: tuple[NativeCheck, ...]
    sets: tuple[NativeSet, ...]


def resource_name(key: Key, prefix: str) -> str:
    """Return the name of a set's resource, ``api.bab.example.com/A/ie-1``."""
    name, kind, identifier = key
    return f"{name}/{kind}/{identifier.removeprefix(prefix)}"


def declared(desired: Desired, live: LiveZone, plan: Plan) -> Declared:
    """Return the end of a plan as resources. ``live`` is the zone that the plan was made for."""
    wanted = {edge.address: NativeCheck(edge.address, desired.check) for edge in desired.edges}
    checks = _by_id(desired, live, plan, wanted)
    changed = [change for host in plan.hosts for change in host.changes]
    touched = {change.key for change in changed}
    sets = [
        *(_as_live(each, desired, checks) for each in _untouched(desired, live, touched)),
        *(_as_wanted(each.after, desired, wanted) for each in changed if each.after),
    ]
    return Declared(
        checks=tuple(sorted({*wanted.values(), *checks.values()}, key=lambda each: each.name)),
        sets=tuple(sorted(sets, key=lambda each: each.resource)),
    )


def _untouched(desired: Desired, live: LiveZone, touched: Container[Key]) -> Iterator[LiveSet]:
    managed = (each for each in live.sets if each.managed(desired.prefix))
    return (each for each in managed if each.key not in touched)


def _by_id(
    desired: Desired, live: LiveZone, plan: Plan, wanted: Mapping[str, NativeCheck]
) -> dict[str, NativeCheck]:
    """Return our live checks that stay: those of armed addresses, and those still referred to.

    A name stands for one identity, so that of several checks with one only the first is declared.
    """
    serving = {plan.checks[each]: check for each, check in wanted.items() if each in plan.checks}
    going = {each.id for each in plan.sweeps}
    ours = [c for c in live.checks if c.caller_reference.startswith(owner(*_place(desired)))]
    kept: dict[Identity, LiveCheck] = {}
    for each in sorted(ours, key=lambda each: (len(each.caller_reference), each.caller_reference)):
        if each.id not in going:
            kept.setdefault(identity(each), each)
    return {**{each.id: _as_it_is(each, desired) for each in kept.values()}, **serving}


def _place(desired: Desired) -> tuple[str, str]:
    return (desired.zone, desired.prefix)


def _as_it_is(check: LiveCheck, desired: Desired) -> NativeCheck:
    """Return a check that stays with its own settings: it is not put right."""
    fields = ("type", "port", "path", "domain_name", "interval", "failure_threshold")
    own = {field: getattr(check, field) for field in fields}
    return NativeCheck(check.address, desired.check.model_copy(update=own))


def _as_live(each: LiveSet, desired: Desired, checks: Mapping[str, NativeCheck]) -> NativeSet:
    check = checks.get(each.health_check_id)
    return NativeSet(
        resource=resource_name(each.key, desired.prefix),
        name=each.name,
        type=each.type,
        set_identifier=each.set_identifier,
        region=each.region,
        ttl=each.ttl,
        values=each.values,
        check=check.name if check else "",
        check_id="" if check else each.health_check_id,
    )


def _as_wanted(each: WantedSet, desired: Desired, wanted: Mapping[str, NativeCheck]) -> NativeSet:
    return NativeSet(
        resource=resource_name(each.key, desired.prefix),
        name=each.name,
        type=each.type,
        set_identifier=each.set_identifier,
        region=each.region,
        ttl=each.ttl,
        values=(each.address,),
        check=wanted[each.address].name,
        check_id="",
    )
