"""Step 2 of a snapshot stack, and the fresh read before each write: registry and bucket."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from control.errors import Malformed, ObjectNotFound
from control.snapshot_keys import (
    Generations,
    current_key,
    generation_prefix,
    generations,
    meta_key,
)
from control.snapshot_records import SnapshotMeta, parse_meta
from control.writes import WriteStore
from folds.snapshot_seen import LiveRegistry, Prior, SnapshotSeen
from providers.snapshot_files import described_by, fetch, hosts_in
from providers.snapshot_scratch import scratch
from registry.connection import reading
from registry.errors import RegistryError
from registry.fingerprint import snapshot_fingerprint
from registry.lineage import read_lineage

DAMAGED = "bytes "
"""Begins the fingerprint of a file that is no registry: the SHA-256 of its bytes follows."""


def observe_snapshot(store: WriteStore, registry: Path, *, box: str, bucket: str) -> SnapshotSeen:
    """Look at a box's registry and at its snapshot in the bucket. Nothing is written.

    Two reads of the store where the registry is as its snapshot: what describes it, and the list of
    generations. Else the current snapshot's head too; and its bytes, where its metadata does not
    say what it is. ``bucket`` is the setting, for what is said of it.

    Raises:
        RegistryError: the registry is missing, empty, locked, none (behaviour 45).
        ControlError: a read failed, or the description is malformed (behaviours 61, 65, 67).
    """
    seen = _glance(store, registry, box, bucket)
    return seen if seen.settled else _looked(store, seen)


def observe_whole(store: WriteStore, registry: Path, *, box: str, bucket: str) -> SnapshotSeen:
    """Look as `observe_snapshot` does, and at the current snapshot in any case."""
    return _looked(store, _glance(store, registry, box, bucket))


def read_meta(store: WriteStore, box: str) -> tuple[SnapshotMeta | None, str | None]:
    """Return what describes a box's current snapshot, and its ETag; (None, None) where none is.

    Raises:
        ReadFailed, Malformed: it is there, or may be, and cannot be read.
    """
    key = meta_key(box)
    try:
        body = store.get(key)
    except ObjectNotFound:
        return None, None
    return parse_meta(body.data, key), body.etag


def _glance(store: WriteStore, registry: Path, box: str, bucket: str) -> SnapshotSeen:
    live = _live(registry)
    meta, etag = read_meta(store, box)
    found = generations(box, store.list(generation_prefix(box)))
    return SnapshotSeen(box, bucket, live, meta, etag, found)


def _live(registry: Path) -> LiveRegistry:
    with reading(registry) as connection:
        fingerprint = snapshot_fingerprint(connection)
        lineage = read_lineage(connection, registry)
        hosts = hosts_in(connection)
    known = (lineage.id, lineage.last, lineage.pending) if lineage else ()
    return LiveRegistry(str(registry), fingerprint, hosts, *known)


def find_prior(
    store: WriteStore, box: str, meta: SnapshotMeta | None, found: Generations
) -> Prior | None:
    """Find the snapshot that a new one would take the place of; None where there is none.

    ``meta`` is the description in the bucket, ``found`` the generations. Where the current snapshot
    itself is gone, what is left of it may be all there is.

    Raises:
        ReadFailed: what is there cannot be read.
    """
    key = current_key(box)
    try:
        head = store.head(key)
    except ObjectNotFound:
        return _without_current(store, box, meta, found)
    own = described_by(head)
    if own:
        return Prior(key, own.fingerprint, own.lineage, meta=own, etag=head.etag)
    return replace(_downloaded(store, key, meta), etag=head.etag)


def _looked(store: WriteStore, seen: SnapshotSeen) -> SnapshotSeen:
    return replace(seen, prior=find_prior(store, seen.box, seen.meta, seen.generations))


def _without_current(
    store: WriteStore, box: str, meta: SnapshotMeta | None, found: Generations
) -> Prior | None:
    if meta:
        return Prior(meta_key(box), meta.fingerprint, meta.lineage)
    if not found.keys:
        return None
    newest = found.keys[-1]
    own = described_by(store.head(newest))
    if own:
        return Prior(newest, own.fingerprint, own.lineage, meta=own)
    return _downloaded(store, newest, None)


def _downloaded(store: WriteStore, key: str, meta: SnapshotMeta | None) -> Prior:
    """Read a snapshot whose metadata does not say what it is: another program's, or a copy.

    ``meta`` is the description in the bucket: it counts where it is of these very bytes.
    """
    with scratch() as folder:
        target = folder / "prior.db"
        try:
            file = fetch(store, key, target).file
        except (Malformed, RegistryError) as error:
            return Prior(key, f"{DAMAGED}{_digest(target)}", fault=error.reason)
        told = meta.lineage if meta and meta.sha256 == file.sha256 else ""
        lineage = told or (file.lineage.id if file.lineage else "")
        with reading(target) as connection:
            return Prior(key, file.fingerprint, lineage, hosts=hosts_in(connection))


def _digest(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()
