"""What the engine is built from."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tools.engine.errors import RecipeError
from tools.engine.recipe import LAUNCHER, MODULE, Recipe, read_recipe

if TYPE_CHECKING:
    from pathlib import Path


def test_version_is_the_modules() -> None:
    """The version comes from go.mod, and official builds carry it with a `v`."""
    recipe = read_recipe()
    assert recipe.version == "3.274.1"
    assert recipe.linker_flags.endswith("version.Version=v3.274.1")
    assert recipe.folder == f"3.274.1-{recipe.key}"


@pytest.mark.parametrize("changed", ["go.mod", "go.sum", "launcher"])
def test_other_contents_other_folder(tmp_path: Path, changed: str) -> None:
    """What is built from other contents never shares a folder."""
    for file in (MODULE / "go.mod", MODULE / "go.sum"):
        shutil.copyfile(file, tmp_path / file.name)
    shutil.copyfile(LAUNCHER, tmp_path / "launcher")
    assert _recipe(tmp_path) == read_recipe()
    with (tmp_path / changed).open("a") as text:
        text.write("\n")
    assert _recipe(tmp_path).key != read_recipe().key


def test_module_without_the_cli(tmp_path: Path) -> None:
    """The message names the file."""
    for name in ("go.mod", "go.sum", "launcher"):
        (tmp_path / name).write_text("module x\n")
    with pytest.raises(RecipeError, match=r"go\.mod requires no github\.com/pulumi/pulumi/pkg/v3"):
        _recipe(tmp_path)


def _recipe(folder: Path) -> Recipe:
    return read_recipe(folder, folder / "launcher")
