"""The lineage of a registry: which snapshots in the bucket are this file's own past.

One row in one table, the only one of the registry that is this program's. Fingerprints pass over
it. Each function is one transaction of its own, waiting for the disk: a lineage that a power cut
took back would have the box's own snapshot look like a stranger's.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from registry.connection import BUDGET_SECONDS, writing
from registry.errors import LineageMissing, LineageUnreadable
from registry.schema import LINEAGE_TABLE

# Statement texts are made of one constant name; every value is bound.
# ruff: noqa: S608
_CREATE = (
    f"CREATE TABLE IF NOT EXISTS {LINEAGE_TABLE} (only INTEGER PRIMARY KEY CHECK (only = 1),"
    " id TEXT NOT NULL, last TEXT NOT NULL, pending TEXT NOT NULL)"
)
_INSERT = f"INSERT INTO {LINEAGE_TABLE} (only, id, last, pending) VALUES (1, ?, ?, ?)"
_SET_PENDING = f"UPDATE {LINEAGE_TABLE} SET pending = ?"
_SET_LAST = f"UPDATE {LINEAGE_TABLE} SET last = ?"


@dataclass(frozen=True, slots=True)
class Lineage:
    """The fingerprint of the snapshot written last, and of the one being written; `""` for none."""

    id: str
    last: str
    pending: str


def read_lineage(connection: sqlite3.Connection, path: Path) -> Lineage | None:
    """Read the lineage of an open registry: None where no pass has begun one.

    Raises:
        LineageUnreadable: a table of its name is not what `begin` makes.
    """
    named = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    if connection.execute(named, (LINEAGE_TABLE,)).fetchone() is None:
        return None
    select = f"SELECT id, last, pending FROM {LINEAGE_TABLE}"
    try:
        rows = connection.execute(select).fetchall()
    except sqlite3.OperationalError as error:
        raise LineageUnreadable(path, str(error)) from error
    if not rows:
        return None
    if len(rows) > 1 or not all(isinstance(value, str) for value in rows[0]):
        raise LineageUnreadable(path, f"{len(rows)} rows, the first {rows[0]!r}")
    return Lineage(*rows[0])


def begin(
    path: Path, fingerprint: str, new_id: str, *, budget_seconds: float = BUDGET_SECONDS
) -> Lineage:
    """Say which snapshot is about to be uploaded: `pending` becomes its fingerprint.

    The table and the row are made where there are none, with `new_id` and no `last`.

    Returns:
        The lineage as it is now.

    Raises:
        RegistryError: nothing was written.
    """
    with (
        writing(path, budget_seconds=budget_seconds, durable=True) as registry,
        registry.transaction() as connection,
    ):
        known = read_lineage(connection, path)
        if known is None:
            connection.execute(_CREATE)
            connection.execute(_INSERT, (new_id, "", fingerprint))
            return Lineage(new_id, "", fingerprint)
        connection.execute(_SET_PENDING, (fingerprint,))
        return Lineage(known.id, known.last, fingerprint)


def confirm(path: Path, fingerprint: str, *, budget_seconds: float = BUDGET_SECONDS) -> Lineage:
    """Say that a snapshot is current: `last` becomes its fingerprint; `pending` stays.

    Raises:
        LineageMissing: no pass has begun one.
        RegistryError: nothing was written.
    """
    with (
        writing(path, budget_seconds=budget_seconds, durable=True) as registry,
        registry.transaction() as connection,
    ):
        known = read_lineage(connection, path)
        if known is None:
            raise LineageMissing(path)
        connection.execute(_SET_LAST, (fingerprint,))
        return Lineage(known.id, fingerprint, known.pending)


def set_last(
    path: Path, lineage: str, fingerprint: str, *, budget_seconds: float = BUDGET_SECONDS
) -> Lineage:
    """Make a restored file the successor of a snapshot: lineage `lineage`, `last`, none pending.

    Raises:
        RegistryError: nothing was written.
    """
    with (
        writing(path, budget_seconds=budget_seconds, durable=True) as registry,
        registry.transaction() as connection,
    ):
        read_lineage(connection, path)
        connection.execute(_CREATE)
        connection.execute(f"DELETE FROM {LINEAGE_TABLE}")
        connection.execute(_INSERT, (lineage, fingerprint, ""))
        return Lineage(lineage, fingerprint, "")
