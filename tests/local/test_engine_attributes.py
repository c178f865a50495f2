"""The attributes of a state that a killed run left empty."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from local.engine_attributes import remove_empty
from local.engine_locks import Lock

LOCK = {"pid": 7, "hostname": "here", "timestamp": "2026-01-02T03:04:05Z"}


def _state(backend: Path, stack: str, attributes: str = "") -> Path:
    """Write a stack's state, and its attributes beside it; return the latter."""
    folder = backend / ".pulumi" / "stacks" / "fairlead"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{stack}.json.gz").write_text("a state")
    path = folder / f"{stack}.json.gz.attrs"
    path.write_text(attributes)
    return path


def _lock(backend: Path, stack: str, text: str = json.dumps(LOCK)) -> None:
    folder = backend / ".pulumi" / "locks" / "organization" / "fairlead" / stack
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{len(list(folder.iterdir()))}.json").write_text(text)


def _dead(_lock: Lock) -> bool:
    return True


def test_a_dead_run(tmp_path: Path) -> None:
    """Its empty attributes go, those of the backup too; the state stays."""
    path = _state(tmp_path, "dev")
    backup = path.with_name("dev.json.gz.bak.attrs")
    backup.write_text("")
    _lock(tmp_path, "dev")
    assert [*remove_empty(tmp_path, _dead)] == [path, backup]
    assert sorted(each.name for each in path.parent.iterdir()) == ["dev.json.gz"]


def test_attributes_that_are_whole(tmp_path: Path) -> None:
    """They stay."""
    path = _state(tmp_path, "dev", "{}")
    _lock(tmp_path, "dev")
    assert [*remove_empty(tmp_path, _dead)] == []
    assert path.exists()


@pytest.mark.parametrize("second", [json.dumps({**LOCK, "pid": 8}), "no lock"])
def test_a_run_at_work(tmp_path: Path, second: str) -> None:
    """It may be about to write them: nothing of its stack is touched, whoever else is dead."""
    path = _state(tmp_path, "dev")
    _lock(tmp_path, "dev")
    _lock(tmp_path, "dev", second)
    assert [*remove_empty(tmp_path, lambda lock: lock.pid == 7)] == []
    assert path.exists()


def test_a_stack_that_nobody_locked(tmp_path: Path) -> None:
    """Nobody was killed there, so nothing is known of it; another stack's name is no pattern."""
    paths = [_state(tmp_path, "dev-2"), _state(tmp_path, "other")]
    _lock(tmp_path, "dev")
    assert [*remove_empty(tmp_path, _dead)] == []
    assert all(path.exists() for path in paths)


def test_a_backend_without_locks(tmp_path: Path) -> None:
    """There is nothing to do."""
    path = _state(tmp_path, "dev")
    assert [*remove_empty(tmp_path, _dead)] == []
    assert path.exists()
