"""Who may import whom, and how long things get."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping

import pytest

from tests.repo.sources import (
    Source,
    broad_excepts,
    long_functions,
    long_module,
    prints,
    project,
    reached,
)

_SOURCES = project()
# What reads the world: pure code gets all of it as arguments.
_EFFECTS = {
    *("asyncio", "http", "io", "logging", "multiprocessing", "os", "pathlib", "platform"),
    *("random", "secrets", "select", "shutil", "signal", "socket", "sqlite3", "ssl"),
    *("subprocess", "sys", "tempfile", "threading", "time", "urllib.request", "uuid"),
}
_PURE = ("control.records", "control.keys", "control.claims", "folds", "policy.guards")
_PULUMI = ("pulumi", "pulumi_policy", "pulumi_aws")
# By package: what of the project it may not name.
_ABOVE = {
    "control": ("folds", "policy", "route53", "registry", "providers"),
    "folds": ("route53", "registry", "providers"),
    "policy": ("control", "folds", "route53", "registry", "providers"),
    "route53": ("providers", "registry"),
    "registry": ("providers", "route53"),
}
_STACKS = ("__main__", "stacks", "operate", "tests")
_LOCAL = ("local", "tests")
# An operator's command on the demo's stack needs its addresses, as the engine does.
_DEMO = ("operate", "local.environment", "local.errors")


def _under(name: str, packages: Iterable[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def _impure(source: Source, sources: Mapping[str, Source]) -> list[str]:
    """Return what a pure module reaches that is not the standard library, pydantic or pure."""
    return sorted(
        f"{via.name} imports {name}"
        for via, name in reached(source, sources)
        if not _allowed(name, sources)
    )


def _allowed(name: str, sources: Mapping[str, Source]) -> bool:
    top = name.partition(".")[0]
    if _under(name, _EFFECTS):
        return False
    if top in {each.partition(".")[0] for each in sources}:
        return _under(name, ("control", "folds", "policy"))
    return top in {"pydantic", *sys.stdlib_module_names}


def _forbidden(source: Source) -> list[str]:
    """Return the imports that go against the direction."""
    top = source.name.partition(".")[0]
    refused = [*_ABOVE.get(top, ())]
    refused += _PULUMI if top in {"control", "folds", "route53", "registry"} else ()
    refused += ["stacks"] if top not in _STACKS else []
    refused += ["local"] if top not in _LOCAL else []
    refused += ["tests"] if top != "tests" else []
    wrong = [name for name in source.imports if _under(name, refused)]
    if top == _DEMO[0]:
        wrong = [name for name in wrong if not _under(name, _DEMO[1:])]
    return sorted(f"{source.name} imports {name}" for name in wrong)


def _own_only(source: Source) -> list[str]:
    """Return what a module of the guards imports of the project by its full name."""
    tops = {each.partition(".")[0] for each in _SOURCES} - {"policy"}
    outside = [name for name in source.imports if _under(name, tops)]
    return outside + [line for line in source.text.splitlines() if "policy.guards" in line.split()]


def _found(check: Callable[[Source], list[str]], *packages: str) -> list[str]:
    chosen = [each for name, each in _SOURCES.items() if not packages or _under(name, packages)]
    assert chosen
    return [what for source in chosen for what in check(source)]


def _module(name: str, text: str) -> Source:
    return Source(name, package=False, text=text)


def test_pure_modules() -> None:
    """Folds, guards, records and keys lead to the standard library and pydantic alone."""
    assert _found(lambda source: _impure(source, _SOURCES), *_PURE) == []


@pytest.mark.parametrize(
    "text",
    [
        "import boto3",
        "import os.path",
        "from time import sleep",
        "import route53.read",
        "def f():\n    import pulumi",
        "from control import store",
    ],
)
def test_module_that_is_not_pure(text: str) -> None:
    """An import of the world is found, at once or by way of another module."""
    store = _module("control.store", "import obstore")
    assert _impure(_module("folds.x", text), {**_SOURCES, "control.store": store})


def test_import_direction() -> None:
    """Nobody looks up: see the table above."""
    assert _found(_forbidden) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("route53.x", "import pulumi"),
        ("control.store", "from pulumi import log"),
        ("control.x", "from folds.zone import LiveSet"),
        ("folds.x", "from providers import engine"),
        ("providers.x", "from stacks.settings import load"),
        ("operate.x", "import local.zone"),
        ("stacks.x", "from tests.support import zones"),
        ("policy.guards.x", "from ..  import x\nfrom folds import zone"),
    ],
)
def test_import_against_the_direction(name: str, text: str) -> None:
    """It is found."""
    assert _forbidden(_module(name, text))


def test_guards_import_nothing_of_the_project() -> None:
    """A pack is published as its own folder: relative imports only."""
    assert _found(_own_only, "policy.guards") == []
    assert _own_only(_module("policy.guards.x", "from policy.guards import rules"))
    assert _own_only(_module("policy.guards.x", "import control.text"))


def test_relative_imports() -> None:
    """They count as what they name."""
    assert "policy.guards.rules" in _module("policy.guards.x", "from .rules import R").imports
    assert "policy.guards" in Source("policy.guards", package=True, text="from . import x").imports
    assert "policy.x" in _module("policy.guards.x", "from .. import x").imports


def test_broad_excepts() -> None:
    """An exception is caught by its name; tests may play somebody who does not."""
    assert [each for each in _found(broad_excepts) if not _under(each, ["tests"])] == []


@pytest.mark.parametrize(
    "text",
    [
        "try: f()\nexcept: pass",
        "try: f()\nexcept (KeyError, Exception): pass",
        "try: f()\nexcept Exception as e: raise ValueError from e",
        "import contextlib\nwith contextlib.suppress(BaseException): f()",
    ],
)
def test_broad_except(text: str) -> None:
    """Bare, in a tuple, translated or suppressed: it is found; to clean up on the way is none."""
    assert broad_excepts(_module("x", text))
    assert not broad_excepts(_module("x", "try: f()\nexcept BaseException:\n    g()\n    raise"))


def test_prints() -> None:
    """Commands print, nothing else does."""
    commands = ("operate", "local", "policy.waivers", "tools", "tests")
    assert [each for each in _found(prints) if not _under(each.partition(":")[0], commands)] == []
    assert prints(_module("x", "def f():\n    print('x')"))


def test_length_of_modules() -> None:
    """No module has more than 200 lines, a test's not more than 300, the program's entry 40."""
    assert _found(long_module) == []
    assert long_module(_SOURCES["__main__"], 40) == []
    assert long_module(_module("x", "x = 1\n" * 201)) == ["x: 201"]
    assert long_module(_module("tests.x", "x = 1\n" * 300)) == []
    assert long_module(_module("tests.x", "x = 1\n" * 301)) == ["tests.x: 301"]


def test_length_of_functions() -> None:
    """No function has 40 lines."""
    assert _found(long_functions) == []
    assert long_functions(_module("x", "async def f():\n" + "    x = 1\n" * 39)) == ["x.f: 40"]
