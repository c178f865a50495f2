"""``snapshots``: every box that has any, its current snapshot and its generations, verified."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from control.errors import Malformed, ObjectNotFound
from control.snapshot_keys import (
    CURRENT_PREFIX,
    GENERATIONS_PREFIX,
    boxes,
    current_key,
    generation_prefix,
    generations,
)
from control.snapshot_records import SnapshotMeta
from control.text import printable
from control.writes import WriteStore
from operate.ages import age
from providers.snapshot_files import fetch
from providers.snapshot_reading import read_meta
from providers.snapshot_scratch import scratch
from registry.errors import RegistryError


def snapshots(store: WriteStore, *, now: datetime) -> int:
    """Print a line for each box and each of its generations: whole, or what is wrong with it.

    Returns:
        0 if every box's current snapshot is whole, else 1.

    Raises:
        ControlError: the bucket could not be read.
    """
    known = boxes(store.list(CURRENT_PREFIX), store.folders(GENERATIONS_PREFIX))
    if not known:
        print("no box has a snapshot")
    verdicts = [_box(store, box, now) for box in known]
    return 0 if all(verdicts) else 1


def _box(store: WriteStore, box: str, now: datetime) -> bool:
    """Print the lines of a box; return whether its current snapshot is whole."""
    told, fault = _described(store, box)
    fault = fault or _fault(store, current_key(box), told)
    when = f"taken {printable(told.created_at)} ({age(told, now)})" if told else "not described"
    print(f"{box}: {current_key(box)}: {fault or 'whole'}, {when}")
    for line in _generations(store, box):
        print(f"  {line}")
    return not fault


def _described(store: WriteStore, box: str) -> tuple[SnapshotMeta | None, str]:
    try:
        meta, _ = read_meta(store, box)
    except Malformed as error:
        return None, str(error)
    if meta is None:
        return None, "nothing describes it"
    return meta, "" if meta.box == box else f'says it is of box "{printable(meta.box)}"'


def _generations(store: WriteStore, box: str) -> Iterator[str]:
    found = generations(box, store.list(generation_prefix(box)))
    for key in found.keys:
        yield f"{key}: {_fault(store, key) or 'whole'}"
    for key in found.foreign:
        yield f"{printable(key)}: no generation, left alone"


def _fault(store: WriteStore, key: str, told: SnapshotMeta | None = None) -> str:
    """Fetch and verify an object; return what is wrong with it, empty for nothing."""
    with scratch() as folder:
        try:
            fetch(store, key, Path(folder, "file.db"), told)
        except ObjectNotFound:
            return "gone"
        except (Malformed, RegistryError) as error:
            return printable(error.reason)
    return ""
