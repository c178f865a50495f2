"""What the platform implements so that a host's rows are written under its claim.

A port raises a `providers.claim_errors.ClaimError` for what it refuses or cannot do. Nothing here
may take an unreadable or unreachable thing for an absent one.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

from control.claims import Claim
from control.sidecar_records import SidecarRecord
from folds.sidecar_rows import Row


@dataclass(frozen=True, slots=True)
class Selection:
    """The record that asks for a host, as it was read (behaviour 122).

    ``etag`` is the record's; ``family`` is ``sidecar``. ``layout`` and ``paths`` are for the
    inventory. The rest tells an adoption what it would take on: the record, and the row wanted.
    """

    host: str
    key: str
    etag: str
    incarnation: str
    family: str
    layout: str = "flat"
    paths: tuple[str, ...] = ()
    dry_run: bool = False
    account: str = ""
    app: str = ""
    created_at: str = ""
    record: SidecarRecord | None = None
    row: Row | None = None


@dataclass(frozen=True, slots=True)
class Retirement:
    """A row that is to go. ``incarnation``, ``stamp`` and ``hold`` are the row's own columns."""

    host: str
    key: str
    family: str
    incarnation: str = ""
    stamp: int = 0
    hold: str = ""
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Observed:
    """A host's claim as one read had it; ``claim`` None means not found, and nothing else."""

    host: str
    claim: Claim | None
    etag: str = ""


@dataclass(frozen=True, slots=True)
class Captured:
    """A host's activation record as it was read: who was let in, under which stamp.

    ``retired``: the row was removed under that stamp, and comes back under a later one only.
    """

    host: str
    box: str
    incarnation: str
    stamp: int
    retired: bool = False


@dataclass(frozen=True, slots=True)
class Ownership:
    """What goes into a row's ``claim_*`` columns, and what its write is conditional on."""

    key: str = ""
    incarnation: str = ""
    family: str = ""
    stamp: int = 0


@dataclass(frozen=True, slots=True)
class Permit:
    """The right to one write of one host's row.

    ``confirm`` reads the claim once more. It is to be called inside the write's own transaction,
    after the statement and before COMMIT; what it raises must roll the write back.
    """

    ownership: Ownership
    confirm: Callable[[], None]


Write: TypeAlias = Callable[[Permit], None]


class ClaimsStore(Protocol):
    """The claims of the control bucket."""

    def read(self, host: str) -> Observed:
        """Read a claim. 404 alone is "not found".

        Raises:
            ClaimUnreadable: it is there and means nothing, or the host is none.
            ClaimReadFailed: 403, 5xx, no answer.
        """


class RecordCheck(Protocol):
    """The record that asks, looked at again."""

    def check(self, selection: Selection) -> None:
        """Raise `ClaimChanged` unless the record's ETag is still the selection's."""


class LocalCheck(Protocol):
    """Whether this box may take the host on: its census of what is installed."""

    def check(self, observed: Observed, selection: Selection) -> None:
        """Raise `ClaimChanged` where something else is installed, or is of a later stamp."""


class HeldCheck(Protocol):
    """Whether this box has an installation of its own to hold; the holder's stamp is no matter."""

    def check(self, observed: Observed, selection: Selection) -> None:
        """Raise `ClaimChanged` where there is none for the record."""


class FenceObserver(Protocol):
    """This box's admission fence for a host."""

    def closed(self, observed: Observed) -> bool:
        """Say whether it is closed on the claim given. Takes no lock."""


class HoldWriter(Protocol):
    """The hold of a row."""

    def hold(self, host: str, op: str, permit: Permit) -> None:
        """Set a row's hold where the observed one is empty or that very operation.

        It is called under the host's lock. Raises `ClaimChanged` where there is no row, or another
        hold.
        """


class Guard(Protocol):
    """A host's lock on this box, and its activation record."""

    def activate(self, host: str, box: str, read: Callable[[str], Observed]) -> None:
        """Under the lock: call ``read``, then write the activation record atomically.

        Raises what ``read`` does, and `ClaimChanged` where the record on disk has a later stamp, or
        was retired under this one or a later.
        """

    def capture(self, host: str) -> Captured:
        """Return the activation record. Raises `ClaimChanged` where there is none."""

    def retire(self, host: str, captured: Captured) -> None:
        """Write an activation record that is retired; the caller has the lock.

        Raises `ClaimChanged` where the record on disk has a later stamp.
        """

    def locked(self, host: str) -> AbstractContextManager[None]:
        """Hold the host's lock. Raises `HostBusy` where it is not had in time."""


class Inventory(Protocol):
    """What this box has installed, by host."""

    def record(
        self,
        host: str,
        captured: Captured,
        layout: str,
        paths: tuple[str, ...],
        check: Callable[[Claim], None],
    ) -> None:
        """Under the lock: read the claim, call ``check`` on it, then write the inventory.

        Raises what ``check`` does, and `ClaimChanged` where the claim is not found or the
        activation is no longer ``captured``.
        """


class Adoption(Protocol):
    """Who makes a claim for a record from before claims."""

    def adopt(self, selection: Selection) -> Observed:
        """Return the claim that was made."""


class Work(Protocol):
    """One admitted action on a host."""

    def run(self, write: Callable[[], None]) -> None:
        """Call ``write`` under the host's lock; what it raises passes through.

        Raises `ClaimChanged` where the activation is no longer what it was selected at.
        """


class Selector(Protocol):
    """Who admits actions on hosts."""

    def select(self, host: str, action: str) -> Work:
        """Admit an action without claims."""


@runtime_checkable
class CapturingSelector(Selector, Protocol):
    """A selector that can admit an action at a capture, which claims need (behaviour 183)."""

    def select_at(self, host: str, action: str, captured: Captured) -> Work:
        """Admit an action while the activation is ``captured``."""
