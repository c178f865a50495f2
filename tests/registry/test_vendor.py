"""What SQLite's errors are taken for."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

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
from registry.vendor import of_one_row, translated

PATH = Path("/data/registry.db")

TEXTS = {
    "database is locked": RegistryBusy,
    "database table is locked: routes": RegistryBusy,
    "locking protocol": RegistryBusy,
    "attempt to write a readonly database": RegistryReadOnly,
    "disk I/O error": RegistryDiskFailed,
    "database disk image is malformed": RegistryCorrupt,
    "database or disk is full": RegistryFull,
    "unable to open database file": RegistryUnopenable,
    "file is not a database": NotSqlite,
    "no such collation sequence: UNICODE": RegistryFailed,
}


@pytest.mark.parametrize(("said", "kind"), TEXTS.items())
def test_error_without_a_code(said: str, kind: type[RegistryError]) -> None:
    """Python 3.10 gives no result code: SQLite's text says the kind."""
    error = translated(PATH, sqlite3.OperationalError(said), 1.0, 5.0)
    assert type(error) is kind
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (261, RegistryBusy),
        (776, RegistryReadOnly),
        (1034, RegistryDiskFailed),
        (267, RegistryCorrupt),
    ],
)
def test_extended_code(code: int, kind: type[RegistryError]) -> None:
    """The code decides where there is one, an extended one by its primary."""
    error = sqlite3.OperationalError("in other words")
    vars(error)["sqlite_errorcode"] = code
    assert type(translated(PATH, error, 1.0, 5.0)) is kind


def test_error_of_one_row() -> None:
    """A constraint or a value is the row's own; what says something of the file is not."""
    assert of_one_row(sqlite3.IntegrityError("CHECK constraint failed: caps"))
    assert of_one_row(OverflowError("too large"))
    assert not of_one_row(sqlite3.OperationalError("database or disk is full"))
    assert not of_one_row(ZeroDivisionError())
