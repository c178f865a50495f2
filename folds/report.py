"""A plan as people read it: a summary line, then one line per change, cut where it gets long."""

from __future__ import annotations

from typing import Protocol

from folds.changes import Plan
from folds.desired import Edge, Refusal
from policy.guards.words import count

LONGEST = 200  # lines; the rest is one command away


class LeftOut(Protocol):
    """What is not served as asked: a plan has it, and so have a stack's outputs."""

    @property
    def refused(self) -> tuple[Refusal, ...]:
        """Hosts and records that are left out."""

    @property
    def held(self) -> tuple[str, ...]:
        """Names that keep their live sets."""

    @property
    def serving(self) -> tuple[Edge, ...]:
        """The edges that answer."""

    @property
    def standby(self) -> tuple[Edge, ...]:
        """The edges whose place another one has."""


def headline(plan: Plan, managed: int) -> str:
    """Return ``+3 ~1 -2 of 840 record sets, 5 hosts``, with health checks where they change.

    Simple sets that are adopted are among the removals, and counted once more at the end.
    ``managed`` counts the live managed sets.
    """
    symbols = [change.symbol for host in plan.hosts for change in host.changes]
    counts = " ".join(f"{each}{symbols.count(each)}" for each in "+~-")
    checks = f"+{len(plan.creations)} ~{len(plan.updates)} -{len(plan.sweeps)}"
    health = "" if checks == "+0 ~0 -0" else f"; {checks} health checks"
    simple = len(plan.adopted)
    adopted = f"; {count(simple, 'simple set')} adopted" if simple else ""
    sets, hosts = count(managed, "record set"), count(len(plan.hosts), "host")
    return f"{counts} of {sets}, {hosts}{health}{adopted}"


def listing(lines: tuple[str, ...], command: str) -> str:
    """Return the lines, 200 at most, then the command that lists them all."""
    shown = list(lines[:LONGEST])
    if len(lines) > LONGEST:
        shown.append(f"and {len(lines) - LONGEST} more: {command}")
    return "\n".join(shown)


def remarks(left_out: LeftOut) -> tuple[str, ...]:
    """Return what was refused, held or is standing by, one line each, and why."""
    refused = [
        f"refused: {each.host or '(no host)'}{f' ({each.key})' if each.key else ''}: {each.reason}"
        for each in left_out.refused
    ]
    held = [f"held: {name}: its record is refused, its live sets stay" for name in left_out.held]
    taken = {(edge.type, edge.region): edge.box for edge in left_out.serving}
    standby = [
        f"standby: {edge.box} ({edge.address}): {taken[edge.type, edge.region]} answers in"
        f" {edge.region}, which takes one {edge.type} set"
        for edge in left_out.standby
    ]
    return (*refused, *held, *standby)
