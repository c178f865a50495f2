"""Background processes that outlive the command that started them, known by number and start.

A number alone is not enough to end a process: once it is free, the system gives it to another.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

_ENDS_WITHIN = 10.0  # seconds after SIGTERM; then SIGKILL
_LOOK_EVERY = 0.02  # seconds
_STATE, _START = 0, 19  # fields of /proc/<pid>/stat, counted after the name


@dataclass(frozen=True, slots=True)
class Service:
    """A process that answers at a URL. ``start`` tells it from a later one of the same number."""

    pid: int
    start: str
    url: str

    @classmethod
    def of(cls, pid: int, url: str) -> Service:
        """Remember a process that runs now."""
        return cls(pid, start_of(pid), url)

    @property
    def alive(self) -> bool:
        """Whether this very process still runs."""
        return bool(self.start) and start_of(self.pid) == self.start

    def stop(self) -> bool:
        """End it and wait until it is gone; say whether there was anything to end."""
        if not self.alive:
            return False
        os.kill(self.pid, signal.SIGTERM)
        deadline = time.monotonic() + _ENDS_WITHIN
        while self.alive and time.monotonic() < deadline:
            time.sleep(_LOOK_EVERY)
        if self.alive:
            os.kill(self.pid, signal.SIGKILL)
        return True


def start_of(pid: int, proc: Path = Path("/proc")) -> str:
    """Return when a process began, in the system's own words; empty if it does not run."""
    if not (proc / "stat").is_file():
        return _start_by_ps(pid)
    try:
        text = (proc / str(pid) / "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    fields = text.rpartition(")")[2].split()
    return "" if fields[_STATE] == "Z" else f"{_boot(proc)} {fields[_START]}"


def _boot(proc: Path) -> str:
    """Name this run of the machine: the kernel counts a process's start from it."""
    return (proc / "sys/kernel/random/boot_id").read_text().strip()


def _start_by_ps(pid: int) -> str:
    listed = subprocess.run(
        ["ps", "-o", "stat=,lstart=", "-p", str(pid)],
        env={**os.environ, "LC_ALL": "C", "TZ": "UTC"},
        capture_output=True,
        text=True,
        check=False,
    )
    state, _, start = listed.stdout.strip().partition(" ")
    return "" if state.startswith("Z") else start.strip()
