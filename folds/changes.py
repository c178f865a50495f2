"""A plan as a value: record set changes by host, health check changes, and their lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from folds.desired import CheckSettings, Edge, Refusal
from folds.words import SIMPLE, latency, simple, word
from folds.zone import LiveCheck, LiveSet

SWEEP = "- health check "
"""What the line of a health check that goes begins with; its id follows."""


@dataclass(frozen=True, slots=True)
class WantedSet:
    """A latency set to be: its health check is the one of its address."""

    name: str
    type: str
    set_identifier: str
    region: str
    ttl: int
    address: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What is unique in a zone: name, type, set identifier."""
        return (self.name, self.type, self.set_identifier)

    def named(self, name: str) -> WantedSet:
        """Return the same set of another name."""
        place = (self.type, self.set_identifier, self.region)
        return WantedSet(name, *place, self.ttl, self.address)


@dataclass(frozen=True, slots=True)
class SetChange:
    """One record set created (no ``before``), deleted (no ``after``) or replaced (both).

    Of the sets of others, only simple ones are ever deleted: those that are adopted.
    """

    before: LiveSet | None
    after: WantedSet | None

    @property
    def key(self) -> tuple[str, str, str]:
        """Name, type, set identifier."""
        one = self.before or self.after
        if one is None:
            raise ValueError("a change of nothing")
        return one.key

    @property
    def adopted(self) -> LiveSet | None:
        """The simple set of others that goes, if it is one: what is ours has an identifier."""
        return None if self.before is None or self.before.set_identifier else self.before

    @property
    def symbol(self) -> str:
        """``-``, ``~`` or ``+``."""
        if self.after is None:
            return "-"
        return "~" if self.before else "+"

    @property
    def line(self) -> str:
        """One line for people: ``~ host A carlos-steering/ie-1 eu-west-1 a ttl=60 -> ...``.

        A set that is adopted has ``(simple)`` for its identifier: ``- host A (simple) a ttl=300``.
        """
        if self.adopted:
            return f"- {' '.join(map(word, self.key[:2]))} {SIMPLE} {simple(self.adopted)}"
        old = self.before and latency(self.before.region, self.before.values, self.before.ttl)
        new = self.after and latency(self.after.region, (self.after.address,), self.after.ttl)
        shown = f"{old} -> {new}" if old and new else old or new
        if old == new:
            shown = f"{new} (health check)"
        return f"{self.symbol} {' '.join(map(word, self.key))} {shown}"


@dataclass(frozen=True, slots=True)
class HostChange:
    """All changes of one name: they stay in one change batch."""

    name: str
    changes: tuple[SetChange, ...]

    @property
    def adds(self) -> bool:
        """Whether anything is created."""
        return any(change.after for change in self.changes)


@dataclass(frozen=True, slots=True)
class CheckCreation:
    """A health check to create. A reference is ``stem`` + ``generation``, at most 64 characters."""

    address: str
    stem: str
    generation: int
    settings: CheckSettings


@dataclass(frozen=True, slots=True)
class CheckUpdate:
    """A health check whose settings or address differ, to be updated in place."""

    before: LiveCheck
    address: str
    settings: CheckSettings


@dataclass(frozen=True, slots=True)
class Plan:
    """What to change, and what was left alone and why.

    It is the whole difference; ``folds.waves`` cuts it where quota is short. ``hosts`` are in the
    order of their names, the changes of each in the order of their keys. ``checks`` gives each
    address the id of its existing check, ``names`` are the hosts that converge, ``serving`` their
    edges. ``refused``, ``held`` (names) and ``standby`` are reports: they change nothing.
    """

    hosts: tuple[HostChange, ...]
    creations: tuple[CheckCreation, ...]
    updates: tuple[CheckUpdate, ...]
    sweeps: tuple[LiveCheck, ...]
    checks: Mapping[str, str]
    names: tuple[str, ...]
    refused: tuple[Refusal, ...]
    held: tuple[str, ...]
    standby: tuple[Edge, ...]
    serving: tuple[Edge, ...]

    @property
    def empty(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.hosts or self.creations or self.updates or self.sweeps)

    @property
    def adopted(self) -> tuple[LiveSet, ...]:
        """The simple sets of others that go, in the order of their keys."""
        changes = (change for host in self.hosts for change in host.changes)
        return tuple(change.adopted for change in changes if change.adopted)

    @property
    def removals(self) -> frozenset[tuple[str, str, str]]:
        """Keys of the sets that go without a successor of the same key, adopted ones too."""
        return frozenset(
            change.key for host in self.hosts for change in host.changes if change.after is None
        )

    @property
    def lines(self) -> tuple[str, ...]:
        """One line per change, removals first, each group in the order of its key."""
        lines: dict[str, list[str]] = {"-": [], "~": [], "+": []}
        for host in self.hosts:
            for change in host.changes:
                lines[change.symbol].append(change.line)
        return (
            *lines["-"],
            *map(sweep_line, self.sweeps),
            *lines["~"],
            *lines["+"],
            *(f"~ health check {word(each.before.id)} {each.address}" for each in self.updates),
            *(f"+ health check {each.stem} {each.address}" for each in self.creations),
        )


def sweep_line(check: LiveCheck) -> str:
    """Return one line for a health check that goes."""
    return f"{SWEEP}{word(check.id)} {word(check.address)}"
