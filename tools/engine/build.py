"""Builds the engine into the user's cache, once for all checkouts.

A folder appears under its final name only when it is whole (one rename), and one
process builds at a time (a lock file); whoever waits finds the folder made.
"""

import fcntl
import os
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.engine.errors import BuildError
from tools.engine.progress import LongCommand, Say, run
from tools.engine.recipe import CLI, EXECUTABLES, LAUNCHER, MODULE, SDK, Recipe

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
    if is_whole(target):
        return target
    builder.root.mkdir(parents=True, exist_ok=True)
    with _lock(builder.root / f"{recipe.folder}.lock", builder.say):
        if not is_whole(target):
            _replace(target, recipe, builder)
    return target


def _replace(target: Path, recipe: Recipe, builder: Builder) -> None:
    for left_over in builder.root.glob(f"{recipe.folder}.partial-*"):
        shutil.rmtree(left_over)
    partial = Path(tempfile.mkdtemp(prefix=f"{recipe.folder}.partial-", dir=builder.root))
    try:
        _fill(partial, recipe, builder)
        shutil.rmtree(target, ignore_errors=True)
        partial.rename(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _fill(folder: Path, recipe: Recipe, builder: Builder) -> None:
    builder.say(f"engine: building pulumi {recipe.version} with Go: about six minutes, once")
    output = folder / "pulumi"
    flags = ["-v", "-ldflags", recipe.linker_flags, "-o", str(output)]
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


@contextmanager
def _lock(path: Path, say: Say, every: float = 10.0) -> Iterator[None]:
    """Hold the lock file; the system lets go of it with the process that dies."""
    with path.open("w") as file:
        waited = time.monotonic()
        while not _try_lock(file.fileno()):
            if time.monotonic() - waited >= every:
                say("engine: another process is building it: waiting")
                waited = time.monotonic()
            time.sleep(0.1)
        yield


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
