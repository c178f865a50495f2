"""What one command writes down for a later one."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import TypeAdapter

from local import notes
from local.environment import for_stack, remember
from local.errors import NoteDamaged
from local.services import remembered

WORDS = TypeAdapter(dict[str, str])
DAMAGED = [b"", b'{"a": "b', b"[]", b'{"zone": 1}', b"\xff", b"[" * 100_000]


def test_what_was_written(tmp_path: Path) -> None:
    """It comes back as it was, and nothing else is left in the folder."""
    notes.write(tmp_path / "words.json", WORDS, {"b": "2", "a": "1"})
    assert notes.read(tmp_path / "words.json", WORDS) == {"a": "1", "b": "2"}
    assert [each.name for each in tmp_path.iterdir()] == ["words.json"]


@pytest.mark.parametrize("body", DAMAGED, ids=range(len(DAMAGED)))
def test_damaged_environment(tmp_path: Path, body: bytes) -> None:
    """A command on a local stack ends with one line that names the file and the way out."""
    remember("http://127.0.0.1:1", "http://127.0.0.1:2", tmp_path)
    (tmp_path / "environment.json").write_bytes(body)
    with pytest.raises(NoteDamaged, match=r"environment\.json: .* remove it, and run `make up`$"):
        for_stack("local-steering", {}, tmp_path)


@pytest.mark.parametrize("body", DAMAGED, ids=range(len(DAMAGED)))
def test_damaged_list_of_processes(tmp_path: Path, body: bytes) -> None:
    """So does `make up`: what runs is not known, and is not started twice."""
    (tmp_path / "services.json").write_bytes(body)
    with pytest.raises(NoteDamaged, match=r"services\.json: .* remove it, and run `make up`$"):
        remembered(tmp_path)
