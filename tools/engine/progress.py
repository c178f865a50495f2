"""Runs a long command quietly, and says from time to time that it still runs."""

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.engine.errors import BuildError

Say = Callable[[str], None]


@dataclass(frozen=True)
class LongCommand:
    """A command, the folder and environment it runs in, its log and what it is for."""

    what: str
    command: Sequence[str]
    cwd: Path
    environ: Mapping[str, str]
    log: Path


def run(job: LongCommand, say: Say, every: float = 10.0) -> None:
    """Run the command with its output in the log; say how far it is every `every` seconds.

    Raises:
        BuildError: it cannot be started, or its exit code is not 0; the message
            holds the log's last line.
    """
    with job.log.open("wb") as log:
        child = _start(job, log.fileno())
        try:
            code = _wait(child, job, say, every)
        finally:
            child.kill()
            child.wait()
    if code != 0:
        raise BuildError(
            f"{job.what}: `{' '.join(job.command[:2])}` exited with {code}: {_last_line(job.log)} "
            f"(whole output: {job.log})"
        )


def _start(job: LongCommand, output: int) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(
            job.command,
            cwd=job.cwd,
            env=dict(job.environ),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    except OSError as error:
        raise BuildError(f"{job.what}: {job.command[0]} cannot be started: {error}") from error


def _wait(child: "subprocess.Popen[bytes]", job: LongCommand, say: Say, every: float) -> int:
    started = time.monotonic()
    while not _ended(child, every):
        minutes, seconds = divmod(int(time.monotonic() - started), 60)
        steps = job.log.read_bytes().count(b"\n")
        say(f"{job.what}: {minutes} min {seconds:02d} s, {steps} steps done")
    return child.wait()


def _ended(child: "subprocess.Popen[bytes]", within: float) -> bool:
    try:
        child.wait(timeout=within)
    except subprocess.TimeoutExpired:
        return False
    return True


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else "no output"
