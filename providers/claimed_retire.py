"""Removing a host's row under its claim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from folds.claim_retirement import may_retire
from folds.claim_text import state
from providers.claim_errors import ClaimChanged, ClaimError
from providers.claim_ports import (
    Captured,
    ClaimsStore,
    Guard,
    Observed,
    Ownership,
    Permit,
    Retirement,
    Write,
)
from providers.claimed_check import Judged, ownership, refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedRetire:
    """The retirement of a host's row.

    ``last_look`` is what the last check reads from, see `ClaimedInstall`.
    """

    box: str
    claims: ClaimsStore
    guard: Guard
    last_look: ClaimsStore | None = None

    def judge(self, observed: Observed, row: Retirement) -> Judged:
        """Say whether a row may go, by a claim that was read; nothing is touched."""
        try:
            self._check(observed, row)
        except ClaimError as error:
            return Judged(row.host, "no", error.phrase, failed=error.failed)
        return Judged(row.host, "write", state(observed.claim), ownership=ownership(observed))

    def retire(
        self, row: Retirement, write: Write, stands: Callable[[], None] = lambda: None
    ) -> None:
        """Check a fresh claim under the host's lock, and remove the row.

        The activation record is marked first and stays: a process that was let in under this stamp,
        or an older one, finds that it was shut out since, and brings no row back. ``stands`` raises
        where the host's record asks for the row again. It is asked after the claim was read: that
        may be the claim of the record written anew, whose stamp must not be marked.

        Raises:
            ClaimError: the row stays.
            Exception: whatever ``stands`` raises: the row stays. Or ``write``, which comes last.
        """
        host = row.host
        if row.dry_run:
            self._check(self.claims.read(host), row)
            return
        with self.guard.locked(host):
            fresh = self.claims.read(host)
            self._check(fresh, row)
            stands()
            owned = ownership(fresh)
            retired = Captured(host, self.box, owned.incarnation, owned.stamp, retired=True)
            self.guard.retire(host, retired)
            write(Permit(owned, partial(self._confirm, row, owned)))

    def _check(self, observed: Observed, row: Retirement) -> None:
        if refused := may_retire(observed.claim, row, self.box):
            raise refusal(row.host, refused)

    def _confirm(self, row: Retirement, owned: Ownership) -> None:
        observed = (self.last_look or self.claims).read(row.host)
        self._check(observed, row)
        if ownership(observed) != owned:
            raise ClaimChanged(row.host, f"{state(observed.claim)}, under another stamp meanwhile")
