"""The project's own sources as parsed modules, and what can be wrong with one."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
MODULE_LINES, TEST_LINES = 200, 300
FUNCTION_LINES = 39
_BROAD = {"Exception", "BaseException"}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """One module: its dotted name, whether it is a package, its text."""

    name: str
    package: bool
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def imports(self) -> frozenset[str]:
        """Every module that an import statement names, anywhere in the file, as dotted names.

        ``from a import b`` names both ``a`` and ``a.b``: which one is a module, others know.
        """
        return frozenset(found for node in ast.walk(self.tree) for found in self._named(node))

    def _named(self, node: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            base = ".".join(filter(None, [*self._above(node.level), node.module]))
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)

    def _above(self, level: int) -> list[str]:
        parts = self.name.split(".")
        kept = len(parts) - level + self.package
        return parts[:kept] if level else []


def project() -> dict[str, Source]:
    """Return all modules of the checkout by name, environments and caches left out."""
    folders = [each for each in CHECKOUT.iterdir() if each.is_dir() and each.name[0] != "."]
    files = [*CHECKOUT.glob("*.py"), *(path for each in folders for path in each.rglob("*.py"))]
    own = [read(path) for path in files if "venv" not in path.parts]
    return {source.name: source for source in own}


def read(path: Path) -> Source:
    """Read one file of the checkout."""
    parts = path.relative_to(CHECKOUT).with_suffix("").parts
    package = parts[-1] == "__init__"
    name = ".".join(parts[:-1] if package else parts)
    return Source(name, package, path.read_text(encoding="utf-8"))


def reached(start: Source, sources: Mapping[str, Source]) -> Iterator[tuple[Source, str]]:
    """Yield every import in the module and in all project modules it leads to."""
    seen, queue = {start.name}, [start]
    while queue:
        source = queue.pop()
        for name in source.imports:
            yield source, name
        found = {name for each in source.imports for name in _with_parents(each)} & sources.keys()
        queue += [sources[name] for name in sorted(found - seen)]
        seen |= found


def _with_parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    yield from (".".join(parts[:count]) for count in range(1, len(parts) + 1))


def broad_excepts(source: Source) -> list[str]:
    """Return where an exception of any kind is caught or suppressed, and not raised again."""
    nodes = [*ast.walk(source.tree)]
    lines = [each.lineno for each in nodes if isinstance(each, ast.ExceptHandler) and _takes(each)]
    lines += [each.lineno for each in nodes if isinstance(each, ast.Call) and _suppresses(each)]
    return [f"{source.name}:{line}" for line in sorted(lines)]


def _takes(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    again = isinstance(last, ast.Raise) and last.exc is None
    return not again and (handler.type is None or bool(_names(handler.type) & _BROAD))


def _suppresses(call: ast.Call) -> bool:
    return "suppress" in _names(call.func) and any(_names(each) & _BROAD for each in call.args)


def prints(source: Source) -> list[str]:
    """Return where ``print`` is called."""
    calls = (node for node in ast.walk(source.tree) if isinstance(node, ast.Call))
    return [f"{source.name}:{call.lineno}" for call in calls if "print" in _names(call.func)]


def _names(node: ast.AST) -> set[str]:
    named = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return named | {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}


def long_functions(source: Source, most: int = FUNCTION_LINES) -> list[str]:
    """Return the functions that are too long, signature and docstring included."""
    functions = (node for node in ast.walk(source.tree) if isinstance(node, _Function))
    lengths = {each.name: (each.end_lineno or 0) - each.lineno + 1 for each in functions}
    return [f"{source.name}.{name}: {count}" for name, count in lengths.items() if count > most]


def long_module(source: Source, most: int | None = None) -> list[str]:
    """Return the module if it is too long; a test's may be longer than others."""
    count = len(source.text.splitlines())
    if most is None:
        most = TEST_LINES if source.name.partition(".")[0] == "tests" else MODULE_LINES
    return [f"{source.name}: {count}"] if count > most else []
