"""What is ended is what was started: never a later process of the same number."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from local import processes
from local.processes import Service, start_of

STUBBORN = (
    "import signal, sys; signal.signal(15, signal.SIG_IGN); print(flush=True); sys.stdin.read()"
)


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["/bin/sleep", "60"]) as process:
        yield process
        process.kill()


def test_process_is_ended_and_gone(child: subprocess.Popen[bytes]) -> None:
    """After stop returns it does not run; a second stop has nothing to do."""
    service = Service.of(child.pid, "http://127.0.0.1:1")
    assert service.alive
    assert service.stop()
    assert not service.alive
    assert child.wait() == -signal.SIGTERM
    assert not service.stop()


def test_number_of_another_process_is_left_alone(child: subprocess.Popen[bytes]) -> None:
    """The number is in use again, by a process with another start: it lives on."""
    stale = replace(Service.of(child.pid, "http://127.0.0.1:1"), start="long ago")
    assert not stale.alive
    assert not stale.stop()
    assert child.poll() is None


def test_process_that_ignores_the_request_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the grace time SIGKILL ends it."""
    monkeypatch.setattr(processes, "_ENDS_WITHIN", 0.05)
    with subprocess.Popen(
        [sys.executable, "-c", STUBBORN], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as stubborn:
        assert stubborn.stdout is not None
        stubborn.stdout.readline()
        assert Service.of(stubborn.pid, "http://127.0.0.1:1").stop()
        assert stubborn.wait() == -signal.SIGKILL


def test_zombie_does_not_count_as_running() -> None:
    """A process that ended and was not waited for is over."""
    with subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        assert start_of(ended.pid) == ""


def test_never_started_process_is_not_alive() -> None:
    """An empty start never matches: a number that is free is nobody's."""
    assert not Service(2**22 + 1, "", "http://127.0.0.1:1").alive


@pytest.mark.skipif(shutil.which("ps") is None, reason="there is no ps")
def test_start_is_the_same_by_ps(child: subprocess.Popen[bytes], tmp_path: Path) -> None:
    """Where there is no /proc, `ps` tells one process from another as well."""
    first = start_of(child.pid, tmp_path)
    assert first
    assert start_of(child.pid, tmp_path) == first
    child.kill()
    child.wait()
    assert start_of(child.pid, tmp_path) == ""
