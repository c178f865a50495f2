"""A sidecars plan as a value: what to change, and what becomes of every record and row."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from folds.sidecar_changes import Converge, Hold, Mint, Removal, Verdict
from folds.sidecar_verdicts import Seen, verdicts
from policy.guards.sidecars import SidecarSummary


@dataclass(frozen=True)
class SidecarPlan:
    """What to change, what was left alone and why, and what makes the run fail.

    Changes are sorted by host, and no host has two. ``rows`` are the hosts that have a row of the
    box's own once all is done, ``held`` those of them that somebody holds: they stay as they are.
    ``failures`` are lines for the end of the run: whatever else was done, it fails with them.
    ``digest`` is what lets the removals of ``held_back`` through, or what did; empty where no
    digest can or need. ``notices`` are warnings about whole apps. ``seen`` is what the plan was
    worked out from.
    """

    mints: tuple[Mint, ...]
    converges: tuple[Converge, ...]
    removals: tuple[Removal, ...]
    holds: tuple[Hold, ...]
    held_back: tuple[Removal, ...]
    rows: tuple[str, ...]
    held: tuple[str, ...]
    notices: tuple[str, ...]
    failures: tuple[str, ...]
    digest: str
    summary: SidecarSummary
    seen: Seen

    @property
    def empty(self) -> bool:
        """Whether there is nothing to write."""
        return not (self.mints or self.converges or self.removals or self.holds)

    @property
    def lines(self) -> tuple[str, ...]:
        """One line per change, removals first, each group in the order of its hosts."""
        return (
            *(each.line for each in self.removals),
            *(each.line for each in self.holds),
            *(each.line for each in self.converges),
            *(each.line for each in self.mints),
        )

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What becomes of each record, and of each sidecar row without one, by host and key."""
        return verdicts(self.seen)
