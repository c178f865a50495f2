"""Proving that a file at rest is a whole registry, and saying what is in it."""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from registry.connection import BUDGET_SECONDS, reading
from registry.errors import RegistryCorrupt, RegistryMissing, RegistryUnopenable
from registry.fingerprint import snapshot_fingerprint
from registry.lineage import Lineage, read_lineage

_CHUNK_BYTES = 1 << 20
_FINDINGS = 3


@dataclass(frozen=True, slots=True)
class SnapshotFile:
    """A verified file: `sha256` and `size` (bytes) of the file, the rest of what it holds."""

    path: Path
    sha256: str
    size: int
    routes: int
    fingerprint: str
    lineage: Lineage | None


def verify_file(path: Path) -> SnapshotFile:
    """Check a registry file that nobody has open: a snapshot just made, or just downloaded.

    SQLite's integrity check, the table `routes` and its columns; then count and fingerprint. A
    flipped byte inside a value passes all of these: compare `sha256` where one is known.

    Raises:
        RegistryCorrupt: the integrity check found something.
        RegistryError: the other kinds that a file can be.
    """
    sha256, size = _hashed(path)
    with reading(path, budget_seconds=BUDGET_SECONDS) as connection:
        _check_integrity(connection, path)
        (routes,) = connection.execute("SELECT count(*) FROM routes").fetchone()
        fingerprint = snapshot_fingerprint(connection)
        return SnapshotFile(path, sha256, size, routes, fingerprint, read_lineage(connection, path))


def _check_integrity(connection: sqlite3.Connection, path: Path) -> None:
    findings = [line for (line,) in connection.execute(f"PRAGMA integrity_check({_FINDINGS})")]
    if findings != ["ok"]:
        raise RegistryCorrupt(path, "; ".join(findings))


def _hashed(path: Path) -> tuple[str, int]:
    # Before SQLite opens it: see `registry.connection` on closing a file that SQLite has locked.
    digest, size = hashlib.sha256(), 0
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK_BYTES):
                digest.update(chunk)
                size += len(chunk)
    except FileNotFoundError as error:
        raise RegistryMissing(path) from error
    except OSError as error:
        raise RegistryUnopenable(path, f"{error.strerror}; check the path") from error
    return digest.hexdigest(), size
