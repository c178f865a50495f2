"""Builds the two commands into the user's cache, once for all checkouts."""

import hashlib
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.engine.cache import Made, cache_root, make_once
from tools.engine.errors import BuildError, NoToolchainError
from tools.engine.progress import LongCommand, Say, run

MODULE = Path(__file__).resolve().parent / "module"
COMMANDS = {
    "actionlint": "github.com/rhysd/actionlint/cmd/actionlint",
    "gojq": "github.com/itchyny/gojq/cmd/gojq",
}
# Whether shellcheck and pyflakes are on PATH must not matter. The pattern may go once a version
# knows the key: GitHub takes it since May 2026, and v1.7.12 does not.
OPTIONS = (
    *("-shellcheck=", "-pyflakes=", "-no-color"),
    *("-ignore", 'unexpected key "queue" for "concurrency" section'),
)
_WHAT = "actionlint"


@dataclass(frozen=True)
class Builder:
    """The `go` command, and the environment to build with."""

    go: str
    environ: Mapping[str, str]
    say: Say


def folder_of(environ: Mapping[str, str], module: Path = MODULE) -> Path:
    """Where the commands of this module belong: other contents, another folder."""
    contents = b"".join((module / name).read_bytes() for name in ("go.mod", "go.sum"))
    return cache_root(environ, "actions") / hashlib.sha256(contents).hexdigest()[:8]


def ensure(environ: Mapping[str, str], say: Say) -> Path:
    """Return the folder of the commands, built first where that is needed and possible.

    Raises:
        NoToolchainError: they were not built, and there is no Go.
        BuildError: Go failed.
    """
    target = folder_of(environ)
    if _is_whole(target):
        return target
    go = shutil.which("go", path=environ.get("PATH", ""))
    if go is None:
        raise NoToolchainError(
            f"{_WHAT}: `go` is not on PATH: install Go (https://go.dev/dl/) to have it built here"
        )
    builder = Builder(go, environ, say)
    return make_once(Made(target, _WHAT, _is_whole, lambda f: _fill(f, target, builder)), say)


def _is_whole(folder: Path) -> bool:
    return all(os.access(folder / name, os.X_OK) for name in COMMANDS)


def _fill(folder: Path, target: Path, builder: Builder) -> None:
    builder.say(f"{_WHAT}: building it with Go: about half a minute, once")
    # -v: a line for each package, by which the progress is told.
    words = [builder.go, "build", "-v", "-o", f"{folder}{os.sep}", *COMMANDS.values()]
    environ = {**builder.environ, "GOWORK": "off"}
    log = target.with_name(f"{target.name}.log")
    run(LongCommand(f"{_WHAT}: building it", words, MODULE, environ, log), builder.say)
    if not _is_whole(folder):
        raise BuildError(f"{_WHAT}: {builder.go} made no {' and no '.join(COMMANDS)}: see {log}")
