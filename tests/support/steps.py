"""Every call of a store and every SQL statement of a pass, counted; at a chosen one it fails."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from registry import connection
from tests.support.fake_store import Call, Crashed, Fault

CRASHES = ("crash", "crash after")
_WRITING = frozenset(("put", "delete", "VACUUM", "CREATE", "UPDATE", "INSERT", "DELETE", "COMMIT"))
STORE_FAULTS = ("down", "lost", "again", "busy")


@dataclass
class Steps:
    """``at`` is the step that fails, counted from 0, None for none; ``kind`` as in `Fault`.

    With ``writing`` only the steps that write something are counted.

    In SQL ``crash`` and ``crash after`` mean the same as in a store; any other kind is a failing
    disk. ``names`` lists what was done: ``put <key>``, or a statement's first words.
    """

    at: int | None = None
    kind: str = ""
    writing: bool = False
    names: list[str] = field(default_factory=list)

    def arm(self, at: int | None, kind: str, *, writing: bool = False) -> None:
        """Begin to count anew."""
        self.at, self.kind, self.writing = at, kind, writing
        self.names.clear()

    def store(self, call: Call) -> Fault | None:
        """Say what happens at a call: what a store asks."""
        return Fault(self.kind) if self._here(f"{call.op} {call.key}") else None

    def sql(self, statement: str) -> str:
        """Say what happens at a statement, empty for nothing."""
        return self.kind if self._here(" ".join(statement.split()[:3])) else ""

    def _here(self, name: str) -> bool:
        if self.writing and name.partition(" ")[0] not in _WRITING:
            return False
        self.names.append(name)
        return len(self.names) - 1 == self.at


@contextmanager
def counted(steps: Steps) -> Iterator[None]:
    """Let every connection that the registry package opens count its statements."""

    class Connection(sqlite3.Connection):
        def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
            kind = steps.sql(sql)
            if kind == "crash":
                raise Crashed
            if kind and kind != "crash after":
                raise sqlite3.OperationalError("disk I/O error")
            done = super().execute(sql, parameters)
            if kind == "crash after":
                raise Crashed
            return done

    def connect(path: Path, mode: str, budget_seconds: float) -> sqlite3.Connection:
        uri = f"{path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(
            uri, uri=True, timeout=budget_seconds, isolation_level=None, factory=Connection
        )

    with patch.object(connection, "_connect", connect):
        yield
