"""Writing a host's row under its claim: install, or hold only.

The order is that of behaviour 180. What was read before the host's lock was had counts for nothing:
the claim is read again where the activation is written, where the inventory is, and inside the
write's own transaction. A process may stop between any two of these steps and wake up late.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from control.claims import Claim
from folds.claim_check import check
from folds.claim_text import state
from folds.claims import Chosen, Refused
from providers.claim_errors import ClaimChanged, ClaimUnsupported
from providers.claim_ports import (
    Adoption,
    Captured,
    CapturingSelector,
    ClaimsStore,
    Guard,
    Inventory,
    Observed,
    Ownership,
    Permit,
    Selection,
    Selector,
    Write,
)
from providers.claimed_check import NOBODY, ClaimChecks, needed, ownership, refusal

ACTION = "reconcile"


def _nothing_to_confirm() -> None:
    """Without claims there is none to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedInstall(ClaimChecks):
    """The install of a host's row, and the ports that it acts through.

    ``enabled``: claims are on. ``last_look`` is what a write's last check reads from, where that is
    not ``claims``: it is asked inside a transaction, so it must answer or fail soon.
    """

    enabled: bool
    guard: Guard
    selector: Selector
    inventory: Inventory
    adoption: Adoption | None = None
    last_look: ClaimsStore | None = None
    prepare: Callable[[Observed], None] | None = None
    prepare_inventory: Callable[[Selection, Captured], None] | None = None

    def install(self, selection: Selection, write: Write | None) -> None:
        """Check the claim, and write the row or hold it (behaviours 173 to 191).

        Raises:
            ClaimError: nothing was written.
            Exception: whatever ``write`` raises; it comes last.
        """
        if not self.enabled:
            self._unclaimed(selection, write)
            return
        host = selection.host
        write = needed(write, host, "write")
        observed = self._observed(selection)
        chosen = self.choose(observed, selection)
        self.check(observed, selection, chosen)
        if selection.dry_run:
            return
        if chosen:
            self._hold(selection, chosen)
        else:
            self._install(observed, selection, write)

    def _unclaimed(self, selection: Selection, write: Write | None) -> None:
        """Behaviours 173 and 174."""
        if selection.dry_run:
            return
        write = needed(write, selection.host, "write")
        work = self.selector.select(selection.host, ACTION)
        work.run(partial(write, Permit(NOBODY, _nothing_to_confirm)))

    def _observed(self, selection: Selection) -> Observed:
        """Read the claim, or have one made: not found alone may lead there (behaviour 176)."""
        observed = needed(self.claims, selection.host, "store of claims").read(selection.host)
        if observed.claim is not None:
            return observed
        if selection.dry_run or self.adoption is None:
            raise ClaimUnsupported(selection.host, state(None))
        return self.adoption.adopt(selection)

    def _install(self, observed: Observed, selection: Selection, write: Write) -> None:
        host, selector = selection.host, self.selector
        if not isinstance(selector, CapturingSelector):
            raise ClaimUnsupported(host, "the selector of this box admits nothing at a capture")
        if self.prepare:
            self.prepare(observed)
        self.guard.activate(host, self.box, partial(self._read, selection))
        captured = self._captured(selection)
        if self.prepare_inventory:
            self.prepare_inventory(selection, captured)
        work = selector.select_at(host, ACTION, captured)
        again = partial(self._check_again, selection)
        self.inventory.record(host, captured, selection.layout, selection.paths, again)
        owned = Ownership(selection.key, captured.incarnation, selection.family, captured.stamp)
        work.run(partial(write, self._permit(selection, owned)))

    def _captured(self, selection: Selection) -> Captured:
        """Return the activation, which somebody may have replaced since the lock was given back."""
        captured = self.guard.capture(selection.host)
        ours = (self.box, selection.incarnation, False)
        if (captured.box, captured.incarnation, captured.retired) != ours:
            reason = "the row was retired" if captured.retired else "another activation was made"
            raise ClaimChanged(selection.host, f"{reason} here meanwhile")
        return captured

    def _hold(self, selection: Selection, chosen: Chosen) -> None:
        """Behaviours 186 to 191."""
        host = selection.host
        holds = needed(self.holds, host, "hold writer")
        with self.guard.locked(host):
            fresh = needed(self.claims, host, "store of claims").read(host)
            holder = fresh.claim.holder if fresh.claim else None
            if holder is None or holder.incarnation != selection.incarnation:
                raise ClaimChanged(host, f"{state(fresh.claim)}: another claim than at first")
            again = self.choose(fresh, selection)
            if again is None or again.row != chosen.row:
                raise ClaimChanged(host, f"{state(fresh.claim)}: it was {chosen.reason}")
            self.check(fresh, selection, again)
            holds.hold(host, again.row.hold_op, self._permit(selection, ownership(fresh), again))

    def _read(self, selection: Selection, host: str) -> Observed:
        """Read for the activation: every fresh read is checked in full (behaviours 160, 161)."""
        if host != selection.host:
            raise ClaimChanged(host, f"asked for in the place of {selection.host}")
        observed = needed(self.claims, host, "store of claims").read(host)
        self.check(observed, selection)
        return observed

    def _check_again(self, selection: Selection, claim: Claim) -> None:
        self.check(Observed(selection.host, claim), selection)

    def _permit(
        self, selection: Selection, owned: Ownership, chosen: Chosen | None = None
    ) -> Permit:
        return Permit(owned, partial(self._confirm, selection, owned, chosen))

    def _confirm(self, selection: Selection, owned: Ownership, chosen: Chosen | None) -> None:
        """Look at the claim for the last time; this box's own state is under the lock meanwhile."""
        host = selection.host
        store = needed(self.last_look or self.claims, host, "store of claims")
        now = needed(self.now, host, "clock")
        observed = store.read(host)
        answer = check(observed.claim, selection, self.place, chosen, now())
        if isinstance(answer, Refused):
            raise refusal(host, replace(answer, reason=f"{answer.reason}, since it was checked"))
        if ownership(observed) != owned:
            raise ClaimChanged(host, f"{state(observed.claim)}, under another stamp meanwhile")
