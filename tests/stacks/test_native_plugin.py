"""Whether the AWS provider is there, as the engine would find it."""

from __future__ import annotations

import importlib.util
from importlib.metadata import version
from pathlib import Path

import pytest

from stacks.errors import NotInstalled
from stacks.native_plugin import require

VERSION = version("pulumi-aws")


def _executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def _cached(home: Path, name: str = f"resource-aws-v{VERSION}") -> Path:
    return _executable(home / "plugins" / name / "pulumi-resource-aws")


@pytest.mark.parametrize(
    ("variable", "folder", "pulumi"),
    [
        ("HOME", "/.pulumi/plugins", "pulumi"),
        ("PULUMI_HOME", "/plugins", "PULUMI_HOME='{}' pulumi"),
    ],
)
def test_nothing(tmp_path: Path, variable: str, folder: str, pulumi: str) -> None:
    """One line says what is missing, where it was looked for, and the command, to be typed."""
    home = tmp_path / "a home"
    with pytest.raises(NotInstalled) as error:
        require({variable: str(home), "PATH": str(tmp_path)})
    assert str(error.value) == (
        f"steering: realizer native needs the provider plugin aws v{VERSION}, which is neither in"
        f" {home}{folder} nor on PATH;"
        f" install it: {pulumi.format(home)} plugin install resource aws v{VERSION}"
    )


def test_in_the_cache(tmp_path: Path) -> None:
    """This very version, below PULUMI_HOME."""
    _cached(tmp_path)
    require({"PULUMI_HOME": str(tmp_path), "PATH": ""})


def test_in_the_cache_of_the_home_folder(tmp_path: Path) -> None:
    """~/.pulumi where nothing is set, or set to nothing."""
    _cached(tmp_path / ".pulumi")
    require({"HOME": str(tmp_path), "PATH": ""})
    require({"HOME": str(tmp_path), "PULUMI_HOME": "", "PATH": ""})


@pytest.mark.parametrize("name", ["resource-aws-v0.0.1", f"resource-awsx-v{VERSION}"])
def test_another_plugin(tmp_path: Path, name: str) -> None:
    """Another version's folder is not what the engine takes."""
    _cached(tmp_path, name)
    with pytest.raises(NotInstalled):
        require({"PULUMI_HOME": str(tmp_path), "PATH": ""})


def test_a_download_that_was_cut_short(tmp_path: Path) -> None:
    """It is marked as unfinished, and so counts for nothing."""
    _cached(tmp_path)
    (tmp_path / "plugins" / f"resource-aws-v{VERSION}.partial").touch()
    with pytest.raises(NotInstalled):
        require({"PULUMI_HOME": str(tmp_path), "PATH": ""})


def test_on_path(tmp_path: Path) -> None:
    """Of whatever version, unless the engine is told to pass it over."""
    _executable(tmp_path / "bin" / "pulumi-resource-aws")
    environ = {"PULUMI_HOME": str(tmp_path), "PATH": str(tmp_path / "bin")}
    require(environ)
    with pytest.raises(NotInstalled):
        require({**environ, "PULUMI_IGNORE_AMBIENT_PLUGINS": "true"})


@pytest.mark.parametrize("attached", ["aws:1234", "gcp:99,aws:1234"])
def test_running_already(tmp_path: Path, attached: str) -> None:
    """The engine is led to it by a variable."""
    require({"PULUMI_HOME": str(tmp_path), "PATH": "", "PULUMI_DEBUG_PROVIDERS": attached})


def test_another_one_running(tmp_path: Path) -> None:
    """It is of no use here."""
    environ = {"PULUMI_HOME": str(tmp_path), "PATH": "", "PULUMI_DEBUG_PROVIDERS": "awsx:1234"}
    with pytest.raises(NotInstalled):
        require(environ)


def test_no_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package comes first: it says which plugin is needed."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(NotInstalled, match=r"-m pip install -r requirements-native\.txt$"):
        require({"PULUMI_HOME": str(tmp_path), "PATH": ""})
