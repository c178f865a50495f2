"""Why a host's rows may not be written under its claim.

ProviderError
└── ClaimError               one host's; the others go on
    ├── ClaimChanged         the claim, as it stands, gives this box no right to it
    │   └── ClaimMisfiled    it is of another family than the record
    ├── ClaimUnsupported     what would have to be asked is not there: no claim, no holder, no port
    ├── ClaimUnreadable      the claim was read, and it or a part that is needed means nothing
    ├── ClaimReadFailed      the claim could not be read: refused, down, or no answer
    ├── HostBusy             another process of this box has the host's lock
    ├── LocalStateUnreadable this box's own files about the host are damaged, or of a later version
    └── LocalWriteFailed     a file or a row of this box about the host could not be written

Changed and unsupported are answers, and the run ends well; the others are failures, misfiled too,
and it does not.
"""

from __future__ import annotations

from control.text import printable
from providers.errors import ProviderError

_REASON_CHARACTERS = 500


class ClaimError(ProviderError):
    """Base: nothing was written for ``host``. ``reason`` is one phrase that says why.

    What is not printable in it is escaped; it may have been escaped before.
    """

    failed = True
    """Whether a run that met it must fail at its end."""

    def __init__(self, host: str, reason: str) -> None:
        super().__init__(host, reason)
        self.host, self.reason = host, reason

    def __str__(self) -> str:
        """Return the whole message: one line, escaped."""
        return f"claims: {printable(self.host)}: {self.phrase}"

    @property
    def phrase(self) -> str:
        """The reason, printable and bounded."""
        plain = self.reason.isascii() and self.reason.isprintable() and "##" not in self.reason
        shown = self.reason if plain else printable(self.reason)
        return shown if len(shown) <= _REASON_CHARACTERS else f"{shown[:_REASON_CHARACTERS]}..."


class ClaimChanged(ClaimError):
    """The claim gives this box no right to the host, or no longer the one that it had."""

    failed = False


class ClaimMisfiled(ClaimChanged):
    """The claim is of another family than the record: somebody wrote the wrong one."""

    failed = True


class ClaimUnsupported(ClaimError):
    """The claim, its holder, or a part of this box that would have to be asked is not there."""

    failed = False


class ClaimUnreadable(ClaimError):
    """The claim means nothing, or a part of it does that is needed here."""


class ClaimReadFailed(ClaimError):
    """The claim could not be read: that is not "no claim"."""


class HostBusy(ClaimError):
    """The host's lock was not had within its budget: somebody of this box works on the host."""


class LocalStateUnreadable(ClaimError):
    """A file of this box about the host is damaged, or of a later version."""


class LocalWriteFailed(ClaimError):
    """A file or a row of this box about the host could not be written: no room, no right."""
