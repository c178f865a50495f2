"""The statements that write one row of `routes`, and what each asks of the row.

What a row must be to be written is asked by the statement that writes it, so nothing can change in
between: that it is ours (behaviours 120, 127), that nobody holds it, and, with an ownership, that
no newer claim has written it.
"""

from __future__ import annotations

from typing import Any

from registry.operations import CLAIM_COLUMNS, CONVERGED, Change, Converge, Hold, Ownership, Remove
from registry.route import COLUMNS, SIDECAR

# Statement texts are made of fixed names only; every value is bound.
# ruff: noqa: S608
# A NULL of the file reads as its column's default. A hold or a stamp of another type is unequal to,
# or above, every value that is bound, so its row is left.
_OURS = (
    f"host = ? AND kind = '{SIDECAR}' AND provisioned = 1 AND app = ? AND account = ?"
    " AND COALESCE(hold, '') = ''"
)
_NONE_NEWER = (
    " AND (COALESCE(claim_stamp, 0) < ?"
    " OR (COALESCE(claim_stamp, 0) = ? AND COALESCE(claim_incarnation, '') IN ('', ?)))"
)

# DO NOTHING also overrules a table that declares its key ON CONFLICT REPLACE.
INSERT = (
    f"INSERT INTO routes ({', '.join(COLUMNS)}) VALUES ({', '.join('?' for _ in COLUMNS)})"
    " ON CONFLICT (host) DO NOTHING"
)
STANDING = (
    "SELECT kind, provisioned, app, account, COALESCE(hold, ''),"
    " COALESCE(claim_stamp, 0), COALESCE(claim_incarnation, '') FROM routes WHERE host = ?"
)
"""What the statements ask of a row, to say why none was written."""
CASCADES = (
    "SELECT DISTINCT tables.name FROM sqlite_master AS tables,"
    " pragma_foreign_key_list(tables.name) AS keys WHERE tables.type = 'table'"
    " AND lower(keys.\"table\") = 'routes' AND keys.on_delete NOT IN ('NO ACTION', 'RESTRICT')"
    " ORDER BY tables.name"
)

Statement = tuple[str, tuple[Any, ...]]
"""A statement's text, and what is bound to it."""


def _setting(columns: tuple[str, ...]) -> str:
    return f"UPDATE routes SET {', '.join(f'{each} = ?' for each in columns)} WHERE {_OURS}"


_UPDATES = {columns: _setting(columns) for columns in CONVERGED}
_CLAIMED = {columns: _setting((*columns, *CLAIM_COLUMNS)) + _NONE_NEWER for columns in CONVERGED}
_DELETE = f"DELETE FROM routes WHERE {_OURS}"
_HOLD = _setting(("hold",))


def update(converge: Converge, change: Change) -> Statement:
    """Return the UPDATE of one group of columns."""
    whose = (converge.host, converge.app, converge.account)
    if converge.ownership is None:
        return _UPDATES[change.columns], (*change.wanted, *whose)
    values = (*change.wanted, *converge.ownership.columns)
    return _CLAIMED[change.columns], (*values, *whose, *_fence(converge.ownership))


def delete(remove: Remove) -> Statement:
    """Return the DELETE of a row."""
    return _fenced(_DELETE, (remove.host, remove.app, remove.account), remove.ownership)


def hold(wanted: Hold) -> Statement:
    """Return the UPDATE that holds a row. It writes no ownership: to hold is not to install."""
    bound = (wanted.op, wanted.host, wanted.app, wanted.account)
    return _fenced(_HOLD, bound, wanted.ownership)


def _fenced(text: str, bound: tuple[Any, ...], ownership: Ownership | None) -> Statement:
    if ownership is None:
        return text, bound
    return text + _NONE_NEWER, (*bound, *_fence(ownership))


def _fence(ownership: Ownership) -> tuple[int, int, str]:
    return ownership.stamp, ownership.stamp, ownership.incarnation
