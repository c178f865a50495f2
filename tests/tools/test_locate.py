"""Which engine is used: official first, else the built one, else Go, else one line."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.tools.fakes import executable, go_that_builds, whole_folder
from tools.engine.errors import NoToolchainError
from tools.engine.locate import CHECKOUT, cache_root, ensure, environment, find, find_official
from tools.engine.recipe import Recipe

if TYPE_CHECKING:
    from pathlib import Path

RECIPE = Recipe("9.9.9", "0123abcd")


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"PATH": "", "XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path / "home")}


def _official(folder: Path, *names: str) -> str:
    for name in names:
        executable(folder / name, "exit 0")
    return str(folder)


def _silent(line: str) -> None:
    pytest.fail(f"nothing had to be said: {line}")


def test_official_engine_comes_first(tmp_path: Path, environ: dict[str, str]) -> None:
    """An official CLI with its language host wins over the built one, and over Go."""
    whole_folder(cache_root(environ) / RECIPE.folder)
    _official(tmp_path / "bin", "pulumi", "pulumi-language-python", "go")
    environ["PATH"] = str(tmp_path / "bin")
    engine = ensure(environ, _silent, RECIPE)
    assert (engine.pulumi, engine.folder) == (tmp_path / "bin" / "pulumi", None)


def test_language_host_beside_a_linked_cli(tmp_path: Path, environ: dict[str, str]) -> None:
    """The engine itself looks beside its resolved executable: package managers link it."""
    _official(tmp_path / "cellar", "pulumi", "pulumi-language-python")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "pulumi").symlink_to(tmp_path / "cellar" / "pulumi")
    environ["PATH"] = str(tmp_path / "bin")
    found = find_official(environ)
    assert found is not None
    assert found.pulumi == tmp_path / "bin" / "pulumi"


def test_cli_without_language_host_is_not_enough(tmp_path: Path, environ: dict[str, str]) -> None:
    """The built engine is used then, both parts of it."""
    folder = whole_folder(cache_root(environ) / RECIPE.folder)
    environ["PATH"] = _official(tmp_path / "bin", "pulumi")
    engine = find(environ, RECIPE)
    assert engine is not None
    assert (engine.pulumi, engine.folder) == (folder / "pulumi", folder)


def test_own_launcher_and_built_engines_are_not_official(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    """A command that the engine starts finds both on its PATH."""
    built = whole_folder(cache_root(environ) / "9.9.8-00000000")
    local = _official(tmp_path / "checkout" / "local", "pulumi", "pulumi-language-python")
    environ["PATH"] = os.pathsep.join((local, str(built)))
    assert find_official(environ, tmp_path / "checkout") is None


def test_half_built_folder_is_not_used(environ: dict[str, str]) -> None:
    """A folder counts only with every executable in it."""
    folder = whole_folder(cache_root(environ) / RECIPE.folder)
    (folder / "pulumi-language-python-exec").unlink()
    assert find(environ, RECIPE) is None


def test_neither_engine_nor_go(environ: dict[str, str]) -> None:
    """One line says what to install."""
    with pytest.raises(NoToolchainError, match=r"pulumi.*go\b") as caught:
        ensure(environ, _silent, RECIPE)
    assert "\n" not in str(caught.value)


def test_command_without_engine_and_go(environ: dict[str, str]) -> None:
    """`python -m tools.engine` exits non-zero with that line."""
    command = [sys.executable, "-m", "tools.engine"]
    done = subprocess.run(
        command, cwd=CHECKOUT, env=environ, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "install Pulumi" in done.stderr
    assert done.stderr.count("\n") == 1


def test_command_prints_the_cli(tmp_path: Path, environ: dict[str, str]) -> None:
    """`python -m tools.engine` prints where the CLI is, and nothing else."""
    environ["PATH"] = _official(tmp_path / "bin", "pulumi", "pulumi-language-python")
    command = [sys.executable, "-m", "tools.engine"]
    done = subprocess.run(
        command, cwd=CHECKOUT, env=environ, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{tmp_path / 'bin' / 'pulumi'}\n"


def test_built_by_go(tmp_path: Path, environ: dict[str, str]) -> None:
    """With Go and no engine it is built into the user's cache, and found from then on."""
    go = go_that_builds(tmp_path)
    environ["PATH"] = os.pathsep.join((str(go.parent), os.defpath))
    said: list[str] = []
    engine = ensure(environ, said.append, RECIPE)
    assert engine.folder == tmp_path / "cache" / "fairlead" / "engine" / "9.9.9-0123abcd"
    assert "building pulumi 9.9.9" in said[0]
    assert ensure({**environ, "PATH": ""}, _silent, RECIPE) == engine


def test_environment(tmp_path: Path, environ: dict[str, str]) -> None:
    """The checkout's Python first, then a built engine; an official one keeps its place."""
    folder = whole_folder(cache_root(environ) / RECIPE.folder)
    built = find(environ, RECIPE)
    assert built is not None
    found = environment(built, {"PATH": "/usr/bin"}, tmp_path)
    path = [str(tmp_path / ".venv" / "bin"), str(folder), "/usr/bin"]
    assert found == {"PATH": os.pathsep.join(path), "FAIRLEAD_CHECKOUT": str(tmp_path)}


def test_cache_without_xdg() -> None:
    """The usual place under the home folder."""
    assert str(cache_root({"HOME": "/home/me"})) == "/home/me/.cache/fairlead/engine"
