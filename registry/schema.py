"""What makes a file a registry, and a new one for the demo and the tests."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from registry.errors import ColumnsMissing, NoRoutesTable, NoTables, OtherApplication
from registry.route import COLUMNS, TYPES

LINEAGE_TABLE = "fairlead_lineage"
"""The one table of a registry that is this program's."""

_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"


def check_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Check that the open database is a registry. Extra columns and tables are welcome.

    Raises:
        NoTables: it holds no table.
        NoRoutesTable: none of its tables is `routes`.
        OtherApplication: no `routes` but an `application_id`, or a `routes` without `host`.
        ColumnsMissing: `routes` lacks columns of `registry.route.Route`.
    """
    tables = _names(connection, _TABLES)
    if "routes" not in (table.lower() for table in tables):
        _refuse_without_routes(connection, path, tables)
    present = {column.lower() for column in column_names(connection, "routes")}
    if "host" not in present:
        raise OtherApplication(path, "its table routes has no column host")
    if missing := [column for column in COLUMNS if column not in present]:
        raise ColumnsMissing(path, missing)


def _refuse_without_routes(
    connection: sqlite3.Connection, path: Path, tables: Sequence[str]
) -> None:
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    if application_id:
        sign = f"application_id {application_id & 0xFFFFFFFF:#010x} and no table routes"
        raise OtherApplication(path, sign)
    if not tables:
        raise NoTables(path)
    raise NoRoutesTable(path, tables)


def column_names(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """Return a table's stored columns in their order; generated ones are not stored."""
    return _names(connection, "SELECT name FROM pragma_table_info(?) ORDER BY cid", table)


def key_columns(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """Return the columns of a table's primary key in its order; none without a declared one."""
    keyed = "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk"
    return _names(connection, keyed, table)


def quoted(name: str) -> str:
    """Quote an identifier."""
    return '"' + name.replace('"', '""') + '"'


def _names(connection: sqlite3.Connection, statement: str, *bound: str) -> tuple[str, ...]:
    return tuple(_decoded(name) for (name,) in connection.execute(statement, bound))


def _decoded(name: str | bytes) -> str:
    # The fingerprint reads text as bytes.
    return name.decode() if isinstance(name, bytes) else name


def create(path: Path) -> None:
    """Create a registry with no rows, for the demo and the tests: on a box the platform does.

    The file is in WAL mode, as the platform's is.
    """
    defaults = {int: "INTEGER NOT NULL DEFAULT 0", str: "TEXT NOT NULL DEFAULT ''"}
    columns = [f"{name} {defaults[kind]}" for name, kind in zip(COLUMNS, TYPES, strict=True)]
    columns[0] = "host TEXT NOT NULL PRIMARY KEY"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"CREATE TABLE routes ({', '.join(columns)})")
