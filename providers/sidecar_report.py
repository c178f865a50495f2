"""What a run did to a box's rows and what it did not: its lines, and what its failure says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from folds.report import LONGEST
from folds.sidecar_changes import Converge, Hold, Mint
from folds.sidecar_text import shown, word
from providers.sidecar_registry import Change
from registry.operations import Result

_NAMED = 20
_AGAIN = "run it again: the next run observes and goes on"
_DONE = ("done", "nothing to do")
_PAST = {"mint": "minted", "converge": "converged", "remove": "removed", "hold": "held"}


@dataclass(frozen=True, slots=True)
class Applied:
    """What came of a plan.

    ``made`` pairs each change that was dealt with and its result, in their order; ``kept`` each
    removal that no longer stood and why, ``declined`` each change that its host's claim did not let
    pass and why, which is no failure; ``stopped`` is why the registry ended the rest, or empty.
    """

    made: tuple[tuple[Change, Result], ...] = ()
    kept: tuple[tuple[Change, str], ...] = ()
    stopped: str = ""
    declined: tuple[tuple[Change, str], ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """One line for each change that was dealt with or not made after all."""
        said = [_told(change, result) for change, result in self.made]
        left = (*self.kept, *self.declined)
        said += [f"sidecars: {word(each.host)} is not {_past(each)}: {why}" for each, why in left]
        return tuple(said)

    @property
    def undone(self) -> tuple[str, ...]:
        """What was not done, and why: one phrase for each, or for all that the registry ended."""
        refused = [
            f"{word(result.operation.host)}: {shown(result.reason)}"
            for _, result in self.made
            if result.outcome not in _DONE
        ]
        kept = [f"{word(each.host)}: {why}" for each, why in self.kept]
        return (*refused, *kept, *([self.stopped] if self.stopped else ()))

    def failure(self, others: Sequence[str]) -> str:
        """Say in one line what makes the run fail, or return ``""`` where nothing does.

        ``others`` are failures that have nothing to do with the rows.
        """
        parts = []
        if self.undone:
            parts.append(f"done: {self._counts()}; not done: {named(self.undone)}")
            parts += [] if self.stopped else [_AGAIN]  # the registry's error says so itself
        if others:
            parts.insert(0, named(others))
        return f"sidecars: {'; '.join(parts)}" if parts else ""

    def _counts(self) -> str:
        done = [change for change, result in self.made if result.outcome in _DONE]
        counts = {verb: sum(_verb(each) == verb for each in done) for verb in _PAST}
        said = [f"{count} {_PAST[verb]}" for verb, count in counts.items()]
        return ", ".join(said if counts["hold"] else said[:-1])


def listing(lines: Sequence[str]) -> str:
    """Return the lines, 200 at most, and how many there are beyond."""
    more = len(lines) - LONGEST
    rest = [f"sidecars: and {more} more"] if more > 0 else []
    return "\n".join([*lines[:LONGEST], *rest])


def named(phrases: Sequence[str]) -> str:
    """Join phrases, 20 at most, and count the rest."""
    more = len(phrases) - _NAMED
    return "; ".join(phrases[:_NAMED]) + (f"; and {more} more" if more > 0 else "")


def _told(change: Change, result: Result) -> str:
    verb = _verb(change)
    host = word(change.host)
    if result.outcome == "nothing to do":
        return f"sidecars: {verb} {host}: {shown(result.reason)}"
    if result.outcome == "done":
        _, _, detail = change.line.split(" ", 2)
        return f"sidecars: {_PAST[verb]} {host}: {detail.removeprefix('held ')}"  # of a hold's line
    written = f"; written: {', '.join(result.written)}" if result.written else ""
    return f"sidecars: {verb} {host} {result.outcome}: {shown(result.reason)}{written}"


def _past(change: Change) -> str:
    return _PAST[_verb(change)]


def _verb(change: Change) -> str:
    if isinstance(change, Mint):
        return "mint"
    if isinstance(change, Hold):
        return "hold"
    return "converge" if isinstance(change, Converge) else "remove"
