"""The two emulators of this checkout: started once, remembered, found again, stopped."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import TypeAdapter

from local import bucket, notes
from local.environment import CHECKOUT, FOLDER
from local.errors import EmulatorNotStarted
from local.processes import Service

BUCKET, ZONE = "bucket", "zone"
ZONE_CALLS = "zone-calls.jsonl"

_SERVICES = TypeAdapter(dict[str, Service])
_ASKS = {BUCKET: "/_ministack/health", ZONE: "/_emulator/violations"}
_ANSWERS_WITHIN = 5.0  # seconds
_LISTENING = "listening on "


class Refused(OSError):
    """An emulator answered with a status of failure: ``errno`` is the HTTP status."""


def ensure(folder: Path = FOLDER) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the URL of each emulator by its name, and the names of those started just now.

    One that runs and answers is used again; one that runs and does not answer is replaced.

    Raises:
        EmulatorNotStarted: naming the log that says why.
    """
    folder.mkdir(exist_ok=True)
    with _alone(folder):
        running = remembered(folder)
        missing = [name for name in (BUCKET, ZONE) if not _answers(name, running.get(name))]
        for name in missing:
            if name in running:
                running.pop(name).stop()
            running[name] = _start(name, folder)
            _remember(running, folder)
    return {name: running[name].url for name in (BUCKET, ZONE)}, tuple(missing)


def stop(folder: Path = FOLDER) -> tuple[str, ...]:
    """Stop what was started here and still runs; return the names. Nothing else is touched."""
    if not folder.is_dir():
        return ()
    with _alone(folder):
        stopped = tuple(name for name, each in remembered(folder).items() if each.stop())
        _remember({}, folder)
    return stopped


def remembered(folder: Path = FOLDER) -> dict[str, Service]:
    """Return every process that was started here and not stopped, whether it still runs or not.

    Raises:
        NoteDamaged: if nobody can say which.
    """
    try:
        return notes.read(_file(folder), _SERVICES)
    except FileNotFoundError:
        return {}


def ask(url: str, method: str = "GET", body: bytes | None = None) -> bytes:
    """Send a request to an emulator, past every proxy, and return the answer's body.

    Raises:
        Refused: if the answer is one of failure.
        OSError: if there is none.
    """
    parts = urlsplit(url)
    connection = HTTPConnection(parts.netloc, timeout=_ANSWERS_WITHIN)
    with closing(connection):
        connection.request(method, parts.path, body)
        answer = connection.getresponse()
        if answer.status >= HTTPStatus.BAD_REQUEST:
            raise Refused(answer.status, f"{method} {url}: HTTP {answer.status}")
        return answer.read()


def _answers(name: str, service: Service | None) -> bool:
    if service is None or not service.alive:
        return False
    try:
        ask(service.url + _ASKS[name])
    except OSError:
        return False
    return True


def _start(name: str, folder: Path) -> Service:
    return _start_bucket(folder) if name == BUCKET else _start_zone(folder)


def _start_bucket(folder: Path) -> Service:
    own = folder / "bucket"
    own.mkdir(exist_ok=True)
    try:
        started = bucket.start(own, keep=True)
    except bucket.BucketNotStarted as error:
        raise EmulatorNotStarted(str(error)) from error
    return Service.of(started.process.pid, started.url)


def _start_zone(folder: Path) -> Service:
    """Start the zone in a session of its own: a closed terminal does not end it."""
    log = folder / "zone.log"
    files = ["--state", str(folder / "zone.json"), "--log", str(folder / ZONE_CALLS)]
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "local.zone", "--port", "0", *files],
            cwd=CHECKOUT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        )
    url = _url_of(process)
    if not url:
        process.kill()
        process.wait()
        raise EmulatorNotStarted(f"the zone emulator did not start; see {log}")
    return Service.of(process.pid, url)


def _url_of(process: subprocess.Popen[bytes]) -> str:
    """Return the URL of its first and only line; empty if it ended without one."""
    if process.stdout is None:
        return ""
    with process.stdout as lines:
        line = lines.readline().decode().strip()
    return line.removeprefix(_LISTENING) if line.startswith(_LISTENING) else ""


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let one command at a time start and stop."""
    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _file(folder: Path) -> Path:
    return folder / "services.json"


def _remember(running: Mapping[str, Service], folder: Path) -> None:
    notes.write(_file(folder), _SERVICES, dict(running))
