"""The locks that a file backend keeps of a stack, and which of them are dead.

A lock is `.pulumi/locks/<organization>/<project>/<stack>/<uuid>.json`; it never
expires, and a killed CLI leaves it (pulumi v3.274.1, pkg/backend/diy/lock.go).
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from local.engine_process import Process

# A process starts before it locks. The slack is for a clock that was set in between: it
# must not make a live lock look dead.
_SLACK = timedelta(hours=1)
# Fractions of a second have nine digits, which Python 3.10 does not read.
_TIMESTAMP = re.compile(r"(?P<seconds>.{19})(?:\.\d+)?(?P<zone>Z|[+-]\d\d:\d\d)")


@dataclass(frozen=True)
class Lock:
    """One lock file: who took it, on which host, when (UTC)."""

    path: Path
    pid: int
    host: str
    taken: datetime


def has_locks(backend: Path) -> bool:
    """Whether the backend holds a lock of any stack."""
    return any((backend / ".pulumi" / "locks").rglob("*.json"))


def read_locks(backend: Path, stack: str) -> tuple[Lock | None, ...]:
    """The locks of a fully qualified stack; None stands for one that cannot be read."""
    folder = backend / ".pulumi" / "locks" / stack
    return tuple(_read(path) for path in sorted(folder.glob("*.json")))


def is_dead(lock: Lock, host: str, find: Callable[[int], Process | None]) -> bool:
    """Whether a process of this host took the lock and is gone, or its number is another's now."""
    if lock.host != host:
        return False
    process = find(lock.pid)
    if process is None or process.zombie or "pulumi" not in process.name:
        return True
    return process.started > lock.taken + _SLACK


def remove(lock: Lock) -> None:
    """Remove the lock and the attributes that the backend keeps beside it."""
    lock.path.unlink(missing_ok=True)
    lock.path.with_name(f"{lock.path.name}.attrs").unlink(missing_ok=True)


def _read(path: Path) -> Lock | None:
    try:
        body = json.loads(path.read_text())
        return Lock(path, int(body["pid"]), str(body["hostname"]), _time(body["timestamp"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _time(timestamp: str) -> datetime:
    parts = _TIMESTAMP.fullmatch(timestamp)
    if parts is None:
        raise ValueError(timestamp)
    zone = parts["zone"].replace("Z", "+00:00")
    return datetime.fromisoformat(f"{parts['seconds']}{zone}")
