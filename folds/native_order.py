"""What native resources cannot do at once: the engine makes and changes first, and deletes last.

Route 53 takes one latency set per name, type and region. Where a set comes for one that goes, in
its region, the new resource takes the old one's place in the state, and the provider replaces both
in one change batch. Where the set that comes is one that moves, nothing can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from folds.changes import Plan, SetChange
from folds.native import Key
from folds.zone import LiveSet


@dataclass(frozen=True, slots=True)
class Blocked:
    """A set that would move into a region while another set still answers there."""

    set: Key
    region: str
    holder: Key


@dataclass(frozen=True, slots=True)
class Order:
    """``takes`` gives each set that comes the one whose place it takes, by key."""

    takes: Mapping[Key, Key]
    blocked: tuple[Blocked, ...]

    @property
    def refusal(self) -> str:
        """Why none of it can be done, and the way out; empty if all can."""
        if not self.blocked:
            return ""
        first = self.blocked[0]
        return (
            f"steering: {len(self.blocked)} sets move into a region while another still answers"
            f" there, limit 0 for the realizer native, which removes last (the first:"
            f" {' '.join(first.set)} to {first.region}, where {first.holder[2]} is); disarm the box"
            " that moves, or put it back where it is live, run, and move it then"
        )


def order(plan: Plan, live: Iterable[LiveSet]) -> Order:
    """Find where a region changes hands. ``live`` are the zone's sets, foreign ones too."""
    holders = {(*each.key[:2], each.region): each.key for each in live}
    leaving = plan.removals
    takes: dict[Key, Key] = {}
    blocked: list[Blocked] = []
    for change, region in _arrivals(plan):
        holder = holders.get((*change.key[:2], region), change.key)
        if holder == change.key:
            continue
        if change.before is None and holder in leaving:
            takes[change.key] = holder
        else:
            blocked.append(Blocked(change.key, region, holder))
    return Order(takes, tuple(blocked))


def _arrivals(plan: Plan) -> Iterator[tuple[SetChange, str]]:
    """Yield each set that comes to a region, and the region."""
    for change in (change for host in plan.hosts for change in host.changes):
        if change.after and (change.before is None or change.before.region != change.after.region):
            yield change, change.after.region
