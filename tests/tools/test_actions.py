"""Building and running what lints the workflows, with a stand-in for Go."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.tools.fakes import executable
from tools.actions.built import COMMANDS, MODULE, OPTIONS, ensure, folder_of
from tools.engine.errors import BuildError, NoToolchainError
from tools.engine.locate import CHECKOUT

if TYPE_CHECKING:
    from pathlib import Path

# `go build -v -o FOLDER/ PACKAGE...` makes a file for each package; calls are counted.
_GO = """
echo "$1" >> "{log}"
shift 3; folder=$1; shift
for package; do
    printf '#!/bin/sh\\necho "$0" "$@"; exit 3\\n' > "$folder${{package##*/}}"
    chmod +x "$folder${{package##*/}}"
done
"""


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    executable(tmp_path / "bin" / "go", _GO.format(log=tmp_path / "go.log"))
    path = os.pathsep.join((str(tmp_path / "bin"), os.defpath))
    return {"PATH": path, "XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}


def _silent(line: str) -> None:
    pytest.fail(f"nothing had to be said: {line}")


def test_built_once(tmp_path: Path, environ: dict[str, str]) -> None:
    """With Go it is built into the user's cache, and found from then on."""
    said: list[str] = []
    folder = ensure(environ, said.append)
    assert folder.parent == tmp_path / "cache" / "fairlead" / "actions"
    assert {each.name for each in folder.iterdir()} == set(COMMANDS)
    assert said == ["actionlint: building it with Go: about half a minute, once"]
    assert ensure({**environ, "PATH": ""}, _silent) == folder
    assert (tmp_path / "go.log").read_text() == "build\n"


def test_without_go(environ: dict[str, str]) -> None:
    """One line says what to install."""
    with pytest.raises(NoToolchainError, match="`go` is not on PATH: install Go") as caught:
        ensure({**environ, "PATH": ""}, _silent)
    assert "\n" not in str(caught.value)


def test_go_that_makes_nothing(tmp_path: Path, environ: dict[str, str]) -> None:
    """A build that ends well and made no file is an error, and leaves no folder."""
    executable(tmp_path / "bin" / "go", "exit 0")
    with pytest.raises(BuildError, match="made no actionlint and no gojq"):
        ensure(environ, lambda _line: None)
    assert not folder_of(environ).exists()


def test_other_contents_other_folder(tmp_path: Path, environ: dict[str, str]) -> None:
    """What is built from other versions never shares a folder."""
    copy = shutil.copytree(MODULE, tmp_path / "module")
    assert folder_of(environ, copy) == folder_of(environ)
    with (copy / "go.sum").open("a") as text:
        text.write("\n")
    assert folder_of(environ, copy) != folder_of(environ)


def _run(environ: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.actions", *words]
    return subprocess.run(
        command, cwd=CHECKOUT, env=environ, capture_output=True, text=True, check=False
    )


def test_command(environ: dict[str, str]) -> None:
    """`python -m tools.actions` hands the files on, and ends as actionlint does."""
    done = _run(environ, "some.yml")
    assert done.returncode == 3
    assert done.stdout.split()[1:] == [*" ".join(OPTIONS).split(), "some.yml"]


def test_command_without_go(environ: dict[str, str]) -> None:
    """One line, and 1."""
    done = _run({**environ, "PATH": ""})
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("actionlint: `go` is not on PATH")
