"""The tests' side of `tests.support.claims_process`: jobs of boxes, killed or stopped at a step."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from control.sidecar_keys import host_key
from registry.connection import reading
from registry.route import Route
from registry.rows import read_route
from tests.registry.samples import insert, opened, registry_of, sidecar
from tests.support.claims_bucket import ClaimsBucket
from tests.support.claims_platform import INCARNATION, write_local

NEVER = -1


@dataclass(frozen=True)
class Report:
    """What came of a job: its outcome, or the signal that killed it, or that it is stopped."""

    pid: int
    stopped: bool
    killed: int = 0
    outcome: str = ""
    steps: tuple[str, ...] = ()


@dataclass
class Jobs:
    """A process that forks others."""

    commands: IO[str]
    answers: IO[str]

    def start(self, work: str, box: JobBox, host: str, **options: Any) -> int:
        """Begin a job; return its process."""
        at, how = options.pop("at", NEVER), options.pop("how", signal.SIGKILL)
        worker = {"host": host, "box": box.label, "bucket": box.bucket}
        worker |= {"folder": str(box.folder), **options}
        job = {"do": "start", "work": work, "at": at, "how": int(how), "worker": worker}
        return int(self._asked(job)["pid"])

    def wait(self, pid: int) -> Report:
        """Wait until a job ends or is stopped."""
        return self._report({"do": "wait", "pid": pid})

    def go_on(self, stopped: Report) -> Report:
        """Let a stopped job go on, and wait for it."""
        return self._report({"do": "continue", "pid": stopped.pid})

    def run(self, work: str, box: JobBox, host: str, **options: Any) -> Report:
        """Do a job to its end, or until it is stopped."""
        return self.wait(self.start(work, box, host, **options))

    def _report(self, command: dict[str, Any]) -> Report:
        answer = self._asked(command)
        return Report(**{**answer, "steps": tuple(answer.get("steps", ()))})

    def _asked(self, command: dict[str, Any]) -> dict[str, Any]:
        self.commands.write(json.dumps(command) + "\n")
        self.commands.flush()
        answer: dict[str, Any] = json.loads(self.answers.readline())
        return answer


@contextmanager
def jobs() -> Iterator[Jobs]:
    """Run the process that forks, which finds the bucket that this one's environment names."""
    command = [sys.executable, "-m", "tests.support.claims_process"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin
        assert process.stdout
        try:
            yield Jobs(process.stdin, process.stdout)
        finally:
            process.stdin.close()
            process.wait()


@dataclass(frozen=True)
class JobBox:
    """A box of a label, with a registry and a data directory of its own, and the bucket's name."""

    label: str
    folder: Path
    bucket: str
    registry: Path = field(init=False)

    def __post_init__(self) -> None:
        self.folder.mkdir(exist_ok=True)
        object.__setattr__(self, "registry", registry_of(self.folder / "registry.db"))

    def row(self, host: str) -> Route | None:
        with reading(self.registry) as connection:
            return read_route(connection, host)

    def whole(self) -> bool:
        """Say whether the registry is what SQLite calls whole."""
        with opened(self.registry) as connection:
            return bool(connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)])


def record(control: ClaimsBucket, name: str) -> str:
    """Write a sidecar's record; return its host."""
    host = f"{name}.eleven.bab.sidecar.internal"
    key = host_key(host)
    assert key
    fields = {"name": name, "account": "bab", "app": "eleven", "host": host, "channel": "edge"}
    control.bucket.put(key.record, {**fields, "incarnation": INCARNATION})
    return host


def claimed(control: ClaimsBucket, name: str, box: str = "ie-1", stamp: int = 7) -> str:
    """Write a record, and a claim of its host that a box serves; return the host."""
    host = record(control, name)
    key = host_key(host)
    assert key
    control.platform.serve(host, box, key=key.record, stamp=stamp)
    return host


def installed(control: ClaimsBucket, box: JobBox, name: str) -> str:
    """Write a record and its claim, and install it on a box as a run leaves it; return the host."""
    host = claimed(control, name, box.label)
    columns: dict[str, str | int] = {"claim_incarnation": INCARNATION, "claim_stamp": 7}
    columns |= {"claim_key": control.platform.key_of(host), "claim_family": "sidecar"}
    insert(box.registry, [sidecar(name, **columns)])
    under = {"v": 1, "host": host, "box": box.label, "incarnation": INCARNATION, "stamp": 7}
    write_local(box.folder, host, "activation.json", {**under, "retired": False})
    write_local(box.folder, host, "inventory.json", {**under, "layout": "flat", "paths": []})
    return host


_LOOKING = ("get ", "head ")
_CHANGING = (
    *("put ", "mkdir ", "fdopen", "fsync", "rename ", "flock", "open lock"),
    *("BEGIN IMMEDIATE", "INSERT ", "UPDATE ", "DELETE ", "RELEASE ", "COMMIT"),
)


def kill_points(steps: tuple[str, ...]) -> list[int]:
    """Return the numbers of the first step, and of each after one that changed something outside.

    To end at another one is the same as to end at the next of these.
    """
    after = [number + 1 for number, name in enumerate(steps) if name.startswith(_CHANGING)]
    return [0, *after]


def pause_points(steps: tuple[str, ...]) -> list[int]:
    """Return the numbers of the steps that read the bucket or change something outside."""
    chosen = (*_LOOKING, *_CHANGING)
    return [number for number, name in enumerate(steps) if name.startswith(chosen)]
