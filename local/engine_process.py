"""Whether the process that a lock names still lives."""

import os
import re
import subprocess
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

_STAT = re.compile(r"\d+ \((?P<name>.*)\) (?P<state>\S)(?: \S+){18} (?P<start>\d+)", re.DOTALL)
_PS = re.compile(r"(?P<state>\S)\S*\s+(?P<start>\w+ +\w+ +\d+ [\d:]+ \d+)\s+(?P<name>.*)")


@dataclass(frozen=True)
class Process:
    """A process: its executable's name, its start (UTC), and whether it is a zombie."""

    name: str
    started: datetime
    zombie: bool


def find_process(pid: int, proc: Path = Path("/proc")) -> Process | None:
    """The process of that number, or None; from /proc where there is one, else from `ps`."""
    if (proc / "stat").is_file():
        return _from_proc(pid, proc)
    return _from_ps(pid)


def _from_proc(pid: int, proc: Path) -> Process | None:
    try:
        found = _STAT.match((proc / str(pid) / "stat").read_text())
    except (FileNotFoundError, ProcessLookupError):
        return None
    if found is None:
        return None
    booted = re.search(r"^btime (\d+)$", (proc / "stat").read_text(), re.MULTILINE)
    seconds = int(booted.group(1)) if booted else 0
    started = seconds + int(found["start"]) / os.sysconf("SC_CLK_TCK")
    return Process(
        found["name"], datetime.fromtimestamp(started, tz=timezone.utc), found["state"] == "Z"
    )


def _from_ps(pid: int) -> Process | None:
    listed = subprocess.run(
        ["ps", "-o", "stat=,lstart=,comm=", "-p", str(pid)],
        env={**os.environ, "LC_ALL": "C", "TZ": "UTC"},
        capture_output=True,
        text=True,
        check=False,
    )
    found = _PS.match(listed.stdout.strip())
    if found is None:
        return None
    start = " ".join(found["start"].split())
    started = datetime.strptime(f"{start} +0000", "%a %b %d %H:%M:%S %Y %z")
    return Process(Path(found["name"]).name, started, found["state"] == "Z")
