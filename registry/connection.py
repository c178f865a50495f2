"""Opening a registry: to look at it, or to write to it in short transactions."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from registry.errors import RegistryEmpty, RegistryMissing, RegistryUnopenable
from registry.schema import check_schema
from registry.vendor import translating

BUDGET_SECONDS = 5.0
"""How long one lock is waited for unless the caller says otherwise."""


@contextmanager
def reading(path: Path, *, budget_seconds: float = BUDGET_SECONDS) -> Iterator[sqlite3.Connection]:
    """Open a registry for looking: one read transaction, so one state of it, writers or not.

    Nothing is created, neither the file nor anything beside it, and nothing can be written.

    Raises:
        RegistryError: each kind of `registry.errors` that a file can be.
    """
    with translating(path, budget_seconds), looking(path, budget_seconds) as connection:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")
        check_schema(connection, path)
        yield connection


@contextmanager
def looking(path: Path, budget_seconds: float) -> Iterator[sqlite3.Connection]:
    """Open a registry so that a look leaves no trace; outside a transaction, errors SQLite's own.

    Whoever reads a file in WAL mode makes its -wal and -shm where there are none, and a connection
    of `mode=ro` cannot take them away again; nor can it roll back what a killed writer left in a
    -journal. So `mode=ro` is for the registry that somebody has open. The other is opened `mode=rw`
    and closed without a trace; neither mode creates a database.
    """
    _check_file(path)
    open_elsewhere = Path(f"{path}-wal").exists()
    with closing(_connect(path, "ro" if open_elsewhere else "rw", budget_seconds)) as connection:
        yield connection


@dataclass(frozen=True, slots=True)
class Writer:
    """An open registry that can be written."""

    path: Path
    connection: sqlite3.Connection
    budget_seconds: float

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold the write lock for the block: all of it is committed, or nothing.

        Raises:
            RegistryBusy: another writer held the lock for the whole budget.
            RegistryError: read-only, full, damaged: nothing of the block was written.
        """
        with translating(self.path, self.budget_seconds):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")


@contextmanager
def writing(
    path: Path, *, budget_seconds: float = BUDGET_SECONDS, durable: bool = False
) -> Iterator[Writer]:
    """Open an existing registry for writing. Others may write it between our transactions.

    Declared foreign keys are enforced. A file in WAL mode is written with `synchronous=NORMAL`:
    a power cut may take the last transactions, which the next run makes again, and never harms the
    file. `durable` waits for the disk at every commit.

    Raises:
        RegistryError: each kind of `registry.errors` that a file can be.
    """
    _check_file(path)
    with (
        translating(path, budget_seconds),
        closing(_connect(path, "rw", budget_seconds)) as connection,
    ):
        check_schema(connection, path)
        connection.execute("PRAGMA foreign_keys = ON")
        (journal,) = connection.execute("PRAGMA journal_mode").fetchone()
        relaxed = journal == "wal" and not durable
        connection.execute(f"PRAGMA synchronous = {'NORMAL' if relaxed else 'FULL'}")
        yield Writer(path, connection, budget_seconds)


def _connect(path: Path, mode: str, budget_seconds: float) -> sqlite3.Connection:
    # isolation_level=None: no transaction begins that is not written here.
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=budget_seconds, isolation_level=None)


def _check_file(path: Path) -> None:
    # By stat alone: closing a file descriptor of a database drops every lock that another
    # connection of this process holds on it (https://www.sqlite.org/howtocorrupt.html, 2.2).
    try:
        found = path.stat()
    except FileNotFoundError as error:
        raise RegistryMissing(path) from error
    except OSError as error:
        raise RegistryUnopenable(path, f"{error.strerror}; check the path") from error
    if not stat.S_ISREG(found.st_mode):
        raise RegistryUnopenable(path, "not a file; check the path in fairlead:registry")
    if found.st_size == 0:
        raise RegistryEmpty(path)
