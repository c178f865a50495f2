"""Which lock of a file backend is dead."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from local import engine_process
from local.engine_locks import Lock, has_locks, is_dead, read_locks, remove
from local.engine_process import Process, find_process

TAKEN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
LOCK = Lock(Path("lock.json"), 4711, "here", TAKEN)
PULUMI = Process("pulumi", TAKEN - timedelta(seconds=1), zombie=False)


@pytest.mark.parametrize(
    ("process", "dead"),
    [
        (None, True),
        (PULUMI, False),
        (Process(".pulumi-wrapped", PULUMI.started, zombie=False), False),
        (Process("pulumi", PULUMI.started, zombie=True), True),
        (Process("bash", PULUMI.started, zombie=False), True),
        (Process("pulumi", TAKEN + timedelta(hours=2), zombie=False), True),
        (Process("pulumi", TAKEN + timedelta(minutes=5), zombie=False), False),
    ],
)
def test_lock_of_this_host(process: Process | None, dead: bool) -> None:  # noqa: FBT001 - a table
    """Dead: no such process, a zombie, not the CLI, or one started long after the lock."""
    assert is_dead(LOCK, "here", lambda _pid: process) is dead


def test_lock_of_another_host_is_not_ours_to_judge() -> None:
    """A process of another host cannot be seen from here."""
    assert not is_dead(LOCK, "elsewhere", lambda _pid: None)


def _write(folder: Path, name: str, body: str) -> Path:
    path = folder / ".pulumi" / "locks" / "organization" / "fairlead" / "dev" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(body)
    return path


@pytest.mark.parametrize(
    "timestamp",
    [
        "2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05.123456789Z",
        "2026-01-02T05:04:05.1+02:00",
        "2026-01-01T19:04:05-08:00",
    ],
)
def test_timestamps_as_go_writes_them(tmp_path: Path, timestamp: str) -> None:
    """Fractions of up to nine digits, and any offset."""
    body = {"pid": 4711, "username": "me", "hostname": "here", "timestamp": timestamp}
    path = _write(tmp_path, "a.json", json.dumps(body))
    assert has_locks(tmp_path)
    assert read_locks(tmp_path, "organization/fairlead/dev") == (Lock(path, 4711, "here", TAKEN),)


@pytest.mark.parametrize("body", ["", "{", "[]", '{"pid": 1}', '{"pid": "x", "hostname": "h"}'])
def test_unreadable_lock_stays_somebodys(tmp_path: Path, body: str) -> None:
    """A lock that cannot be read may be one that is being written."""
    _write(tmp_path, "a.json", body)
    assert read_locks(tmp_path, "organization/fairlead/dev") == (None,)


def test_locks_of_another_stack_are_not_read(tmp_path: Path) -> None:
    """Only the addressed stack is looked at."""
    _write(tmp_path, "a.json", "{}")
    assert read_locks(tmp_path, "organization/fairlead/prod") == ()


def test_removed_with_its_attributes(tmp_path: Path) -> None:
    """The file backend keeps attributes beside each object."""
    path = _write(tmp_path, "a.json", "{}")
    beside = _write(tmp_path, "a.json.attrs", "{}")
    remove(Lock(path, 1, socket.gethostname(), TAKEN))
    assert not path.exists()
    assert not beside.exists()
    assert not has_locks(tmp_path)


@pytest.mark.parametrize("read", [engine_process._from_proc, engine_process._from_ps])
def test_own_process(read: object) -> None:
    """Both ways of asking tell name, start and state of a process that runs."""
    if read is engine_process._from_ps:
        if shutil.which("ps") is None:
            pytest.skip("there is no ps")
        found = engine_process._from_ps(os.getpid())
    else:
        found = engine_process._from_proc(os.getpid(), Path("/proc"))
    assert found is not None
    assert found.name.startswith(("python", "pytest"))
    assert timedelta() <= datetime.now(timezone.utc) - found.started < timedelta(hours=2)
    assert not found.zombie


def test_zombie_and_gone() -> None:
    """A process that ended is a zombie until its parent asks, and then nothing."""
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    ended = find_process(child.pid)
    assert ended is not None
    assert ended.zombie
    child.wait()
    assert find_process(child.pid) is None
