"""Registries and routes to test with."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

from registry import schema
from registry.connection import reading
from registry.fingerprint import snapshot_fingerprint
from registry.route import COLUMNS, Route

APP, ACCOUNT = "eleven", "bab"


def sidecar(name: str, **changes: str | int) -> Route:
    """Return a provisioned sidecar row as a pass mints it."""
    host = f"{name}.{APP}.{ACCOUNT}.sidecar.internal"
    route = Route(
        host=host,
        slug=name,
        kind="sidecar",
        app=APP,
        account=ACCOUNT,
        channel="edge",
        db_path=f"/data/{host}.db",
        hibernate=1,
        args='["bot","run"]',
        idle_seconds=300,
        max_run_seconds=3600,
        provisioned=1,
        status="ready",
    )
    return route._replace(**changes)  # type: ignore[arg-type] # names of columns, by the tests


def opened(path: Path) -> closing[sqlite3.Connection]:
    """Open a database as the platform does: to write, each statement its own transaction.

    Unlike the platform it never waits for the disk.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    return closing(connection)


def run(path: Path, *statements: str) -> None:
    with opened(path) as connection:
        for statement in statements:
            connection.execute(statement)


def insert(path: Path, routes: Iterable[Route]) -> None:
    places = ", ".join("?" for _ in COLUMNS)
    statement = f"INSERT INTO routes ({', '.join(COLUMNS)}) VALUES ({places})"  # noqa: S608
    with opened(path) as connection:
        connection.executemany(statement, routes)


@cache
def _new() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "registry.db")
        schema.create(path)
        return path.read_bytes()


def registry_of(path: Path, *routes: Route) -> Path:
    """Create a registry with these rows."""
    path.write_bytes(_new())
    insert(path, routes)
    return path


def dump(path: Path) -> list[str]:
    """Return everything in the file as SQL."""
    with opened(path) as connection:
        return list(connection.iterdump())


def names_beside(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.parent.iterdir())


@contextmanager
def locked(path: Path, how: str = "IMMEDIATE") -> Iterator[sqlite3.Connection]:
    """Hold the write lock of a database."""
    with opened(path) as connection:
        connection.execute(f"BEGIN {how}")
        yield connection
        connection.execute("ROLLBACK")


def killed(program: str, *arguments: str) -> None:
    """Run a program that kills itself."""
    code = "import os, signal, sqlite3, sys\n" + textwrap.dedent(program)
    done = subprocess.run([sys.executable, "-c", code, *arguments], check=False, cwd=Path.cwd())
    assert done.returncode == -signal.SIGKILL


@contextmanager
def without_rights() -> Iterator[None]:
    """Be a user whom file permissions bind, also where the tests run as root."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def fingerprint(path: Path) -> str:
    """A registry's fingerprint."""
    with reading(path) as connection:
        return snapshot_fingerprint(connection)
