"""Doing one operation to one row, inside a transaction and a savepoint of its own."""

from __future__ import annotations

import sqlite3

from registry import row_statements
from registry.operations import (
    Change,
    Converge,
    Hold,
    Mint,
    Operation,
    Outcome,
    Ownership,
    Remove,
    Result,
)
from registry.route import SIDECAR
from registry.vendor import of_one_row


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
    if isinstance(operation, Hold):
        return _hold(connection, operation)
    return _converge(connection, operation)


def _undo(connection: sqlite3.Connection, error: Exception) -> None:
    if not of_one_row(error) or not connection.in_transaction:
        raise error
    connection.execute("ROLLBACK TO one_row")


def _mint(connection: sqlite3.Connection, mint: Mint) -> Result:
    if connection.execute(row_statements.INSERT, mint.row).rowcount == 1:
        return Result(mint, "done")
    if connection.execute(row_statements.STANDING, (mint.host,)).fetchone() is None:
        return Result(mint, "failed", "a trigger of the registry passed over it")
    return Result(mint, "refused", "a row is there meanwhile, and is not adopted")


def _remove(connection: sqlite3.Connection, remove: Remove) -> Result:
    cascades = [name for (name,) in connection.execute(row_statements.CASCADES)]
    before = connection.total_changes
    deleted = connection.execute(*row_statements.delete(remove)).rowcount
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
    return connection.execute(*row_statements.update(converge, change)).rowcount


def _hold(connection: sqlite3.Connection, hold: Hold) -> Result:
    if connection.execute(*row_statements.hold(hold)).rowcount == 1:
        return Result(hold, "done")
    return _untouched(connection, hold, gone="refused")


def _untouched(
    connection: sqlite3.Connection, operation: Converge | Remove | Hold, *, gone: Outcome
) -> Result:
    """Say why no row was ours to write."""
    found = connection.execute(row_statements.STANDING, (operation.host,)).fetchone()
    if found is None:
        return Result(operation, gone, "the row is gone meanwhile")
    *owner, held, stamp, incarnation = found
    if owner != [SIDECAR, 1, operation.app, operation.account]:
        said = "kind {!r}, provisioned {!r}, app {!r}, account {!r}".format(*owner)
        return Result(operation, "refused", f"the row is not ours meanwhile: {said}")
    if isinstance(operation, Hold) and held == operation.op:
        return Result(operation, "nothing to do", "it is held by that operation already")
    if held != "":
        return Result(operation, "refused", f"the row is held by {held!r}")
    if operation.ownership is not None and _newer(operation.ownership, stamp, incarnation):
        mine = f"{operation.ownership.stamp} of {operation.ownership.incarnation!r}"
        said = f"{stamp!r} of {incarnation!r}, and this change's is {mine}"
        return Result(operation, "refused", f"a newer claim wrote the row: its stamp is {said}")
    return Result(operation, "failed", "a trigger of the registry passed over it")


def _newer(ownership: Ownership, stamp: object, incarnation: object) -> bool:
    if not isinstance(stamp, int) or stamp > ownership.stamp:
        return True
    return stamp == ownership.stamp and incarnation not in ("", ownership.incarnation)
