"""What a sidecars plan is made of: its changes, and verdicts over records and rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from control.sidecar_keys import SidecarKey
from folds.sidecar_rows import Row
from folds.sidecar_text import quoted, shown, word

Cause = Literal["absent", "asked", "trashed"]
Action = Literal[
    "mint",
    "converge",
    "keep",
    "protect",
    "decline",
    "foreign",
    "remove",
    "hold",
    "held back",
    "elsewhere",
]
Cell: TypeAlias = str | int


@dataclass(frozen=True, slots=True)
class Admission:
    """What was found out about a host that is to get a row, before it gets one.

    ``staged``: the file of a co-spawn lies there (behaviours 91, 115). ``refusal`` is why the
    configuration gate refused, raw, or empty (behaviour 117).
    """

    host: str
    staged: bool = False
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Mint:
    """A row to insert."""

    row: Row

    @property
    def host(self) -> str:
        """The key of the row."""
        return self.row.host

    @property
    def line(self) -> str:
        """One line for people."""
        row = self.row
        app = f"{row.account}/{row.app}"
        return f"+ {word(row.host)} {app} channel {quoted(row.channel)} args {shown(row.args)}"


@dataclass(frozen=True, slots=True)
class ColumnsChange:
    """Columns to be written in one narrow update, which others of the row do not take part in."""

    columns: tuple[str, ...]
    before: tuple[Cell, ...]
    after: tuple[Cell, ...]

    @property
    def text(self) -> str:
        """One phrase for people: ``channel "edge" -> "beta"``."""
        return f"{'/'.join(self.columns)} {_values(self.before)} -> {_values(self.after)}"


@dataclass(frozen=True, slots=True)
class Converge:
    """An owned row that differs from what its record describes, change by change."""

    host: str
    app: str
    account: str
    changes: tuple[ColumnsChange, ...]

    @property
    def line(self) -> str:
        """One line for people."""
        return f"~ {word(self.host)} {'; '.join(change.text for change in self.changes)}"


@dataclass(frozen=True, slots=True)
class Hold:
    """An owned row to be held for an operation of its claim. ``reason`` is printable."""

    host: str
    app: str
    account: str
    op: str
    reason: str

    @property
    def line(self) -> str:
        """One line for people."""
        return f"~ {word(self.host)} held by {shown(self.op)}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Removal:
    """An owned row to delete.

    ``cause``: its record is ``absent``, its record is there and has ``asked`` for another region,
    pool or placement, or its app is ``trashed``. ``reason`` is printable.
    """

    host: str
    key: SidecarKey
    cause: Cause
    reason: str

    @property
    def reads(self) -> tuple[str, ...]:
        """Keys of the objects that it rests on, to be read once more before the row goes."""
        owner = self.key.owner
        return (owner.trash,) if self.cause == "trashed" else (self.key.record, owner.manifest)

    @property
    def line(self) -> str:
        """One line for people."""
        return f"- {word(self.host)} {self.reason}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of one record, or of one row without any.

    ``key`` is the record's, or empty. ``reason`` is printable, empty where a change's own line says
    it all. ``loud`` verdicts are worth a warning.
    """

    host: str
    key: str
    action: Action
    reason: str = ""
    loud: bool = False


def _values(values: tuple[Cell, ...]) -> str:
    return "/".join([quoted(each) if isinstance(each, str) else str(each) for each in values])
