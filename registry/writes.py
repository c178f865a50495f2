"""Applying changes to a registry: short transactions, one savepoint per row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from registry.connection import BUDGET_SECONDS, Writer, writing
from registry.errors import RegistryError, RegistryFailed, WritesStopped
from registry.operations import Operation, Result
from registry.row_writes import perform

BATCH_ROWS = 100
"""Rows of one transaction: others wait for the write lock no longer than that takes."""


def apply(
    path: Path,
    operations: Sequence[Operation],
    *,
    before_write: Callable[[], None] = lambda: None,
    batch: int = BATCH_ROWS,
    budget_seconds: float = BUDGET_SECONDS,
) -> tuple[Result, ...]:
    """Do the operations in their order, and say of each what came of it.

    A row that the registry refuses (a constraint, a trigger, a foreign key) fails alone. A column
    that fails does not stop the row's others (behaviours 145, 146).

    Args:
        path: the registry; only its table `routes` is written.
        operations: at most one per host.
        before_write: called before each transaction begins. What it raises passes through, and no
            further transaction begins.
        batch: rows of one transaction.
        budget_seconds: how long one transaction waits for another writer.

    Raises:
        WritesStopped: the file failed (locked, read-only, full, damaged, no registry): names what
            was dealt with before, which stays, and what was not begun.
    """
    results: list[Result] = []
    try:
        with writing(path, budget_seconds=budget_seconds) as registry:
            for start in range(0, len(operations), batch):
                _batch(registry, operations[start : start + batch], before_write, results)
    except RegistryError as cause:
        left = [operation.host for operation in operations[len(results) :]]
        raise WritesStopped(cause, results, left) from cause
    return tuple(results)


def _batch(
    registry: Writer,
    operations: Sequence[Operation],
    before_write: Callable[[], None],
    results: list[Result],
) -> None:
    before_write()
    try:
        with registry.transaction() as connection:
            made = [perform(connection, operation) for operation in operations]
    except RegistryFailed as refused:
        # The whole transaction fell: a deferred foreign key refused the commit, or a trigger said
        # ROLLBACK. Row by row, only the row that causes it falls.
        if len(operations) > 1:
            for operation in operations:
                _batch(registry, [operation], before_write, results)
            return
        made = [Result(operations[0], "failed", refused.said)]
    results.extend(made)


def apply_confirmed(
    path: Path,
    operation: Operation,
    confirm: Callable[[], None],
    *,
    budget_seconds: float = BUDGET_SECONDS,
) -> Result:
    """Do one operation in a transaction of its own, and ask once more before it is committed.

    ``confirm`` is called after the statements and before COMMIT, with the registry's write lock
    held, and only where something was written. What it raises passes through, and nothing was
    written then: bound its time, since every other writer of the registry waits for it.

    Raises:
        RegistryError: the file failed (locked, read-only, full, damaged, no registry): nothing was
            written.
    """
    with writing(path, budget_seconds=budget_seconds) as registry:
        try:
            with registry.transaction() as connection:
                result = perform(connection, operation)
                if result.outcome == "done" or result.written:
                    confirm()
        except RegistryFailed as refused:
            # Refused at the commit, by a deferred foreign key, or rolled back by a trigger.
            return Result(operation, "failed", refused.said)
    return result
