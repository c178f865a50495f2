"""A host's lock: one holder at a time, and none that outlives its process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from providers.claim_errors import HostBusy
from providers.claim_files import HostFiles
from providers.claim_lock import host_lock

HOST, OTHER = "a.example", "b.example"
_HOLDER = """
import sys
from pathlib import Path
from providers.claim_files import HostFiles
from providers.claim_lock import host_lock
with host_lock(HostFiles(Path(sys.argv[1])), sys.argv[2]):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def files(tmp_path: Path) -> HostFiles:
    return HostFiles(tmp_path)


@contextmanager
def held_elsewhere(files: HostFiles) -> Iterator[subprocess.Popen[bytes]]:
    """Let another process hold the host's lock until the block ends."""
    command = [sys.executable, "-c", _HOLDER, str(files.data_dir), HOST]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        try:
            yield process
        finally:
            process.kill()


def inode(files: HostFiles) -> int:
    return (files.data_dir / "claims" / HOST / "lock").stat().st_ino


def test_lock_of_another_process(files: HostFiles) -> None:
    """It is waited for no longer than the limit; the message says what, how long, and what next."""
    with held_elsewhere(files), pytest.raises(HostBusy) as busy, host_lock(files, HOST, 0.05):
        pass
    path = files.path(HOST, "lock")
    assert str(busy.value) == (
        f"claims: {HOST}: another run works on it: {path} was not free within 0.05 s;"
        f" run again, or see who has it (fuser {path})"
    )


def test_lock_of_another_host(files: HostFiles) -> None:
    """Hosts do not wait for one another."""
    with held_elsewhere(files), host_lock(files, OTHER, 0.05):
        pass


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_lock_of_a_process_that_died(files: HostFiles, how: signal.Signals) -> None:
    """It ended with the process: nothing is stale, whatever killed it."""
    with held_elsewhere(files) as process:
        os.kill(process.pid, how)
        process.wait()
        with host_lock(files, HOST, 0.05):
            pass


def test_lock_of_a_stopped_process(files: HostFiles) -> None:
    """Who is paused with the lock still has it, for as long as it takes."""
    with held_elsewhere(files) as process:
        os.kill(process.pid, signal.SIGSTOP)
        with pytest.raises(HostBusy), host_lock(files, HOST, 0.05):
            pass


def test_lock_file_stays(files: HostFiles) -> None:
    """It keeps its name and its inode, so that everybody locks the same."""
    with host_lock(files, HOST):
        before = inode(files)
    with pytest.raises(ValueError, match="work"), host_lock(files, HOST):
        raise ValueError("work")
    with host_lock(files, HOST):
        assert inode(files) == before


def test_threads(files: HostFiles) -> None:
    """Within one process there is one holder, too: each has a descriptor of its own."""
    inside, most = threading.Semaphore(1), []

    def work(number: int) -> None:
        with host_lock(files, HOST, 30):
            assert inside.acquire(blocking=False)
            most.append(number)
            inside.release()

    with ThreadPoolExecutor(8) as pool:
        [*pool.map(work, range(40))]
    assert sorted(most) == [*range(40)]


def test_lock_within_a_lock(files: HostFiles) -> None:
    """It is busy, not a deadlock."""
    with host_lock(files, HOST), pytest.raises(HostBusy), host_lock(files, HOST, 0.05):
        pass


def test_error_of_the_work(files: HostFiles) -> None:
    """What the work raises is not taken for the lock's."""
    with pytest.raises(PermissionError, match="of the work"), host_lock(files, HOST):
        raise PermissionError("of the work")
