"""Everything that can go wrong between a plan and a Route 53 zone.

Route53Error
├── AccessRefused     credentials are missing, expired or not allowed to do it
├── ZoneNotFound      there is no such hosted zone in this account
├── Unavailable       no usable answer, retries included
│   ├── NotSent       no connection: the request surely was not received
│   └── Throttled     Route 53 declined before it looked at the request
├── LostAnswer        a write was sent and its answer lost: it may be applied or not
├── ListingStuck      a listing that repeats a page, or says that it is cut short and not where
├── ApexMissing       a listing without the zone's SOA, which every zone has
├── Conflict          the live side is not what the plan was made for
│   └── BatchRefused  a whole change batch, nothing of it applied
├── ReferenceTaken    Route 53 remembers this caller reference from another health check
├── QuotaExceeded     the account's quota
├── HostTooLarge      one host's changes do not fit into one change batch
├── Rejected          any other answer that is an error
└── PartlyApplied     what was done, what was not, and what to do
    └── NotInSync     accepted, and not on every name server when the time was up
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RUN_AGAIN = "run it again: the next run observes and goes on"


class Route53Error(Exception):
    """Base of all errors here: one line of printable ASCII.

    ``subject`` names what it is about, ``reason`` the cause with measure and limit, ``remedy`` the
    way out.
    """

    def __init__(self, subject: str, reason: str, remedy: str = RUN_AGAIN) -> None:
        super().__init__(subject, reason, remedy)
        self.subject, self.reason, self.remedy = subject, reason, remedy

    def __str__(self) -> str:
        """Return the message."""
        return f"{self.subject}: {self.reason}; {self.remedy}"


class AccessRefused(Route53Error):
    """Credentials are missing, expired, or lack a permission."""


class ZoneNotFound(Route53Error):
    """There is no such hosted zone in this account."""


class Unavailable(Route53Error):
    """Route 53 gave no usable answer, retries included; nothing was changed."""


class NotSent(Unavailable):
    """No connection was made, so the request surely was not received."""


class Throttled(Unavailable):
    """Over the rate, or an earlier change of the zone is still being processed: not applied."""


class LostAnswer(Route53Error):
    """A write was sent and its answer lost. It is never sent again: look what is live."""


class ListingStuck(Route53Error):
    """A listing whose cursor does not advance: what it gave so far is not the whole."""


class ApexMissing(Route53Error):
    """A listing of a zone's sets lacks its one SOA: what it gave is not the whole."""

    def __init__(self, subject: str, found: int, sets: int) -> None:
        reason = f"{found} SOA among {sets} record sets, where every zone has exactly 1"
        super().__init__(subject, f"{reason}: the listing is not the whole")


class Conflict(Route53Error):
    """The live side is not what the plan was made for. Nothing of this call was applied."""


class BatchRefused(Conflict):
    """A change batch was refused, and so not applied at all.

    ``hosts`` maps each name in it to its change documents.
    """

    def __init__(self, cause: Conflict, hosts: Mapping[str, tuple[dict[str, Any], ...]]) -> None:
        super().__init__(cause.subject, cause.reason, cause.remedy)
        self.hosts = hosts


class HostTooLarge(Route53Error):
    """The changes of one host do not fit into one change batch, and are never split."""


class ReferenceTaken(Route53Error):
    """Route 53 remembers the caller reference from a deleted or a different health check."""


class QuotaExceeded(Route53Error):
    """A quota of the account does not allow it."""


class Rejected(Route53Error):
    """Any other error that Route 53, or the SDK before it, answers with."""


class PartlyApplied(Route53Error):
    """Some of the work is done and some is not: the reason says which, and why."""


class NotInSync(PartlyApplied):
    """Every change was accepted, and not all name servers have it yet."""
