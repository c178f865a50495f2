"""Doing one operation to one row, inside a transaction and a savepoint of its own."""

from __future__ import annotations

import sqlite3

from registry.operations import (
    CONVERGED,
    Change,
    Converge,
    Mint,
    Operation,
    Outcome,
    Remove,
    Result,
)
from registry.route import COLUMNS, SIDECAR
from registry.vendor import of_one_row

# Statement texts are made of fixed names only; every value is bound. What a row must be to be ours
# is asked by the statement that writes it (behaviours 120, 127): nothing can change in between.
# ruff: noqa: S608
_OURS = f"host = ? AND kind = '{SIDECAR}' AND provisioned = 1 AND app = ? AND account = ?"
_UPDATES = {
    columns: f"UPDATE routes SET {', '.join(f'{each} = ?' for each in columns)} WHERE {_OURS}"
    for columns in CONVERGED
}
_DELETE = f"DELETE FROM routes WHERE {_OURS}"
# DO NOTHING also overrules a table that declares its key ON CONFLICT REPLACE.
_INSERT = (
    f"INSERT INTO routes ({', '.join(COLUMNS)}) VALUES ({', '.join('?' for _ in COLUMNS)})"
    " ON CONFLICT (host) DO NOTHING"
)
_OWNER = "SELECT kind, provisioned, app, account FROM routes WHERE host = ?"
_CASCADES = (
    "SELECT DISTINCT tables.name FROM sqlite_master AS tables,"
    " pragma_foreign_key_list(tables.name) AS keys WHERE tables.type = 'table'"
    " AND lower(keys.\"table\") = 'routes' AND keys.on_delete NOT IN ('NO ACTION', 'RESTRICT')"
    " ORDER BY tables.name"
)


def perform(connection: sqlite3.Connection, operation: Operation) -> Result:
    """Do one operation; whatever becomes of it, the rows before it in the transaction stay.

    Raises:
        sqlite3.Error: not of this row: the transaction cannot go on. Also where a trigger of the
            registry rolled the whole transaction back (`connection.in_transaction` is false then).
    """
    connection.execute("SAVEPOINT one_row")
    try:
        result = _perform(connection, operation)
    except (sqlite3.Error, UnicodeEncodeError, OverflowError) as error:
        _undo(connection, error)
        result = Result(operation, "failed", str(error))
    connection.execute("RELEASE one_row")
    return result


def _perform(connection: sqlite3.Connection, operation: Operation) -> Result:
    if isinstance(operation, Mint):
        return _mint(connection, operation)
    if isinstance(operation, Remove):
        return _remove(connection, operation)
    return _converge(connection, operation)


def _undo(connection: sqlite3.Connection, error: Exception) -> None:
    if not of_one_row(error) or not connection.in_transaction:
        raise error
    connection.execute("ROLLBACK TO one_row")


def _mint(connection: sqlite3.Connection, mint: Mint) -> Result:
    if connection.execute(_INSERT, mint.route).rowcount == 1:
        return Result(mint, "done")
    if connection.execute(_OWNER, (mint.host,)).fetchone() is None:
        return Result(mint, "failed", "a trigger of the registry passed over it")
    return Result(mint, "refused", "a row is there meanwhile, and is not adopted")


def _remove(connection: sqlite3.Connection, remove: Remove) -> Result:
    cascades = [name for (name,) in connection.execute(_CASCADES)]
    before = connection.total_changes
    deleted = connection.execute(_DELETE, (remove.host, remove.app, remove.account)).rowcount
    if not deleted:
        return _untouched(connection, remove, gone="nothing to do")
    others = connection.total_changes - before - deleted
    if cascades and others:
        connection.execute("ROLLBACK TO one_row")
        held = f"{others} rows of {', '.join(cascades)} hang on it by ON DELETE"
        return Result(remove, "failed", f"{held}; let the platform remove the host")
    return Result(remove, "done")


def _converge(connection: sqlite3.Connection, converge: Converge) -> Result:
    """Write every column group that the registry takes; one that it refuses stops no other."""
    writable, failed = converge.changes, dict[Change, str]()
    while (result := _written(connection, converge, writable, failed)) is None:
        # The row begins anew without the group that failed, so nothing of that one is left behind.
        writable = tuple(change for change in writable if change not in failed)
    return result


def _written(
    connection: sqlite3.Connection,
    converge: Converge,
    writable: tuple[Change, ...],
    failed: dict[Change, str],
) -> Result | None:
    try:
        for change in writable:
            if not _update(connection, converge, change):
                connection.execute("ROLLBACK TO one_row")
                return _untouched(connection, converge, gone="refused")
    except (sqlite3.Error, UnicodeEncodeError, OverflowError) as error:
        _undo(connection, error)
        failed[change] = str(error)
        return None
    columns = tuple(column for change in writable for column in change.columns)
    reasons = [f"{' and '.join(change.columns)}: {said}" for change, said in failed.items()]
    return Result(converge, "failed" if failed else "done", "; ".join(reasons), columns)


def _update(connection: sqlite3.Connection, converge: Converge, change: Change) -> int:
    bound = (*change.wanted, converge.host, converge.app, converge.account)
    return connection.execute(_UPDATES[change.columns], bound).rowcount


def _untouched(
    connection: sqlite3.Connection, operation: Converge | Remove, *, gone: Outcome
) -> Result:
    """Say why no row was ours to write."""
    found = connection.execute(_OWNER, (operation.host,)).fetchone()
    if found is None:
        return Result(operation, gone, "the row is gone meanwhile")
    if found == (SIDECAR, 1, operation.app, operation.account):
        return Result(operation, "failed", "a trigger of the registry passed over it")
    said = "kind {!r}, provisioned {!r}, app {!r}, account {!r}".format(*found)
    return Result(operation, "refused", f"the row is not ours meanwhile: {said}")
