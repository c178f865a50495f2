"""Writing a snapshot: generation, current, description, each on condition, in this order.

The registry's lineage brackets the writes. ``pending`` is set before the first, ``last`` after the
last one: wherever a run ends, the next one knows its own snapshot again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from control.conditions import check_conditions
from control.errors import WriteConflict
from control.snapshot_keys import current_key, generation_key, meta_key
from control.snapshot_records import SnapshotMeta, rfc3339
from control.writes import Answer, Upload, WriteStore, check_written, write
from folds.snapshot_seen import SnapshotSeen
from folds.snapshots import summarize
from providers.errors import GuardRefused
from providers.snapshot_inputs import refusals
from providers.snapshot_reading import observe_whole
from registry import lineage
from registry.verify import SnapshotFile

TRIES = 3
"""How often a write that lost a race is tried, each time judged anew (behaviour 69)."""


@dataclass(frozen=True, slots=True)
class Job:
    """One pass: where from, where to, whose word counts, and what it has done so far.

    ``now`` has a time zone. ``new_id`` is the lineage of a registry that has none. ``acknowledged``
    is the digest let through, or empty. ``say`` shows a line; ``done`` collects what was written.
    """

    store: WriteStore
    registry: Path
    box: str
    bucket: str
    now: datetime
    new_id: str
    acknowledged: str = ""
    say: Callable[[str], None] = lambda _: None
    done: list[str] = field(default_factory=list)

    def look(self, fingerprint: str) -> SnapshotSeen:
        """Look at everything again, for a registry whose content is ``fingerprint``."""
        seen = observe_whole(self.store, self.registry, box=self.box, bucket=self.bucket)
        return replace(seen, live=replace(seen.live, fingerprint=fingerprint))

    def judge(self, seen: SnapshotSeen) -> None:
        """Run the guards on what would be replaced now.

        Raises:
            GuardRefused: a mandatory one refuses.
        """
        if reasons := refusals(summarize(seen, self.acknowledged, writes=True)):
            raise GuardRefused(f"snapshot: {'; '.join(reasons)}{self.so_far}")

    @property
    def so_far(self) -> str:
        """What was written, as the end of a message."""
        return f"; written before: {', '.join(self.done)}" if self.done else "; nothing was written"


def upload(job: Job, seen: SnapshotSeen, file: SnapshotFile) -> SnapshotMeta:
    """Make a file the current snapshot, and return what now describes it (behaviours 49 to 58).

    ``seen`` was judged for this file. What is in mid-air when a write fails is found by the next
    pass.

    Raises:
        GuardRefused: somebody else's snapshot came in between.
        WriteFailed: `ConditionsIgnored` before the current snapshot is touched, `WriteConflict`
            after three lost races, `NotAsWritten` where the store shows another object.
        ControlError, RegistryError: a read, a write or the bookkeeping failed.
    """
    _acknowledge_own(job, seen)
    begun = lineage.begin(job.registry, file.fingerprint, job.new_id)
    data = file.path.read_bytes()
    meta = SnapshotMeta(
        box=job.box,
        fingerprint=file.fingerprint,
        created_at=rfc3339(job.now),
        size=file.size,
        sha256=file.sha256,
        routes=file.routes,
        lineage=begun.id,
        parent=_parent(seen),
    )
    _put_generation(job, Upload.of(generation_key(job.box, job.now), data, meta.attributes))
    seen, meta = _put_current(job, seen, meta, data)
    finish(job, seen, meta)
    return meta


def finish(job: Job, seen: SnapshotSeen, meta: SnapshotMeta) -> None:
    """Describe the current snapshot, and remember that this registry is as it says.

    Raises:
        WriteConflict, GuardRefused: see `_describe`; the next pass finishes.
    """
    _describe(job, seen, meta)
    known = meta.lineage or seen.live.lineage or job.new_id
    lineage.set_last(job.registry, known, meta.fingerprint)


def _describe(job: Job, seen: SnapshotSeen, meta: SnapshotMeta) -> None:
    """Write what describes the current snapshot, unless it says so already.

    Raises:
        WriteConflict: lost three races, or the current snapshot is another one by now.
        GuardRefused: the description that stands there must not be replaced.
    """
    key = meta_key(job.box)
    for _ in range(TRIES):
        if seen.meta == meta:
            return
        upload = Upload.of(key, meta.body)
        if write(job.store, upload, seen.meta_etag) in (Answer.WON, Answer.SAME):
            job.done.append(key)
            return
        seen = job.look(meta.fingerprint)
        if seen.current != meta:
            raise WriteConflict(current_key(job.box), "replaced by another writer meanwhile")
        job.judge(seen)
    raise WriteConflict(key, f"lost the race for it {TRIES} times; find the other writer")


def _acknowledge_own(job: Job, seen: SnapshotSeen) -> None:
    """Take in the snapshot of a pass that ended before it said so.

    In a transaction of its own, and before ``pending`` is overwritten: from then on nothing else
    would tell that the current snapshot is this registry's.
    """
    prior, live = seen.prior, seen.live
    if prior and prior.fingerprint == live.pending != live.last:
        lineage.confirm(job.registry, live.pending)


def _put_generation(job: Job, generation: Upload) -> None:
    """Write a generation where there is none; one that is there stays (behaviours 52, 53).

    Nobody else writes it, so the store is tried on it before current is touched.
    """
    if write(job.store, generation, None) is Answer.LOST:
        job.say(f"snapshot: {generation.key} is there with other content, and stays")
        return
    job.done.append(generation.key)
    check_conditions(job.store, generation)
    check_written(job.store, generation)


def _put_current(
    job: Job, seen: SnapshotSeen, meta: SnapshotMeta, data: bytes
) -> tuple[SnapshotSeen, SnapshotMeta]:
    key = current_key(job.box)
    for _ in range(TRIES):
        meta = meta.model_copy(update={"parent": _parent(seen)})
        upload = Upload.of(key, data, meta.attributes)
        expecting = seen.prior.etag if seen.prior else None
        if write(job.store, upload, expecting) in (Answer.WON, Answer.SAME):
            check_written(job.store, upload)
            job.done.append(key)
            return seen, meta
        seen = job.look(meta.fingerprint)
        job.judge(seen)
        if seen.current and seen.current.fingerprint == meta.fingerprint:
            return seen, seen.current
    raise WriteConflict(key, f"lost the race for it {TRIES} times; find the other writer")


def _parent(seen: SnapshotSeen) -> str:
    """Return the fingerprint of what was current; a generation alone may never have been."""
    was_current = seen.prior and (seen.prior.etag is not None or seen.meta is not None)
    return seen.prior.fingerprint if seen.prior and was_current else ""
