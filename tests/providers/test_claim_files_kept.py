"""A host's files as they are read and written: what is missing, no file, or cut short."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from providers.claim_errors import LocalStateUnreadable, LocalWriteFailed
from providers.claim_files import HostFiles
from tests.registry.samples import without_rights
from tests.support.claim_samples import HOST


@pytest.fixture
def others_folder() -> Iterator[Path]:
    """A folder that every user can look into; those of `tmp_path` are the owner's alone."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_read_of_nothing(files: HostFiles) -> None:
    """What is not there is none, at every level, and nothing is made."""
    assert files.read(HOST, "activation.json") is None
    (files.data_dir / "claims").mkdir()
    assert files.read(HOST, "activation.json") is None
    (files.data_dir / "claims" / HOST).mkdir()
    assert files.read(HOST, "activation.json") is None
    assert [path.name for path in files.data_dir.rglob("*")] == ["claims", HOST]


@pytest.mark.parametrize("kind", ["folder", "fifo", "large", "no right"])
def test_read_of_what_is_no_file(others_folder: Path, kind: str) -> None:
    """It is an error with the path and a way out, never "not there", and is not waited for."""
    files = HostFiles(others_folder)
    files.replace(HOST, "other", b"")
    for folder in (others_folder / "claims", others_folder / "claims" / HOST):
        folder.chmod(0o755)
    path = others_folder / "claims" / HOST / "activation.json"
    make: dict[str, Callable[[], object]] = {
        "folder": path.mkdir,
        "fifo": lambda: os.mkfifo(path),
        "large": lambda: path.write_bytes(b" " * (256 * 1024 + 1)),
        "no right": lambda: path.touch(0),
    }
    make[kind]()
    with without_rights(), pytest.raises(LocalStateUnreadable, match=str(path)):
        files.read(HOST, "activation.json")


def test_files_are_their_owners(files: HostFiles) -> None:
    """Nobody else reads them, or takes a lock on one."""
    files.replace(HOST, "activation.json", b"")
    with files.lockable(HOST, "lock"):
        pass
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in files.data_dir.rglob("*")}
    assert modes == {"claims": 0o700, HOST: 0o700, "activation.json": 0o600, "lock": 0o600}


STEPS = ["mkdir", "open", "write", "fsync", "rename"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EACCES])
@pytest.mark.parametrize("step", STEPS)
def test_write_that_fails(
    files: HostFiles, step: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever fails, what was there before is there still, and the next write goes through."""
    files.replace(HOST, "activation.json", b"before")
    other = HOST if step != "mkdir" else "other"

    def fail(*_: object, **__: object) -> int:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        if step == "write":
            patch.setattr(os, "fdopen", fail)
        else:
            patch.setattr(os, step, fail)
        with pytest.raises(LocalWriteFailed, match=os.strerror(code)):
            files.replace(other, "activation.json", b"after")
    assert files.read(HOST, "activation.json") == b"before"
    files.replace(other, "activation.json", b"after")
    assert files.read(other, "activation.json") == b"after"


def test_write_after_one_that_was_killed(files: HostFiles) -> None:
    """What a killed process left half written is written over, and never read."""
    files.replace(HOST, "activation.json", b"before")
    left = files.data_dir / "claims" / HOST / "activation.json.new"
    left.write_bytes(b"half of a long docu")
    assert files.read(HOST, "activation.json") == b"before"
    files.replace(HOST, "activation.json", b"after")
    assert (files.read(HOST, "activation.json"), left.exists()) == (b"after", False)


def test_write_is_on_the_disk_before_it_has_its_name(
    files: HostFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """File first, then the name, then the folder: a power cut leaves the old or the new one."""
    files.replace(HOST, "x", b"1")
    steps: list[str] = []

    def told(name: str) -> Callable[..., None]:
        real: Callable[..., None] = getattr(os, name)

        def step(*given: object, **more: object) -> None:
            steps.append(name)
            real(*given, **more)

        return step

    for name in ("fsync", "rename"):
        monkeypatch.setattr(os, name, told(name))
    files.replace(HOST, "x", b"2")
    assert steps == ["fsync", "rename", "fsync"]
