"""``restore``: put the newest whole snapshot of a dead box where a new one will look for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from control.snapshot_keys import STAMP, current_key
from control.text import printable
from control.writes import WriteStore
from folds.snapshots import routes
from operate.ages import age
from operate.errors import RestoreFailed, TargetTaken
from operate.snapshot_source import Search, Source
from providers.snapshot_scratch import scratch
from registry.lineage import set_last

SIDE_FILES = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database: left beside another one, it is played into it."""


@dataclass(frozen=True, slots=True)
class Order:
    """What the operator asked for.

    ``box`` is the dead one's label, ``target`` where the registry goes. ``replace`` sets aside what
    is there. ``now`` has a time zone; ``new_id`` is the lineage where the snapshot has none.
    """

    bucket: str
    box: str
    target: Path
    replace: bool
    now: datetime
    new_id: str


def restore(store: WriteStore, order: Order) -> int:
    """Restore, and say from what, how old it is, and what was passed over on the way.

    Returns:
        0: the file is in its place, whole.

    Raises:
        OperateError: see `operate.errors`. Nothing was changed, but for `RestoreFailed`.
        ControlError: the bucket could not be read, which is never "no snapshot".
    """
    source, aside = put_in_place(store, order)
    for line in source.passed_over:
        print(f"passed over: {line}")
    file = source.fetched.file
    print(
        f"restored box {order.box} to {order.target}: {routes(file.routes)}, from"
        f" {source.fetched.key}, taken {printable(source.meta.created_at)}"
        f" ({age(source.meta, order.now)})"
    )
    for path in aside:
        print(f"set aside: {path}")
    print("readable by its owner alone: give it to the platform's user before that is started")
    return 0


def put_in_place(store: WriteStore, order: Order) -> tuple[Source, tuple[Path, ...]]:
    """Fetch, verify and place a registry; return where it is from and what was set aside.

    The file is whole, and its lineage says which snapshot it succeeds, before it gets its name. A
    crash leaves the old registry with its side files, or none, or the new one: never a mixture.
    """
    _refuse_taken(order)
    with _explained(order), scratch(order.target.absolute().parent) as folder:
        source = Search(store, order.bucket, order.box, folder).newest()
        file = source.fetched.file
        _succeed(order, source)
        _flush(file.path)
        aside = _set_aside(order)
        _place(file.path, order.target, aside)
    return source, aside


def _refuse_taken(order: Order) -> None:
    """Refuse a target that is there; a folder always, since setting it aside would take all of it.

    Raises:
        TargetTaken: nothing was read.
    """
    if order.target.is_dir():
        raise TargetTaken(f"{order.target}: is a folder; name the registry's file in it")
    taken = [f"{order.target}{ending}" for ending in _existing(order.target)]
    if taken and not order.replace:
        raise TargetTaken(
            f"{', '.join(taken)}: a registry is there; stop what uses it, and set it aside with"
            " --replace"
        )


def _existing(target: Path) -> list[str]:
    """Return the endings of what is there, the database's own empty one first."""
    return [each for each in ("", *SIDE_FILES) if os.path.lexists(f"{target}{each}")]


def _succeed(order: Order, source: Source) -> None:
    """Make the file the successor of what is current, whole or not: its next pass replaces that.

    A fall back to a generation is meant: what its box writes next takes the broken one's place.
    """
    file, prior = source.fetched.file, source.current
    lineage, last = source.meta.lineage, file.fingerprint
    if prior and source.fetched.key != current_key(order.box):
        lineage, last = prior.lineage, prior.fingerprint
    set_last(file.path, lineage or order.new_id, last)


def _set_aside(order: Order) -> tuple[Path, ...]:
    """Rename what is there, the database first: without it nobody takes its side files for one.

    They keep their endings, so that the old registry can be opened under its new name.
    """
    base = _free(order.target, order.now)
    endings = _existing(order.target)
    for ending in endings:
        Path(f"{order.target}{ending}").rename(f"{base}{ending}")
    _flush(order.target.absolute().parent)
    return tuple(Path(f"{base}{ending}") for ending in endings)


def _free(target: Path, now: datetime) -> Path:
    stamp = f"{target}.aside-{now.astimezone(timezone.utc):{STAMP}}"
    names = (Path(f"{stamp}{more}") for more in ("", *(f"-{number}" for number in range(2, 100))))
    return next(name for name in names if not _existing(name))


def _place(file: Path, target: Path, aside: tuple[Path, ...]) -> None:
    """Give the file its name, unless something has it by now: a rename would write over it."""
    was = f"; what was there is now {', '.join(map(str, aside))}" if aside else ""
    try:
        os.link(file, target)
        _flush(target.absolute().parent)
    except FileExistsError as error:
        raise TargetTaken(f"{target}: came into being just now; stop what makes it{was}") from error
    except OSError as error:
        raise RestoreFailed(f"{target}: {error.strerror}; restore again{was}") from error


@contextmanager
def _explained(order: Order) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RestoreFailed(f"{order.target}: {error}; mend that and restore again") from error


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
