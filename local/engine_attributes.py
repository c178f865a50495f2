"""The attributes that a file backend keeps beside each state, which a killed run leaves empty.

A state is written into a file of another name first and then renamed; its attributes,
`<file>.attrs`, are written in place. Killed in between, the CLI leaves the state of before
whole, and no command reads it any more: "failed to load checkpoint: EOF" (gocloud.dev,
blob/fileblob/attrs.go). Without attributes the state is read as it is.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from local.engine_locks import Lock, read_locks


def remove_empty(backend: Path, dead: Callable[[Lock], bool]) -> Iterator[Path]:
    """Remove the empty attributes of each stack whose locks are all dead, and yield them."""
    locks = backend / ".pulumi" / "locks"
    for folder in sorted({each.parent for each in locks.rglob("*.json")}):
        name = folder.relative_to(locks).as_posix()
        if all(lock and dead(lock) for lock in read_locks(backend, name)):
            yield from _remove_empty(backend, name)


def _remove_empty(backend: Path, name: str) -> Iterator[Path]:
    """Remove those of one stack, `<organization>/<project>/<stack>`, of its backup too."""
    _, _, stack = name.partition("/")
    state = backend / ".pulumi" / "stacks" / stack
    for path in sorted(state.parent.glob(f"{state.name}.json*.attrs")):
        if path.stat().st_size == 0:
            path.unlink()
            yield path
