"""What can be done to one row of `routes`, and what came of it. Pure values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from registry.route import SIDECAR, Route

CONVERGED: tuple[tuple[str, ...], ...] = (
    ("channel",),
    ("environment",),
    ("hibernate",),
    ("args",),
    ("idle_seconds", "max_run_seconds"),
)
"""The columns that converge. Each group is one UPDATE: both ceilings are one policy."""


@dataclass(frozen=True, slots=True)
class Mint:
    """Insert a row of our own where there is none: a row that is there is never adopted."""

    route: Route

    def __post_init__(self) -> None:
        """Refuse a row that no pass could ever converge or retire."""
        if self.route.kind != SIDECAR or self.route.provisioned != 1:
            raise ValueError(f"{self.route.host}: only provisioned sidecar rows are minted")

    @property
    def host(self) -> str:
        """The key of the row."""
        return self.route.host


@dataclass(frozen=True, slots=True)
class Change:
    """One group of `CONVERGED`, with the values seen and the values wanted, in its order."""

    columns: tuple[str, ...]
    observed: tuple[str | int, ...]
    wanted: tuple[str | int, ...]

    def __post_init__(self) -> None:
        """Refuse columns that are not ours to converge."""
        if self.columns not in CONVERGED or len(self.wanted) != len(self.columns):
            raise ValueError(f"{self.columns} = {self.wanted} is not a group that converges")


@dataclass(frozen=True, slots=True)
class Converge:
    """Write the changes of a row of ours, each its own UPDATE."""

    host: str
    app: str
    account: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Remove:
    """Delete a row of ours; rows of other tables stay."""

    host: str
    app: str
    account: str


Operation = Mint | Converge | Remove

Outcome = Literal["done", "nothing to do", "refused", "failed"]
"""`refused`: the row is not as the plan saw it, so it was left. `failed`: the registry said no."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one operation.

    `written` names the columns that a `Converge` wrote, also where another of its columns failed.
    `reason` is raw text: it may quote what a trigger of the registry says.
    """

    operation: Operation
    outcome: Outcome
    reason: str = ""
    written: tuple[str, ...] = ()
