"""The Makefile: a target waits for what it needs alone, so `.ci/run` runs several at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.checkout import CHECKOUT

PARTS = {
    "environment": "making .venv from requirements-dev.txt",
    "pack's environment": "making policy/venv from policy/requirements.txt",
    "engine": "-m tools.engine",
}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What make reads of a fresh clone: nothing is set up."""
    (tmp_path / "policy").mkdir()
    for file in (*CHECKOUT.glob("requirements*.txt"), CHECKOUT / "policy" / "requirements.txt"):
        shutil.copyfile(file, tmp_path / file.relative_to(CHECKOUT))
    shutil.copyfile(CHECKOUT / "Makefile", tmp_path / "Makefile")
    return tmp_path


def shown(clone: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": os.environ["PATH"]}
    return subprocess.run(
        ["make", *words], cwd=clone, env=environ, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("target", "parts"),
    [
        ("setup", {"environment", "pack's environment", "engine"}),
        ("test", {"environment", "pack's environment", "engine"}),
        ("lint", {"environment"}),
        ("engine", {"engine"}),
    ],
)
def test_what_a_target_makes_first(clone: Path, target: str, parts: set[str]) -> None:
    """The linters and the engine do not wait for each other."""
    said = shown(clone, "-n", target).stdout
    assert {part for part, line in PARTS.items() if line in said} == parts


def test_the_engine_without_an_environment() -> None:
    """The engine is built by any Python: nothing that pip installs is imported."""
    command = [sys.executable, "-S", "-c", "import tools.engine.__main__"]
    subprocess.run(command, cwd=CHECKOUT, check=True)


@pytest.mark.parametrize("target", ["engine", "runtime", "setup"])
def test_a_python_that_is_too_old(clone: Path, target: str) -> None:
    """One line names it, and what to type instead."""
    done = shown(clone, target, "PYTHON=/bin/false")
    assert done.returncode != 0
    line = f"/bin/false is missing or older than 3.11: make PYTHON=python3.12 {target}"
    assert done.stderr.splitlines()[0] == line


def test_the_environments_own_python(clone: Path) -> None:
    """What made the environment builds the engine too, whatever `python3` is."""
    python = clone / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    said = shown(clone, "-n", "engine", "PYTHON=/bin/false").stdout
    assert "/bin/false" not in said
    assert "\n.venv/bin/python -m tools.engine" in said


def test_an_environment_whose_python_is_gone(clone: Path) -> None:
    """As after an upgrade of the system: another PYTHON alone would not be asked."""
    python = clone / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to("/nowhere/python3")
    done = shown(clone, "engine", f"PYTHON={sys.executable}")
    assert done.returncode != 0
    way_out = "rm -r .venv && make PYTHON=python3.12 engine"
    assert f".venv/bin/python is missing or older than 3.11: {way_out}\n" in done.stderr
