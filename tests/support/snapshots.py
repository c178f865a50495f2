"""Boxes that snapshot their registries into one bucket: machines of a name, a file and a clock."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

from control.snapshot_keys import current_key, generation_prefix, meta_key
from control.snapshot_records import SnapshotMeta, parse_meta
from folds.snapshot_seen import SnapshotSeen
from folds.snapshots import SnapshotDecision, decide
from providers.snapshot_reading import observe_snapshot
from providers.snapshot_upload import Job
from providers.snapshot_work import run_pass
from registry.connection import reading
from registry.lineage import Lineage, read_lineage
from tests.registry.samples import fingerprint, insert, registry_of, run, sidecar
from tests.support.fake_store import FakeStore

BUCKET = "control"
# The keys of box "a1": current, its description, and the generations of its first two passes.
CURRENT, META, PREFIX = current_key("a1"), meta_key("a1"), generation_prefix("a1")
FIRST, SECOND = f"{PREFIX}20260907T100100Z.db", f"{PREFIX}20260907T100200Z.db"
START = datetime(2026, 9, 7, 10, tzinfo=timezone.utc)
_IDS = itertools.count(1)
_MEMORY = Path("/dev/shm")  # noqa: S108  # a folder of one's own is made in it


@contextmanager
def quick_folder() -> Iterator[Path]:
    """Make a folder where waiting for the disk takes no time, if the machine has such a place."""
    with tempfile.TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as folder:
        yield Path(folder)


@dataclass
class Machine:
    """One machine. ``now`` moves on by a minute with each pass; ``said`` is what it told."""

    store: FakeStore
    registry: Path
    box: str = "a1"
    now: datetime = START
    said: list[str] = field(default_factory=list)

    def seen(self) -> SnapshotSeen:
        return observe_snapshot(self.store, self.registry, box=self.box, bucket=BUCKET)

    def decided(self, acknowledged: str = "") -> SnapshotDecision:
        return decide(self.seen(), acknowledged)

    def job(self, acknowledged: str = "") -> Job:
        return Job(
            store=self.store,
            registry=self.registry,
            box=self.box,
            bucket=BUCKET,
            now=self.now,
            new_id=f"line-{next(_IDS)}",
            acknowledged=acknowledged,
            say=self.said.append,
        )

    def pass_(self, acknowledged: str = "") -> SnapshotMeta:
        """Run one pass, and return what then describes the snapshot."""
        self.now += timedelta(minutes=1)
        return run_pass(self.job(acknowledged))[0]

    def mint(self, *names: str) -> None:
        """Add rows, as the platform does."""
        insert(self.registry, map(sidecar, names))

    def sql(self, *statements: str) -> None:
        run(self.registry, *statements)

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.registry)

    @property
    def puts(self) -> list[str]:
        """The keys that were written, in their order, whatever became of it."""
        return [call.key for call in self.store.calls if call.op == "put"]

    @property
    def lineage(self) -> Lineage | None:
        with reading(self.registry) as connection:
            return read_lineage(connection, self.registry)

    @property
    def meta(self) -> SnapshotMeta:
        """What the bucket says of this box's snapshot."""
        key = meta_key(self.box)
        return parse_meta(self.store.objects[key][0], key)

    @property
    def current(self) -> bytes:
        return self.store.objects[current_key(self.box)][0]

    @property
    def generations(self) -> list[str]:
        """The names under the box's prefix."""
        prefix = generation_prefix(self.box)
        return [key.removeprefix(prefix) for key in self.store.keys(prefix)]

    def twin(self, registry: Path) -> Machine:
        """Return another machine of the same name, with another file."""
        return replace(self, registry=registry, said=[])


def machine(folder: Path, *names: str, store: FakeStore | None = None, box: str = "a1") -> Machine:
    """Make a machine whose registry holds rows of these names."""
    path = folder / f"{box}-{next(_IDS)}.db"
    return Machine(store or FakeStore(), registry_of(path, *map(sidecar, names)), box)


def old_program(made: Machine) -> bytes:
    """Put a snapshot there as the program does that was here before: no metadata, no lineage."""
    copy = made.registry.with_suffix(".copy")
    run(made.registry, f"VACUUM INTO '{copy}'")
    body = copy.read_bytes()
    meta = SnapshotMeta(
        box=made.box, fingerprint="0f" * 32, created_at="2026-09-07T09:00:00Z", size=len(body)
    )
    made.store.place(current_key(made.box), body)
    made.store.place(meta_key(made.box), meta.body)
    return body
