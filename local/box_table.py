"""A box's rows and its snapshot as tables. Pure: from values to text, every cell escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from control.text import printable
from folds.sidecar_changes import Action, Verdict
from folds.sidecar_rows import Row, Rows
from folds.snapshots import routes
from local.table import aligned

_HAPPENED: Mapping[Action, str] = {
    "mint": "minted",
    "converge": "converged",
    "keep": "kept",
    "protect": "protected",
    "decline": "declined",
    "foreign": "left alone",
    "remove": "removed",
    "held back": "held back",
    "elsewhere": "not here",
}
_NOT_OURS = "no sidecar of Fairlead's"


@dataclass(frozen=True, slots=True)
class Shown:
    """A verified snapshot: what a restore would take.

    ``age`` is in words, ``generations`` and ``routes`` are counts, ``passed_over`` has a line for
    each object that should have been it and is not whole.
    """

    key: str
    created_at: str
    age: str
    generations: int
    routes: int
    passed_over: tuple[str, ...] = ()


def render_rows(rows: Rows, verdicts: Iterable[Verdict]) -> str:
    """Return a line for each record and row by its host: the row as it is now, what happened, why.

    ``verdicts`` are those of the run that has just been.
    """
    return aligned([["host", "row", "what happened", "why"], *sorted(_lines(rows, verdicts))])


def render_snapshot(shown: Shown) -> str:
    """Return the snapshot, how old it is, how many generations there are, and what it holds."""
    whole = f"whole, {routes(shown.routes)}"
    cells = [shown.key, shown.created_at, shown.age, str(shown.generations), whole]
    table = aligned([["snapshot", "taken", "age", "generations", "verified"], cells])
    return "\n".join([table, *(f"passed over: {printable(each)}" for each in shown.passed_over)])


def _lines(rows: Rows, verdicts: Iterable[Verdict]) -> Iterator[list[str]]:
    there = {row.host: _row(row) for row in rows.rows} | dict.fromkeys(
        (row.host for row in rows.strange), "strange"
    )
    told = set()
    for each in verdicts:
        told.add(each.host)
        yield [each.host, there.get(each.host, "-"), _HAPPENED[each.action], each.reason]
    for host in there.keys() - told:
        yield [host, there[host], "left alone", _NOT_OURS]


def _row(row: Row) -> str:
    return " ".join(filter(None, (row.kind, row.channel)))
