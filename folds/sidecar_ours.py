"""Which of a registry's rows are the box's own, and what may be done to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter

from control.sidecar_keys import SidecarKey
from folds.sidecar_desired import SidecarDesired, Wanted
from folds.sidecar_rows import Row, Rows, in_scope, minted_key, owned_for


@dataclass(frozen=True, slots=True)
class Ours:
    """The box's rows, each kind in the order of their hosts.

    ``described`` are those that a record of this box describes, also where they are still of
    another scope; ``minted`` those that a pass has minted in the box's scope, with the key each was
    minted for. Most rows are both.
    """

    described: tuple[tuple[Row, Wanted], ...]
    minted: tuple[tuple[Row, SidecarKey], ...]

    @property
    def removable(self) -> Mapping[str, tuple[Row, SidecarKey]]:
        """What this pass may remove, by host: what it has minted, and nobody holds."""
        return {row.host: (row, key) for row, key in self.minted if not row.hold}

    @property
    def rows(self) -> Mapping[str, Row]:
        """All of them by host."""
        return {row.host: row for row, _ in (*self.minted, *self.described)}

    @property
    def held(self) -> tuple[str, ...]:
        """The hosts of those that somebody holds, sorted: they stay as they are."""
        return tuple(sorted(host for host, row in self.rows.items() if row.hold))


def ours_of(desired: SidecarDesired, rows: Rows) -> Ours:
    """Find the box's rows among all."""
    ordered = sorted(rows.rows, key=attrgetter("host"))
    return Ours(_described(desired, ordered), _minted(desired, ordered))


def _described(desired: SidecarDesired, rows: Iterable[Row]) -> tuple[tuple[Row, Wanted], ...]:
    wanted = {each.host: each for each in desired.wanted}
    pairs = [(row, wanted[row.host]) for row in rows if row.host in wanted]
    return tuple((row, want) for row, want in pairs if owned_for(row, want))


def _minted(desired: SidecarDesired, rows: Iterable[Row]) -> tuple[tuple[Row, SidecarKey], ...]:
    here = (row for row in rows if in_scope(row, desired.box))
    return tuple((row, key) for row in here if (key := minted_key(row)))
