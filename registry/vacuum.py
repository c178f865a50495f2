"""Taking a snapshot of a registry that others write meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

from registry.connection import BUDGET_SECONDS, looking
from registry.errors import RegistryDiskFailed, RegistryFull, RegistryUnopenable, TargetExists
from registry.schema import check_schema
from registry.vendor import translating
from registry.verify import SnapshotFile, verify_file


def vacuum_into(
    path: Path, target: Path, *, budget_seconds: float = BUDGET_SECONDS
) -> SnapshotFile:
    """Write what a registry holds at one moment into a new file, and verify that file.

    `VACUUM INTO` (https://www.sqlite.org/lang_vacuum.html): committed rows only, those in the -wal
    among them; one file in rollback mode. It is readable by its owner alone and is on the disk when
    this returns. A killed run may leave a part of it: let `target` be in a folder of its own.

    Returns:
        What was verified: all of it of the new file, not of the registry, which may have moved on.

    Raises:
        TargetExists: there is something at `target`; it was not touched.
        RegistryError: of the registry, or of the new file, by its path. There is no new file then.
    """
    _reserve(target)
    try:
        _vacuum(path, target, budget_seconds)
        _flush(target)
        _flush(target.parent)
        return verify_file(target)
    except BaseException:
        for left in (target, Path(f"{target}-journal")):
            left.unlink(missing_ok=True)
        raise


def _vacuum(path: Path, target: Path, budget_seconds: float) -> None:
    try:
        with translating(path, budget_seconds), looking(path, budget_seconds) as connection:
            check_schema(connection, path)
            connection.execute("VACUUM INTO ?", (str(target.absolute()),))
    except RegistryFull as full:
        # Nothing was written to the registry: it is the target's file system that is full.
        raise RegistryFull(target, full.said) from full


def _reserve(target: Path) -> None:
    # SQLite takes an empty file as a target, and would make one that everybody can read.
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError as error:
        raise TargetExists(target) from error
    except OSError as error:
        raise RegistryUnopenable(target, f"{error.strerror}; check its folder") from error


def _flush(path: Path) -> None:
    # SQLite does not wait for the disk with a file that it vacuums into.
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        raise RegistryDiskFailed(path, f"{error.strerror}") from error
    finally:
        os.close(descriptor)
