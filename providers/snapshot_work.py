"""What a ``RegistrySnapshot`` does to the world: reconcile, refresh, forget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from control.bucket import open_writable
from control.errors import ControlError
from control.snapshot_keys import Generations, current_key, generation_prefix, generations
from control.snapshot_records import SnapshotMeta
from control.writer import ObjectWriter
from folds.snapshot_seen import SnapshotSeen
from folds.snapshots import beyond, decide
from providers.engine import Engine
from providers.errors import ApplyFailed
from providers.snapshot_inputs import SnapshotInputs
from providers.snapshot_reading import observe_snapshot, read_meta
from providers.snapshot_scratch import scratch
from providers.snapshot_upload import Job, finish, upload
from registry.errors import RegistryError
from registry.vacuum import vacuum_into


def reconcile(inputs: SnapshotInputs, *, now: datetime, new_id: str) -> dict[str, Any]:
    """Bring the snapshot to the registry's state, on a fresh read, and return the outputs.

    ``now`` has a time zone. ``new_id`` is the lineage of a registry that has none yet.

    Raises:
        GuardRefused, EngineGone: nothing was written, or nothing more.
        ApplyFailed: what failed, and what was written before.
    """
    engine, desired = Engine.of_this_process(), inputs.desired
    job = Job(
        store=_store(desired.bucket, engine),
        registry=Path(desired.registry),
        box=desired.box,
        bucket=desired.bucket,
        now=now,
        new_id=new_id,
        acknowledged=inputs.summary.acknowledged,
        say=engine.say,
    )
    meta, found = run_pass(job)
    return outputs(desired.bucket, desired.box, meta, found)


def run_pass(job: Job) -> tuple[SnapshotMeta, Generations]:
    """Do what one pass has to do now: observe, decide, judge, write, prune.

    Raises:
        GuardRefused, EngineGone, ApplyFailed: see `reconcile`.
    """
    with _told(job):
        seen = observe_snapshot(job.store, job.registry, box=job.box, bucket=job.bucket)
        untouched = decide(seen).plan.empty
        meta = (seen.meta if seen.settled else None) or _bring_up(job, seen)
        return meta, seen.generations if untouched else prune(job)


def prune(job: Job) -> Generations:
    """Delete the lexically oldest generations over 8, as they are listed now (behaviour 59).

    Raises:
        ListingFailed: nothing was deleted.
        DeleteFailed: no further one is deleted (behaviour 61).
    """
    found = generations(job.box, job.store.list(generation_prefix(job.box)))
    gone = beyond(found.keys)
    for key in gone:
        job.store.delete(key)
        job.done.append(f"-{key}")
    return replace(found, keys=found.keys[len(gone) :])


def refreshed(identity: str) -> dict[str, Any] | None:
    """Return the live outputs of a snapshot, ``<bucket>/<its key>``; none if there is none.

    Raises:
        ControlError: if it cannot be read.
    """
    bucket, _, name = identity.rpartition("/control/registry-snapshot/")
    box = name.removesuffix(".db")
    store = _store(bucket, Engine.of_this_process())
    meta, _ = read_meta(store, box)
    found = generations(box, store.list(generation_prefix(box)))
    return None if meta is None else outputs(bucket, box, meta, found)


def forget(props: Mapping[str, Any]) -> None:
    """Say that a snapshot is forgotten: it stays, and can be restored."""
    Engine.of_this_process().say(
        f"snapshot: box {props['box']} forgotten; in {props['bucket']} there stay {props['key']},"
        f" what describes it and its generations ({len(props['generations'])})"
    )


def outputs(bucket: str, box: str, meta: SnapshotMeta, found: Generations) -> dict[str, Any]:
    """Return the resource's outputs; ``generations`` are the keys, the oldest first."""
    return {
        "bucket": bucket,
        "box": box,
        "key": current_key(box),
        "fingerprint": meta.fingerprint,
        "createdAt": meta.created_at,
        "generations": list(found.keys),
    }


def _bring_up(job: Job, seen: SnapshotSeen) -> SnapshotMeta:
    """Make the current snapshot this registry's, or finish what an earlier pass began."""
    job.judge(seen)
    if decide(seen).plan.action == "settle" and seen.current:
        finish(job, seen, seen.current)
        return seen.current
    with scratch() as folder:
        file = vacuum_into(job.registry, folder / "registry.db")
        fresh = replace(seen, live=replace(seen.live, fingerprint=file.fingerprint))
        job.judge(fresh)
        return upload(job, fresh, file)


def _store(bucket: str, engine: Engine) -> ObjectWriter:
    return open_writable(bucket, before_write=engine.require, sleep=engine.sleep)


@contextmanager
def _told(job: Job) -> Iterator[None]:
    """Say of a failure what had been written before it."""
    try:
        yield
    except (ControlError, RegistryError, OSError) as error:
        raise ApplyFailed(f"snapshot: {error}{job.so_far}; the next run goes on") from error
