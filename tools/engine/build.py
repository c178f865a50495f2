"""Builds the engine into the user's cache, once for all checkouts."""

import os
import shutil
import stat
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.engine.cache import Made, make_once
from tools.engine.errors import BuildError
from tools.engine.progress import LongCommand, Say, run
from tools.engine.recipe import CLI, EXECUTABLES, LAUNCHER, MODULE, SDK, Recipe

# The linker leaves it out anyway (-w); not to make it saves a seventh of the compilers' work.
_NO_DEBUG_DATA = "-gcflags=all=-dwarf=false"
_SDK_FILES = ("python/cmd/pulumi-language-python-exec", "python/dist/pulumi-resource-pulumi-python")


@dataclass(frozen=True)
class Builder:
    """The `go` command, the cache folder and the environment to build with."""

    go: str
    root: Path
    environ: Mapping[str, str]
    say: Say


def is_whole(folder: Path) -> bool:
    """Whether the folder holds every executable of a toolchain."""
    return all(os.access(folder / name, os.X_OK) for name in EXECUTABLES)


def install(recipe: Recipe, builder: Builder) -> Path:
    """Return the folder of the toolchain, built now unless it is there.

    Raises:
        BuildError: a `go` command failed.
    """
    target = builder.root / recipe.folder
    made = Made(target, "engine", is_whole, lambda folder: _fill(folder, recipe, builder))
    return make_once(made, builder.say)


def _fill(folder: Path, recipe: Recipe, builder: Builder) -> None:
    builder.say(f"engine: building pulumi {recipe.version} with Go: about six minutes, once")
    output = folder / "pulumi"
    flags = ["-v", _NO_DEBUG_DATA, "-ldflags", recipe.linker_flags, "-o", str(output)]
    what = f"engine: building pulumi {recipe.version}"
    log = builder.root / f"{recipe.folder}.log"
    environ = {**builder.environ, "GOWORK": "off"}
    run(
        LongCommand(what, [builder.go, "build", *flags, CLI], MODULE, environ, log),
        builder.say,
    )
    sdk = _module_folder(builder)
    for source in (LAUNCHER, *(sdk / name for name in _SDK_FILES)):
        _copy_executable(source, folder / source.name)
    if not is_whole(folder):
        raise BuildError(f"engine: {builder.go} made no {output.name}: see {log}")


def _module_folder(builder: Builder) -> Path:
    command = [builder.go, "list", "-m", "-f", "{{.Dir}}", SDK]
    environ = {**builder.environ, "GOWORK": "off"}
    found = subprocess.run(
        command, cwd=MODULE, env=environ, capture_output=True, text=True, check=False
    )
    if found.returncode != 0 or not found.stdout.strip():
        raise BuildError(f"engine: {builder.go} does not find {SDK}: {found.stderr.strip()}")
    return Path(found.stdout.strip())


def _copy_executable(source: Path, target: Path) -> None:
    # The module cache is read-only, and its files are not executable.
    shutil.copyfile(source, target)
    target.chmod(target.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
