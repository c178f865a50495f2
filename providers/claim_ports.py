"""What the platform implements so that a host's rows are written under its claim.

A port raises a `providers.claim_errors.ClaimError` for what it refuses or cannot do. Nothing here
may take an unreadable or unreachable thing for an absent one.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from control.claims import Claim
from providers.claim_values import (
    Captured,
    Observed,
    Ownership,
    Permit,
    Retirement,
    Selection,
    Write,
)

__all__ = [
    "Adoption",
    "Captured",
    "CapturingSelector",
    "ClaimsStore",
    "FenceObserver",
    "Guard",
    "HeldCheck",
    "HoldWriter",
    "Inventory",
    "LocalCheck",
    "Observed",
    "Ownership",
    "Permit",
    "RecordCheck",
    "Retirement",
    "Selection",
    "Selector",
    "Work",
    "Write",
]


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
