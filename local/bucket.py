"""The embedded bucket: an S3 emulator (ministack) of its own process, on a loopback port."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

HOST = "127.0.0.1"
_ANSWERS_WITHIN = 30.0
_STOPS_WITHIN = 10.0


class BucketNotStarted(Exception):
    """The emulator did not come up; the message names its log."""


@dataclass(frozen=True)
class BucketServer:
    """A running emulator. It outlives the process that started it, until it is stopped."""

    url: str
    process: subprocess.Popen[bytes]

    def stop(self) -> None:
        """Stop it and wait for its end; once stopped, do nothing."""
        self.process.terminate()
        try:
            self.process.wait(_STOPS_WITHIN)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def start(folder: Path, port: int = 0, *, keep: bool = False, services: str = "s3") -> BucketServer:
    """Start an S3 on a loopback port (0: a free one), and return once it answers.

    ``services`` are those of AWS that it plays, separated by commas.

    ``folder`` must exist: the log, `bucket.log`, and all else that the emulator writes go there.
    Objects stay in its memory, or with ``keep`` in the folder, for its next start. It has a session
    of its own, so a closed terminal does not end it.
    Raises `OSError` for a port that is taken, `BucketNotStarted` where it does not answer in 30 s.
    """
    folder = folder.resolve()
    log = folder / "bucket.log"
    with socket.create_server((HOST, port)) as listener, log.open("wb") as output:
        url = f"http://{HOST}:{listener.getsockname()[1]}"
        process = subprocess.Popen(
            _command(listener.fileno()),
            cwd=folder,
            env={**_environment(folder, url, keep=keep), "SERVICES": services},
            pass_fds=[listener.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    server = BucketServer(url, process)
    if not _answers(url):
        server.stop()
        raise BucketNotStarted(f"the bucket emulator does not answer at {url}; see {log}")
    return server


def _command(listener: int) -> list[str]:
    # The open socket is handed over, so nobody else can take the port in between.
    serve = ["--bind", f"fd://{listener}", "--workers", "0", "--keep-alive", "75"]
    return [sys.executable, "-m", "hypercorn", "ministack.app:app", *serve]


def _environment(folder: Path, url: str, *, keep: bool) -> Mapping[str, str]:
    own = {
        "GATEWAY_PORT": url.rpartition(":")[2],
        "MINISTACK_HOST": HOST,
        "LOG_LEVEL": "WARNING",
        "TMPDIR": str(folder),
        "STATE_DIR": str(folder / "state"),
        "S3_DATA_DIR": str(folder / "s3"),
        # What a variable of the caller could turn on: persistence, listeners, containers.
        "PERSIST_STATE": "0",
        "S3_PERSIST": "1" if keep else "0",
        "LOCALSTACK_PERSISTENCE": "0",
        "AUTH": "false",
        "USE_SSL": "0",
        "SFTP_ENABLED": "0",
        "IOT_MTLS_ENABLED": "0",
        "DOCKER_HOST": f"unix://{folder}/no-docker",
    }
    return os.environ | own


def _answers(url: str) -> bool:
    """Ask once: the listening socket holds the request until the server reads it."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(f"{url}/_ministack/health", timeout=_ANSWERS_WITHIN) as answer:
            return bool(answer.status == HTTPStatus.OK)
    except OSError:
        return False
