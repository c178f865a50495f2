"""The fingerprint of everything that a registry says, whoever wrote it and in whatever order."""

from __future__ import annotations

import hashlib
import sqlite3
import struct
from collections.abc import Callable, Iterator
from typing import Any

from registry.schema import LINEAGE_TABLE, column_names, key_columns, quoted

_VERSION = b"fairlead registry fingerprint 1"


def snapshot_fingerprint(connection: sqlite3.Connection) -> str:
    """Digest all columns of all rows of every table but the lineage's, and the schema without it.

    Two databases have one fingerprint exactly when they hold the same, type for type: NULL is not
    the empty text, 1 neither "1" nor 1.0, and a NUL inside a text ends nothing. VACUUM, the order
    of insertion and rows that came and went leave no trace, but for `sqlite_sequence`: an id that
    was given away must not be given again after a restore. The schema is SQLite's own text of it,
    sorted, with `user_version` and `application_id`. The rows of virtual tables are those of their
    shadow tables; generated columns follow from the others.

    Args:
        connection: in a read transaction (`registry.connection.reading`). Rows are streamed: 32
            bytes are held per row of a table without a key, nothing for the others.

    Returns:
        64 lower-case hex digits.
    """
    factory = connection.text_factory
    connection.text_factory = _Text
    try:
        digest = hashlib.sha256(_VERSION)
        for part in _parts(connection):
            digest.update(part)
    finally:
        connection.text_factory = factory
    return digest.hexdigest()


class _Text(bytes):
    """TEXT as its bytes, which need not be UTF-8. A plain `bytes` is a BLOB."""

    __slots__ = ()


def _parts(connection: sqlite3.Connection) -> Iterator[bytes]:
    for pragma in ("user_version", "application_id"):
        yield _encoded(connection.execute(f"PRAGMA {pragma}").fetchone())
    for entry in _schema(connection):
        yield b"S" + _encoded(entry)
    for table in _tables(connection):
        yield b"T" + _encoded((_Text(table.encode()),))
        yield from _rows(connection, table)


def _schema(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
    entries = connection.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE lower(tbl_name) <> ?",
        (LINEAGE_TABLE,),
    )
    return sorted(entries, key=_encoded)


def _tables(connection: sqlite3.Connection) -> list[str]:
    # A virtual table has no root page.
    named = connection.execute(
        "SELECT name FROM sqlite_master"
        " WHERE type = 'table' AND rootpage > 0 AND lower(name) <> ? ORDER BY name COLLATE BINARY",
        (LINEAGE_TABLE,),
    )
    return [name.decode() for (name,) in named]


def _rows(connection: sqlite3.Connection, table: str) -> Iterator[bytes]:
    columns = ", ".join(quoted(column) for column in column_names(connection, table))
    select = f"SELECT {columns} FROM {quoted(table)}"  # noqa: S608 (quoted identifiers)
    if (key := _total_order(connection, table)) is not None:
        for row in connection.execute(f"{select} ORDER BY {key}"):
            yield b"R" + _encoded(row)
    else:
        rows = connection.execute(select)
        yield from sorted(b"D" + hashlib.sha256(_encoded(row)).digest() for row in rows)


def _total_order(connection: sqlite3.Connection, table: str) -> str | None:
    """Return the ORDER BY terms of the primary key, or None where it does not tell rows apart.

    SQLite allows any number of NULLs in a key. BINARY, whatever the key's own collation: what is
    unique under any other is unique under it, and the platform's own may not be loaded here.
    """
    key = [quoted(column) for column in key_columns(connection, table)]
    if not key:
        return None
    null = " OR ".join(f"{column} IS NULL" for column in key)
    found = f"SELECT EXISTS (SELECT 1 FROM {quoted(table)} WHERE {null})"  # noqa: S608 (quoted)
    if connection.execute(found).fetchone() == (1,):
        return None
    return ", ".join(f"{column} COLLATE BINARY" for column in key)


def _encoded(row: tuple[Any, ...]) -> bytes:
    """Encode values so that no two rows look alike: a tag for the type, a length, the bytes."""
    return b"".join([_ENCODERS[type(value)](value) for value in row])


def _sized(tag: bytes) -> Callable[[bytes], bytes]:
    return lambda value: b"%b%d:%b" % (tag, len(value), value)


_INTEGER, _REAL = struct.Struct(">cq").pack, struct.Struct(">cd").pack
_ENCODERS: dict[type, Callable[[Any], bytes]] = {
    type(None): lambda _: b"n",
    int: lambda value: _INTEGER(b"i", value),
    float: lambda value: _REAL(b"f", value),
    _Text: _sized(b"t"),
    bytes: _sized(b"b"),
}
