"""Boxes in memory that share the claims of one bucket.

Each call of a port is a step of its box's `Trace`, which may end the process there, or let
something happen meanwhile. `tests.support.claim_fakes` has the ports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

from control.claims import Claim
from folds.claims import Place
from providers.claim_errors import ClaimChanged, ClaimError, ClaimReadFailed
from providers.claim_ports import Captured, Observed, Ownership, Permit
from tests.support.claim_samples import HOST, IE, KEY, NOW, SELECTED
from tests.support.fake_store import Crashed


def _nothing(_name: str) -> None:
    pass


@dataclass
class Trace:
    """The steps taken, by name; ``before`` is told of each, and may raise.

    ``stop`` is the number of a step and what happens there: ``crash`` and ``crash after`` end the
    process before or after it, ``failure`` fails it.
    """

    names: list[str] = field(default_factory=list)
    before: Callable[[str], None] = _nothing
    stop: tuple[int, str] = (-1, "")

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        number = len(self.names)
        self.names.append(name)
        self.before(name)
        if self.stop == (number, "failure"):
            raise ClaimReadFailed(HOST, "no answer")
        if self.stop == (number, "crash"):
            raise Crashed
        yield
        if self.stop == (number, "crash after"):
            raise Crashed


@dataclass
class World:
    """The bucket and the time. ``failure`` is what every read of a claim raises."""

    claims: dict[str, Claim] = field(default_factory=dict)
    etags: dict[str, str] = field(default_factory=lambda: {KEY: SELECTED.etag})
    now: datetime = NOW
    failure: ClaimError | None = None

    def read(self, host: str) -> Observed:
        if self.failure:
            raise self.failure
        return Observed(host, self.claims.get(host))


@dataclass(frozen=True)
class FakeRow:
    """A row: under whose claim it was written, who holds it, and how often it was written."""

    ownership: Ownership
    hold: str = ""
    writes: int = 1


def refused_write(row: FakeRow | None, permit: Permit, hold: str = "") -> str:
    """Say why a row may not be written: it is held, or of a newer claim."""
    if row is None:
        return ""
    if row.hold not in ("", hold):
        return f'its row is held by "{row.hold}"'
    ours, theirs = permit.ownership, row.ownership
    same = theirs.incarnation in ("", ours.incarnation)
    newer = theirs.stamp > ours.stamp or (theirs.stamp == ours.stamp and not same)
    return f"its row is of a newer claim, stamp {theirs.stamp}" if newer else ""


@dataclass
class FakeBox:
    """One box: its registry, its files about hosts, and its fence. ``place`` says which one."""

    world: World
    place: Place = IE
    trace: Trace = field(default_factory=Trace)
    rows: dict[str, FakeRow] = field(default_factory=dict)
    activations: dict[str, Captured] = field(default_factory=dict)
    inventories: dict[str, Captured] = field(default_factory=dict)
    fences: set[str] = field(default_factory=set)
    locks: set[str] = field(default_factory=set)
    on_commit: Callable[[str, FakeRow | None, Permit], None] = lambda _what, _new, _permit: None

    def mark(self, name: str) -> None:
        with self.trace.step(name):
            pass

    def write(self, permit: Permit) -> None:
        """Mint or converge: the caller's own write."""
        self._change("write", permit, lambda row: replace(row, ownership=permit.ownership))

    def remove(self, permit: Permit) -> None:
        """Delete the row; without one there is nothing to do."""
        self._change("remove", permit, lambda _: None)

    def _change(
        self, what: str, permit: Permit, change: Callable[[FakeRow], FakeRow | None]
    ) -> None:
        with self.trace.step(what):
            row = self.rows.get(HOST)
            if reason := refused_write(row, permit):
                raise ClaimChanged(HOST, reason)
            new = change(replace(row, writes=row.writes + 1) if row else FakeRow(permit.ownership))
            self.commit(what, permit, new)

    def commit(self, what: str, permit: Permit, new: FakeRow | None) -> None:
        """End the transaction: nobody sees its row before, and nobody gets it back after."""
        permit.confirm()
        with self.trace.step("commit"):
            self.on_commit(what, new, permit)
            if new:
                self.rows[HOST] = new
            else:
                self.rows.pop(HOST, None)
