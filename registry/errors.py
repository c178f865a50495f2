"""Everything that can go wrong with a registry file.

    RegistryError
    +-- RegistryMissing      no file
    +-- RegistryEmpty        a file of zero bytes
    +-- RegistryUnopenable   no right to it, a folder, a folder that cannot hold the side files
    +-- NotARegistry
    |   +-- NotSqlite        not an SQLite database at all
    |   +-- NoTables          a database without any table: what a broken copy leaves behind
    |   +-- NoRoutesTable     tables, but none called routes
    |   +-- OtherApplication  another application's database
    +-- ColumnsMissing       routes lacks columns, all of them named
    +-- RegistryBusy         locked for longer than the budget
    +-- RegistryReadOnly, RegistryFull, RegistryCorrupt, RegistryDiskFailed
    +-- RegistryFailed       what else SQLite says; for one row, that row's refusal
    +-- LineageMissing, LineageUnreadable
    +-- TargetExists         a snapshot would overwrite a file
    +-- WritesStopped        some changes were made, the rest not

Text that stood in the file is escaped where a message is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from control.text import printable
from registry.operations import Result

NAMED_AT_MOST = 20
"""Names that one message lists."""


class RegistryError(Exception):
    """Base of every error of this package: the file, and what is wrong with it, in one line."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, reason)
        self.path, self.reason = path, reason

    def __str__(self) -> str:
        """Return the whole message: one line."""
        return f"registry {printable(str(self.path))}: {self.reason}"


class RegistryMissing(RegistryError):
    """There is no such file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "no such file; start the platform, or restore the box's snapshot")


class RegistryEmpty(RegistryError):
    """The file has no byte: a broken restore, or somebody's touch. SQLite calls it healthy."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "the file has 0 bytes; set it aside and restore the box's snapshot")


class RegistryUnopenable(RegistryError):
    """The operating system does not let this user open the file or its side files."""


class NotARegistry(RegistryError):
    """The file is there, and is not a registry."""


class NotSqlite(NotARegistry):
    """The file is not an SQLite database."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "not an SQLite database; set it aside and restore the snapshot")


class NoTables(NotARegistry):
    """An SQLite database that holds nothing, as a copy that was cut short leaves it."""

    def __init__(self, path: Path) -> None:
        reason = "an SQLite database without any table, as a copy that broke off leaves it"
        super().__init__(path, f"{reason}; set it aside and restore the snapshot")


class NoRoutesTable(NotARegistry):
    """An SQLite database whose tables are others."""

    def __init__(self, path: Path, tables: Sequence[str]) -> None:
        reason = f"no table routes among its {len(tables)} tables ({listed(tables)})"
        super().__init__(path, f"{reason}; check the path in fairlead:registry")


class OtherApplication(NotARegistry):
    """A database that says, or shows, that it is another application's."""

    def __init__(self, path: Path, sign: str) -> None:
        reason = f"another application's database: {sign}"
        super().__init__(path, f"{reason}; check the path in fairlead:registry")


class ColumnsMissing(RegistryError):
    """The table `routes` lacks columns that a route has."""

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self.columns = tuple(columns)
        reason = f"the table routes lacks {len(columns)} columns: {', '.join(columns)}"
        super().__init__(path, f"{reason}; let the platform migrate it")


class RegistryBusy(RegistryError):
    """Somebody else held the lock for longer than the budget."""

    def __init__(self, path: Path, waited_seconds: float, budget_seconds: float) -> None:
        self.waited_seconds, self.budget_seconds = waited_seconds, budget_seconds
        reason = f"still locked after {waited_seconds:.1f} s, limit {budget_seconds:g} s"
        super().__init__(path, f"{reason}; find the process that holds it (fuser), or run again")


class RegistryReadOnly(RegistryError):
    """The file, its folder or its file system cannot be written by this user."""

    def __init__(self, path: Path, said: str) -> None:
        reason = f"cannot be written ({printable(said)})"
        super().__init__(path, f"{reason}; run as the user that owns the file and its folder")


class RegistryFull(RegistryError):
    """No room for another page."""

    def __init__(self, path: Path, said: str) -> None:
        self.said = said
        super().__init__(path, f"no room ({printable(said)}); free disk space and run again")


class RegistryCorrupt(RegistryError):
    """SQLite, or its integrity check, found the file damaged."""

    def __init__(self, path: Path, said: str) -> None:
        reason = f"damaged ({printable(said)})"
        super().__init__(path, f"{reason}; set it aside and restore the snapshot")


class RegistryDiskFailed(RegistryError):
    """The operating system failed to read or write the file."""

    def __init__(self, path: Path, said: str) -> None:
        super().__init__(path, f"{printable(said)}; check the disk and run again")


class RegistryFailed(RegistryError):
    """Whatever else SQLite says, in its words."""

    def __init__(self, path: Path, said: str) -> None:
        super().__init__(path, printable(said))
        self.said = said


class LineageMissing(RegistryError):
    """There is no lineage to write to."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "has no lineage yet; a snapshot pass begins one")


class LineageUnreadable(RegistryError):
    """The lineage table is not the one this program makes."""

    def __init__(self, path: Path, said: str) -> None:
        reason = f"the table fairlead_lineage does not read ({printable(said)})"
        super().__init__(path, f"{reason}; drop that table, and the next pass begins anew")


class TargetExists(RegistryError):
    """A file is where a snapshot was to be written."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "exists already; a snapshot is written to a new file only")


class WritesStopped(RegistryError):
    """The registry failed part of the way: what was committed stays, the rest is not begun.

    `cause` is the error of the registry, `results` those of the changes that were dealt with, in
    their order, and `left` the hosts of the others, in theirs.
    """

    def __init__(
        self, cause: RegistryError, results: Sequence[Result], left: Sequence[str]
    ) -> None:
        self.cause, self.results, self.left = cause, tuple(results), tuple(left)
        made = len(self.results)
        counts = f"{made} of {made + len(self.left)} changes were dealt with before and stay"
        reason = f"{cause.reason}; {counts}, not made: {listed(left)}; the next run goes on"
        super().__init__(cause.path, reason)


def listed(names: Sequence[str]) -> str:
    """Name the first of many, escaped, and count the rest."""
    more = len(names) - NAMED_AT_MOST
    shown = ", ".join(printable(name) for name in names[:NAMED_AT_MOST])
    return f"{shown} and {more} more" if more > 0 else shown
