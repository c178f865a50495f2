"""A host's lock on this box: one holder at a time, of all processes and threads."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager

from providers.claim_errors import HostBusy
from providers.claim_files import HostFiles

LIMIT_SECONDS = 5.0
"""How long a host's lock is waited for. Who has it holds it for a few writes and one read."""
LOCK = "lock"
_PAUSE_SECONDS = 0.02


@contextmanager
def host_lock(files: HostFiles, host: str, limit_seconds: float = LIMIT_SECONDS) -> Iterator[None]:
    """Hold a host's lock for the block.

    ``flock`` on a descriptor of its own: it ends with the process, however that ends, so there is
    no stale one to break, and no clock in it. The file is never removed: a lock on a file that has
    lost its name would lock nobody out.

    Raises:
        HostBusy: somebody else had it for the whole limit.
        ClaimError: its file cannot be opened, as `HostFiles.lockable` says.
    """
    with files.lockable(host, LOCK) as descriptor:
        end = time.monotonic() + limit_seconds
        while not _locked(descriptor):
            if time.monotonic() >= end:
                path = files.path(host, LOCK)
                said = f"another run works on it: {path} was not free within {limit_seconds:g} s"
                raise HostBusy(host, f"{said}; run again, or see who has it (fuser {path})")
            time.sleep(_PAUSE_SECONDS)
        yield  # the lock goes with the descriptor


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
