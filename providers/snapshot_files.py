"""A snapshot's file out of the bucket, on this disk: fetched, compared and verified."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from control.errors import Malformed
from control.snapshot_records import SnapshotMeta, described
from control.writes import Head, WriteStore
from folds.snapshot_seen import Hosts
from registry.verify import SnapshotFile, verify_file


@dataclass(frozen=True, slots=True)
class Fetched:
    """A verified file, and what its own object's metadata says, None where not everything."""

    key: str
    file: SnapshotFile
    meta: SnapshotMeta | None


def fetch(store: WriteStore, key: str, target: Path, meta: SnapshotMeta | None = None) -> Fetched:
    """Download a snapshot to a new file, readable by its owner alone, and verify it.

    ``meta`` is what somebody else says of it: then size, and what else it says, must be so. What
    the object says of itself must be so in any case. A store in mid-change is not looked at twice:
    an object that was replaced between its head and its bytes does not verify.

    Raises:
        Malformed: it is not what is said of it.
        RegistryError: it is no registry, or a damaged one.
        ReadFailed: it could not be read; `ObjectNotFound` where it is not there.
    """
    own = described_by(store.head(key))
    body = store.get(key).data
    for told in filter(None, (meta, own)):
        _compare(key, body, told)
    _write(target, body)
    file = verify_file(target)
    for told in filter(None, (meta, own)):
        if told.lineage and told.fingerprint != file.fingerprint:
            raise Malformed(key, f"holds {file.fingerprint}, described as {told.fingerprint}")
    return Fetched(key, file, own)


def described_by(head: Head) -> SnapshotMeta | None:
    """Return what an object's metadata says of it, None where it does not say everything."""
    return described(head.metadata, head.size)


def hosts_in(connection: sqlite3.Connection) -> Hosts:
    """Return the hosts of an open registry's routes, as the bytes that stand in the file."""
    rows = connection.execute("SELECT CAST(host AS BLOB) FROM routes")
    return frozenset(host or b"" for (host,) in rows)


def _compare(key: str, body: bytes, meta: SnapshotMeta) -> None:
    if len(body) != meta.size:
        raise Malformed(key, f"is {len(body)} bytes, described as {meta.size}")
    digest = sha256(body).hexdigest()
    if meta.sha256 and digest != meta.sha256:
        raise Malformed(key, f"has sha256 {digest}, described as {meta.sha256}")


def _write(target: Path, body: bytes) -> None:
    descriptor = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())
