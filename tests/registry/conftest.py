"""Fixtures of the registry's tests."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from registry import connection
from tests.registry.samples import registry_of, sidecar


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    """A registry in WAL mode with three sidecars, closed: no -wal, no -shm."""
    return registry_of(tmp_path / "registry.db", *(sidecar(name) for name in ("a", "b", "c")))


@pytest.fixture
def others_folder() -> Iterator[Path]:
    """A folder that every user can look into; those of `tmp_path` are the owner's alone."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        path.chmod(0o755)
        yield path
        path.chmod(0o755)


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let connections made from now on grow their file by so many pages, no more."""
    connect = connection._connect

    def fill(pages: int) -> None:
        def connected(path: Path, mode: str, budget_seconds: float) -> sqlite3.Connection:
            opened = connect(path, mode, budget_seconds)
            (now,) = opened.execute("PRAGMA page_count").fetchone()
            opened.execute(f"PRAGMA max_page_count = {now + pages}")
            return opened

        monkeypatch.setattr(connection, "_connect", connected)

    return fill


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every statement that the package's connections run from now on."""
    connect, seen = connection._connect, list[str]()

    def connected(path: Path, mode: str, budget_seconds: float) -> sqlite3.Connection:
        opened = connect(path, mode, budget_seconds)
        opened.set_trace_callback(seen.append)
        return opened

    monkeypatch.setattr(connection, "_connect", connected)
    return seen
