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
class Ownership:
    """The claim that a change is made under: what a row's four ``claim_`` columns say.

    A change with an ownership leaves a row alone that a newer claim has written: one of a higher
    stamp, or of this stamp and another incarnation.
    """

    key: str
    incarnation: str
    family: str
    stamp: int

    @property
    def columns(self) -> tuple[str, str, str, int]:
        """The values of `CLAIM_COLUMNS`."""
        return self.key, self.incarnation, self.family, self.stamp


CLAIM_COLUMNS = ("claim_key", "claim_incarnation", "claim_family", "claim_stamp")
"""Where a row keeps the claim that it was last written under."""


@dataclass(frozen=True, slots=True)
class Mint:
    """Insert a row of our own where there is none: a row that is there is never adopted.

    With an ownership the row carries that, whatever the route says (behaviour 123).
    """

    route: Route
    ownership: Ownership | None = None

    def __post_init__(self) -> None:
        """Refuse a row that no pass could ever converge or retire."""
        if self.route.kind != SIDECAR or self.route.provisioned != 1:
            raise ValueError(f"{self.route.host}: only provisioned sidecar rows are minted")

    @property
    def host(self) -> str:
        """The key of the row."""
        return self.route.host

    @property
    def row(self) -> Route:
        """The row as it is inserted."""
        if self.ownership is None:
            return self.route
        key, incarnation, family, stamp = self.ownership.columns
        return self.route._replace(
            claim_key=key,
            claim_incarnation=incarnation,
            claim_family=family,
            claim_stamp=stamp,
        )


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
    """Write the changes of a row of ours that nobody holds, each its own UPDATE.

    With an ownership each UPDATE writes that too; without changes nothing is written.
    """

    host: str
    app: str
    account: str
    changes: tuple[Change, ...]
    ownership: Ownership | None = None


@dataclass(frozen=True, slots=True)
class Remove:
    """Delete a row of ours that nobody holds; rows of other tables stay."""

    host: str
    app: str
    account: str
    ownership: Ownership | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """Hold a row of ours for a move: nothing converges or removes it until the hold is taken away.

    Only a row that nobody holds is written. Another's hold stays, whoever's and whatever it says;
    nothing here takes one away.
    """

    host: str
    app: str
    account: str
    op: str
    ownership: Ownership | None = None

    def __post_init__(self) -> None:
        """Refuse a hold without a name, which would be none."""
        if not self.op:
            raise ValueError(f"{self.host}: a hold is named by its operation")


Operation = Mint | Converge | Remove | Hold

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
