"""The report: what the next run of a stack would do, and whether it would be let."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from policy.guards import Violation

State = Literal["not read", "nothing to do", "changes", "fails", "refused", "unknown"]


@dataclass(frozen=True, slots=True)
class WayOut:
    """What lets exactly this end through: digest, the variable's value, the whole command."""

    digest: str
    value: str
    command: str


@dataclass(frozen=True, slots=True)
class Report:
    """A plan and its verdict. Every text is one printable line.

    ``subject`` follows the stack's name. ``changes`` are a line each, removals first, ``staying``
    what is looked at and left as it is, ``remarks`` what is refused by itself, held or standing by.
    ``failures`` are what the run would fail with at its end, the rest done; ``violations`` what the
    guards say. ``way_out`` is there where something stops or fails the run and a digest answers all
    of it. Not ``read``: the subject is all there is to tell. ``error`` says why nothing is known.
    ``details`` are what the kind of stack has besides, ready for JSON.
    """

    stack: str
    kind: str = ""
    subject: str = ""
    headline: str = ""
    changes: tuple[str, ...] = ()
    staying: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    violations: tuple[Violation, ...] = ()
    way_out: WayOut | None = None
    read: bool = True
    error: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def refusals(self) -> tuple[Violation, ...]:
        """The violations that stop a run before it changes anything."""
        return tuple(each for each in self.violations if each.level == "mandatory")

    @property
    def failing(self) -> bool:
        """Whether the run would fail."""
        return bool(self.refusals or self.failures)

    @property
    def state(self) -> State:
        """The verdict in a word or two."""
        known: dict[State, bool] = {
            "unknown": bool(self.error),
            "not read": not self.read,
            "refused": bool(self.refusals),
            "fails": bool(self.failures),
            "changes": bool(self.changes),
        }
        return next((state for state, holds in known.items() if holds), "nothing to do")
