from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from local.bucket import BucketNotStarted, BucketServer, start
from tests.support.s3_bucket import client_of, new_bucket


@pytest.fixture
def server(tmp_path: Path) -> Iterator[BucketServer]:
    server = start(tmp_path)
    yield server
    server.stop()


def _round_trip(url: str) -> bytes:
    client = client_of(url)
    bucket = new_bucket(url, client)
    bucket.put("a/x", b"1")
    read: bytes = client.get_object(Bucket=bucket.name, Key="a/x")["Body"].read()
    client.close()
    return read


def test_bucket_that_is_started_and_stopped(server: BucketServer, tmp_path: Path) -> None:
    """It keeps objects in memory, writes its log alone, and is gone once stopped."""
    assert _round_trip(server.url) == b"1"
    server.stop()
    server.stop()

    assert [path.name for path in tmp_path.rglob("*")] == ["bucket.log"]
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2])), timeout=5)


def test_bucket_that_outlives_a_terminal(server: BucketServer) -> None:
    """It leads a session of its own, so the end of the caller's does not end it."""
    assert os.getsid(server.process.pid) == server.process.pid


def test_port_that_is_asked_for(tmp_path: Path) -> None:
    """The port is the one asked for; a taken one is an error, and nothing is started."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match="in use"):
            start(tmp_path, port)
    server = start(tmp_path, port)
    server.stop()

    assert server.url == f"http://127.0.0.1:{port}"


def test_emulator_that_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the log, which has the reason."""
    monkeypatch.setenv("PYTHONHOME", "/nowhere")

    with pytest.raises(BucketNotStarted, match=r"see .*bucket\.log"):
        start(tmp_path)

    assert b"Python" in (tmp_path / "bucket.log").read_bytes()


def test_settings_of_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables that would make the emulator persist or ask for signatures do not reach it."""
    for name in ("S3_PERSIST", "PERSIST_STATE", "LOCALSTACK_PERSISTENCE", "AUTH", "USE_SSL"):
        monkeypatch.setenv(name, "true" if name == "AUTH" else "1")
    server = start(tmp_path)
    try:
        assert _round_trip(server.url) == b"1"
    finally:
        server.stop()

    assert [path.name for path in tmp_path.rglob("*")] == ["bucket.log"]
