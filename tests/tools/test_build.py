"""Building the engine into the cache, with a stand-in for Go."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.tools.fakes import go_that_builds, whole_folder
from tools.engine import progress
from tools.engine.build import Builder, install, is_whole
from tools.engine.cache import lock
from tools.engine.errors import BuildError
from tools.engine.locate import CHECKOUT
from tools.engine.progress import LongCommand
from tools.engine.recipe import Recipe

if TYPE_CHECKING:
    from pathlib import Path

RECIPE = Recipe("9.9.9", "0123abcd")


def _builder(folder: Path, line: str = "") -> Builder:
    go = go_that_builds(folder, line)
    return Builder(str(go), folder / "cache", {"PATH": os.defpath}, lambda _line: None)


def _calls(folder: Path) -> list[str]:
    return (folder / "go.log").read_text().split()


def test_all_executables_are_there(tmp_path: Path) -> None:
    """The CLI from Go, the launcher from here, two scripts from the SDK's module."""
    folder = install(RECIPE, _builder(tmp_path))
    assert is_whole(folder)
    launcher = (folder / "pulumi-language-python").read_text()
    assert launcher == (CHECKOUT / "tools" / "engine" / "pulumi-language-python").read_text()


def test_built_once(tmp_path: Path) -> None:
    """A second call finds the folder and asks nobody."""
    builder = _builder(tmp_path)
    install(RECIPE, builder)
    install(RECIPE, builder)
    assert _calls(tmp_path) == ["build", "list"]


def test_two_at_once_build_once(tmp_path: Path) -> None:
    """The second waits for the lock, then uses what the first has made."""
    builder = _builder(tmp_path, "sleep 0.3")
    with ThreadPoolExecutor() as pool:
        folders = list(pool.map(lambda _: install(RECIPE, builder), range(3)))
    assert len(set(folders)) == 1
    assert _calls(tmp_path) == ["build", "list"]


def test_whoever_waits_says_so(tmp_path: Path) -> None:
    """A held lock is waited for, with a line from time to time."""
    said: list[str] = []
    path = tmp_path / "lock"

    def say(line: str) -> None:
        said.append(line)
        holder.terminate()

    code = "import fcntl, sys; fcntl.flock(f := open(sys.argv[1], 'w'), fcntl.LOCK_EX); "
    code += "print(flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with lock(path, "engine", say, every=0.05):
            assert said == ["engine: another process is building it: waiting"]


def test_failed_build_leaves_nothing(tmp_path: Path) -> None:
    """No folder counts, and the next build starts afresh."""
    failing = _builder(tmp_path, "echo no such module >&2; exit 1")
    with pytest.raises(BuildError, match="exited with 1: no such module"):
        install(RECIPE, failing)
    kept = {path.suffix for path in (tmp_path / "cache").iterdir()}
    assert kept == {".lock", ".log"}
    assert is_whole(install(RECIPE, _builder(tmp_path)))


def test_build_that_was_killed(tmp_path: Path) -> None:
    """What it left is swept by the next one, and never taken for a toolchain."""
    left = tmp_path / "cache" / f"{RECIPE.folder}.partial-abc"
    whole_folder(left)
    whole_folder(tmp_path / "cache" / RECIPE.folder)
    (tmp_path / "cache" / RECIPE.folder / "pulumi").unlink()
    folder = install(RECIPE, _builder(tmp_path))
    assert is_whole(folder)
    assert not left.exists()


def test_go_that_makes_nothing(tmp_path: Path) -> None:
    """A build that ends well and made no file is an error."""
    with pytest.raises(BuildError, match="made no pulumi"):
        install(RECIPE, _builder(tmp_path, "exit 0"))


def test_go_that_cannot_start(tmp_path: Path) -> None:
    """The command is named."""
    builder = replace(_builder(tmp_path), go=str(tmp_path / "none"))
    with pytest.raises(BuildError, match="cannot be started"):
        install(RECIPE, builder)


def test_progress(tmp_path: Path) -> None:
    """A long command is quiet, and a line tells that it still runs and how far it is."""
    said: list[str] = []
    command = ["sh", "-c", "echo one; echo two >&2; sleep 0.6"]
    job = LongCommand("testing", command, tmp_path, {"PATH": os.defpath}, tmp_path / "log")
    progress.run(job, said.append, every=0.15)
    assert said
    assert re.fullmatch(r"testing: \d min \d\d s, 2 steps done", said[-1])
    assert (tmp_path / "log").read_text() == "one\ntwo\n"
