"""A box's registry as the sidecars fold sees it, and a plan's changes as a registry makes them."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias

from folds.sidecar_changes import ColumnsChange, Converge, Hold, Mint, Removal
from folds.sidecar_rows import Row, Rows, StrangeRow
from registry import operations
from registry.connection import reading
from registry.route import COLUMNS, DEFAULTS, Route
from registry.rows import read_rows

# A row has the columns of a Route but for a run of them that are others'.
_COLUMNS = tuple(field.name for field in fields(Row))
_FIRST, _LAST = COLUMNS.index("steering"), COLUMNS.index("hold")
_in_order = attrgetter(*_COLUMNS)
_OTHERS = DEFAULTS[_FIRST:_LAST]

Change: TypeAlias = Mint | Converge | Removal | Hold


def rows_in(path: Path) -> Rows:
    """Read all rows of a registry in one read transaction.

    Raises:
        RegistryError: it is missing, locked, damaged, none (behaviour 114).
    """
    with reading(path) as connection:
        found = read_rows(connection)
    return Rows(
        tuple([_row(route) for route in found.routes]),
        tuple([StrangeRow(each.host, each.reason) for each in found.strange]),
    )


def operation_of(change: Change) -> operations.Operation:
    """Return a change of the plan as the registry makes it."""
    if isinstance(change, Mint):
        values = _in_order(change.row)
        return operations.Mint(Route(*values[:_FIRST], *_OTHERS, *values[_FIRST:]))
    if isinstance(change, Converge):
        changes = tuple([_columns(each) for each in change.changes])
        return operations.Converge(change.host, change.app, change.account, changes)
    if isinstance(change, Hold):
        return operations.Hold(change.host, change.app, change.account, change.op)
    return operations.Remove(change.host, change.key.app, change.key.account)


def _row(route: Route) -> Row:
    values: tuple[Any, ...] = route
    return Row(*values[:_FIRST], *values[_LAST:])


def _columns(change: ColumnsChange) -> operations.Change:
    return operations.Change(change.columns, change.before, change.after)
