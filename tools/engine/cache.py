"""Folders in the user's cache, each made once for all checkouts.

A folder appears under its final name only when it is whole (one rename), and one
process makes it at a time (a lock file); whoever waits finds the folder made.
"""

import fcntl
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.engine.progress import Say


@dataclass(frozen=True)
class Made:
    """A folder to be made: its place, what it is, when it is whole, and what fills it."""

    target: Path
    what: str
    is_whole: Callable[[Path], bool]
    fill: Callable[[Path], None]


def cache_root(environ: Mapping[str, str], kind: str) -> Path:
    """The folder of what is built of a kind, in the user's cache."""
    home = Path(environ.get("HOME") or Path.home())
    return Path(environ.get("XDG_CACHE_HOME") or home / ".cache") / "fairlead" / kind


def make_once(made: Made, say: Say) -> Path:
    """Return the folder, filled now unless it is there. What `fill` raises leaves nothing."""
    target = made.target
    if made.is_whole(target):
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with lock(target.with_name(f"{target.name}.lock"), made.what, say):
        if not made.is_whole(target):
            _replace(made)
    return target


def _replace(made: Made) -> None:
    root, partials = made.target.parent, f"{made.target.name}.partial-"
    for left_over in root.glob(f"{partials}*"):
        shutil.rmtree(left_over)
    partial = Path(tempfile.mkdtemp(prefix=partials, dir=root))
    try:
        made.fill(partial)
        shutil.rmtree(made.target, ignore_errors=True)
        partial.rename(made.target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def lock(path: Path, what: str, say: Say, every: float = 10.0) -> Iterator[None]:
    """Hold the lock file; the system lets go of it with the process that dies."""
    with path.open("w") as file:
        waited = time.monotonic()
        while not _try_lock(file.fileno()):
            if time.monotonic() - waited >= every:
                say(f"{what}: another process is building it: waiting")
                waited = time.monotonic()
            time.sleep(0.1)
        yield


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
