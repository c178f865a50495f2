"""Reading the rows of `routes`."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import Any

from registry.route import COLUMNS, DEFAULTS, TYPES, Route
from registry.vendor import of_one_row

_SELECT = f"SELECT {', '.join(COLUMNS)} FROM routes"  # noqa: S608 (names of a fixed list)
# A row without a key has no name to be written by, so a NULL there stays one.
_DEFAULTS = (None, *DEFAULTS[1:])
_KINDS = {
    int: "an integer",
    str: "text",
    float: "a real",
    bytes: "a blob or not UTF-8",
    type(None): "NULL",
}


@dataclass(frozen=True, slots=True)
class StrangeRow:
    """A row that no `Route` can stand for, so nobody's: it is kept, and never written or removed.

    `host` is its key as text, where need be Python's notation of it; `reason` names the columns
    and what they hold: `canary is text, not an integer`. Both are raw.
    """

    host: str
    reason: str


@dataclass(frozen=True, slots=True)
class Rows:
    """All rows of a registry, each kind sorted by host."""

    routes: tuple[Route, ...]
    strange: tuple[StrangeRow, ...]


def read_rows(connection: sqlite3.Connection) -> Rows:
    """Read every row, in the transaction of the connection (`registry.connection.reading`).

    A NULL reads as its column's default. Any other value of an unexpected type, or text that is
    not UTF-8, makes the row a `StrangeRow`; it stops nothing.
    """
    routes: list[Route] = []
    strange: list[StrangeRow] = []
    for values in _fetched(connection):
        filled = values if tuple(map(type, values)) == TYPES else _with_defaults(values)
        if tuple(map(type, filled)) == TYPES:
            routes.append(Route._make(filled))
        else:
            strange.append(_strange(filled))
    routes.sort(key=itemgetter(0))
    strange.sort(key=attrgetter("host", "reason"))
    return Rows(tuple(routes), tuple(strange))


def read_route(connection: sqlite3.Connection, host: str) -> Route | None:
    """Read one row, in the transaction of the connection; None where none is, or a strange one."""
    try:
        values = connection.execute(f"{_SELECT} WHERE host = ?", (host,)).fetchone()
    except sqlite3.OperationalError as error:
        if not of_one_row(error):
            raise
        return None  # text that is not UTF-8
    filled = _with_defaults(values) if values else ()
    return Route._make(filled) if tuple(map(type, filled)) == TYPES else None


def _fetched(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
    try:
        return connection.execute(_SELECT).fetchall()
    except sqlite3.OperationalError:
        # Text that is not UTF-8, most likely; anything else is raised again by the second read.
        return _fetched_as_is(connection)


def _fetched_as_is(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
    factory = connection.text_factory
    connection.text_factory = _text_or_bytes
    try:
        return connection.execute(_SELECT).fetchall()
    finally:
        connection.text_factory = factory


def _text_or_bytes(raw: bytes) -> str | bytes:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def _with_defaults(values: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(
        default if value is None else value
        for value, default in zip(values, _DEFAULTS, strict=True)
    )


def _strange(values: tuple[Any, ...]) -> StrangeRow:
    wrong = [
        f"{column} is {_KINDS[type(value)]}, not {_KINDS[kind]}"
        for column, value, kind in zip(COLUMNS, values, TYPES, strict=True)
        if type(value) is not kind
    ]
    host = values[0] if isinstance(values[0], str) else repr(values[0])
    return StrangeRow(host, "; ".join(wrong))
