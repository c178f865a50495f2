"""What a registry's benchmarks are measured against: plain INSERTs, and the clock."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

from registry.route import COLUMNS, Route

_INSERT = f"INSERT INTO routes VALUES ({', '.join('?' for _ in COLUMNS)})"  # noqa: S608


def seconds(work: Callable[[], None]) -> float:
    """Seconds of wall clock that a piece of work takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def insert_plainly(path: Path, routes: Iterable[Route]) -> None:
    """Insert rows in one transaction, opening and closing included."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        for route in routes:
            connection.execute(_INSERT, route)
        connection.execute("COMMIT")
