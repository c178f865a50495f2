"""Where the engine is: the official one on PATH, or the one built for this checkout."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.engine import cache
from tools.engine.build import Builder, install, is_whole
from tools.engine.errors import NoToolchainError
from tools.engine.progress import Say
from tools.engine.recipe import Recipe, read_recipe

CHECKOUT = Path(__file__).resolve().parents[2]
_MISSING = (
    "engine: neither `pulumi` with `pulumi-language-python` nor `go` is on PATH: install Pulumi "
    "(https://www.pulumi.com/docs/install/), or Go (https://go.dev/dl/) to have it built here"
)


@dataclass(frozen=True)
class Engine:
    """The CLI, and the folder that goes on PATH before all else (None: it is official)."""

    pulumi: Path
    folder: Path | None


def cache_root(environ: Mapping[str, str]) -> Path:
    """The folder of built engines in the user's cache."""
    return cache.cache_root(environ, "engine")


def find_official(environ: Mapping[str, str], checkout: Path = CHECKOUT) -> Engine | None:
    """The official CLI on PATH, if its Python language host is on PATH or beside it.

    Our own `local/pulumi` and the engines built here are passed over: a command
    started by the engine finds them on its PATH.
    """
    own = (checkout / "local", cache_root(environ))
    entries = environ.get("PATH", "").split(os.pathsep)
    path = os.pathsep.join(
        entry for entry in entries if entry and not any(_inside(entry, folder) for folder in own)
    )
    pulumi = shutil.which("pulumi", path=path)
    if pulumi is None:
        return None
    beside = Path(pulumi).resolve().parent
    host = shutil.which("pulumi-language-python", path=os.pathsep.join((path, str(beside))))
    return None if host is None else Engine(Path(pulumi), None)


def find(environ: Mapping[str, str], recipe: Recipe | None = None) -> Engine | None:
    """The engine if it is there now; nothing is built."""
    folder = cache_root(environ) / (recipe or read_recipe()).folder
    built = Engine(folder / "pulumi", folder) if is_whole(folder) else None
    return find_official(environ) or built


def ensure(environ: Mapping[str, str], say: Say, recipe: Recipe | None = None) -> Engine:
    """The engine, built first where that is needed and possible.

    Raises:
        NoToolchainError: no official engine, none built and no Go.
        BuildError: Go failed.
    """
    recipe = recipe or read_recipe()
    found = find(environ, recipe)
    if found is not None:
        return found
    go = shutil.which("go", path=environ.get("PATH", ""))
    if go is None:
        raise NoToolchainError(_MISSING)
    folder = install(recipe, Builder(go, cache_root(environ), environ, say))
    return Engine(folder / "pulumi", folder)


def environment(engine: Engine, environ: Mapping[str, str], checkout: Path) -> dict[str, str]:
    """The environment with the checkout's Python and the engine first on PATH.

    FAIRLEAD_CHECKOUT tells the stand-in's launcher whose language host to start.
    """
    first = [str(checkout / ".venv" / "bin"), *([str(engine.folder)] if engine.folder else [])]
    path = os.pathsep.join((*first, environ.get("PATH", "")))
    return {**environ, "PATH": path, "FAIRLEAD_CHECKOUT": str(checkout)}


def _inside(entry: str, folder: Path) -> bool:
    resolved = Path(entry).resolve()
    return resolved == folder.resolve() or folder.resolve() in resolved.parents
