"""A policy pack of the command line: its environment is looked for before the engine starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.local.conftest import Fake


def _pack(folder: Path, description: str) -> Path:
    folder.mkdir()
    (folder / "PulumiPolicy.yaml").write_text(description)
    return folder


NAMES_VENV = "runtime: {name: python, options: {virtualenv: venv}}\n"


def test_pack_without_its_environment(fake: Fake, tmp_path: Path) -> None:
    """A missing environment of a pack is refused before the engine starts."""
    pack = _pack(tmp_path / "pack", NAMES_VENV)
    done = fake.run("-C", str(tmp_path), "preview", "--policy-pack=pack")
    assert done.returncode == 1
    assert str(pack / "venv") in done.stderr
    assert "make setup" in done.stderr
    assert done.stderr.count("\n") == 1
    assert fake.calls() == []


@pytest.mark.parametrize(
    "description", ["runtime: python\n", "runtime: {name: opa}\n", "- 1\n", "a: [\n"]
)
def test_pack_that_names_no_environment(fake: Fake, tmp_path: Path, description: str) -> None:
    """What names no environment, or is no description, is the CLI's to judge."""
    pack = _pack(tmp_path / "pack", description)
    assert fake.run("preview", "--policy-pack", str(pack)).returncode == 0
    assert len(fake.calls()) == 1


def test_pack_with_its_environment(fake: Fake, tmp_path: Path) -> None:
    """An environment that has a Python is good enough to start."""
    pack = _pack(tmp_path / "pack", NAMES_VENV)
    (pack / "venv" / "bin").mkdir(parents=True)
    (pack / "venv" / "bin" / "python").touch()
    assert fake.run("preview", "--policy-pack", str(pack)).returncode == 0
