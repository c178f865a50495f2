"""What SQLite's errors mean. The only place that knows its codes and texts."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from registry.errors import (
    NotSqlite,
    RegistryBusy,
    RegistryCorrupt,
    RegistryDiskFailed,
    RegistryError,
    RegistryFailed,
    RegistryFull,
    RegistryReadOnly,
    RegistryUnopenable,
)

# Primary result codes, https://www.sqlite.org/rescode.html; sqlite3 names them from 3.11 on.
_BUSY, _LOCKED, _READONLY, _IOERR, _CORRUPT, _FULL = 5, 6, 8, 10, 11, 13
_CANTOPEN, _PROTOCOL, _NOTADB = 14, 15, 26

# Python 3.10 gives no code. These are the beginnings of sqlite3_errstr's texts.
_TEXTS = {
    "database is locked": _BUSY,
    "database table is locked": _LOCKED,
    "attempt to write a readonly database": _READONLY,
    "disk I/O error": _IOERR,
    "database disk image is malformed": _CORRUPT,
    "database or disk is full": _FULL,
    "unable to open database": _CANTOPEN,
    "locking protocol": _PROTOCOL,
    "file is not a database": _NOTADB,
}


@contextmanager
def translating(path: Path, budget_seconds: float) -> Iterator[None]:
    """Turn every `sqlite3.Error` of the block into this package's, once.

    Raises:
        RegistryError: the kind that the result code says. How long a busy registry was waited for
            is counted from the beginning of the block.
    """
    started = time.monotonic()
    try:
        yield
    except sqlite3.Error as error:
        raise translated(path, error, time.monotonic() - started, budget_seconds) from error


def translated(
    path: Path, error: sqlite3.Error, waited_seconds: float, budget_seconds: float
) -> RegistryError:
    """Say what an error of SQLite means for this file."""
    said, code = str(error), _primary_code(error)
    if code in {_BUSY, _LOCKED, _PROTOCOL}:
        return RegistryBusy(path, waited_seconds, budget_seconds)
    if code == _NOTADB:
        return NotSqlite(path)
    if code == _CANTOPEN:
        way_out = "run as the user that owns the file and its folder"
        return RegistryUnopenable(path, f"{said}, or its side files -wal and -shm; {way_out}")
    kinds = {
        _READONLY: RegistryReadOnly,
        _IOERR: RegistryDiskFailed,
        _CORRUPT: RegistryCorrupt,
        _FULL: RegistryFull,
    }
    return kinds.get(code, RegistryFailed)(path, said)


def of_one_row(error: Exception) -> bool:
    """Tell whether an error is one row's (a constraint, a trigger, a value), not the file's."""
    if isinstance(error, (UnicodeEncodeError, OverflowError)):
        return True
    return isinstance(error, sqlite3.Error) and _primary_code(error) not in _TEXTS.values()


def _primary_code(error: sqlite3.Error) -> int:
    code = getattr(error, "sqlite_errorcode", None)
    if isinstance(code, int):
        return code & 0xFF
    said = str(error)
    return next((value for text, value in _TEXTS.items() if said.startswith(text)), 0)
