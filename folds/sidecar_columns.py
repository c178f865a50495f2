"""Where a row differs from what its record describes: what converges, and what only gets told."""

from __future__ import annotations

from operator import attrgetter

from folds.sidecar_changes import ColumnsChange
from folds.sidecar_desired import Box, Wanted
from folds.sidecar_rows import Row
from folds.sidecar_text import quoted

_ALONE = ("channel", "environment", "hibernate", "args")
_CEILINGS = ("idle_seconds", "max_run_seconds")
_converging, _ceilings = attrgetter(*_ALONE, *_CEILINGS), attrgetter(*_CEILINGS)
_fixed = attrgetter("db_path", "socket", "addr", "region", "pool")


def changes(row: Row, want: Wanted) -> tuple[ColumnsChange, ...]:
    """Return the updates that converge a row, each of its own (behaviours 141-145, 148).

    The channel only where one is wanted, the environment to ``""`` as well. Both ceilings together:
    the new one of one beside the old one of the other is a policy that nobody stated.
    """
    if _converging(row) == _converging(want):
        return ()
    names = _ALONE if want.channel else _ALONE[1:]
    pairs = [(name, getattr(row, name), getattr(want, name)) for name in names]
    found = [ColumnsChange((name,), (old,), (new,)) for name, old, new in pairs if old != new]
    if _ceilings(row) != _ceilings(want):
        found.append(ColumnsChange(_CEILINGS, _ceilings(row), _ceilings(want)))
    return tuple(found)


def disagreement(row: Row, want: Wanted, box: Box) -> str:
    """Say where an owned row differs in columns that are never rewritten, or ``""`` (147).

    A database moved under a running process would be a second copy of its data. A socket or an
    address means that another hand made or edited the row.
    """
    described = (box.db_path(want.host), "", "", want.region, want.pool)
    if _fixed(row) == described:
        return ""
    names = ("db_path", "socket", "addr", "region", "pool")
    told = zip(names, _fixed(row), described, strict=True)
    differing = [f"{name} is {quoted(a)}, not {quoted(b)}" for name, a, b in told if a != b]
    return f"not converged in place: {', '.join(differing)}"
