"""Whether a host's claim lets this box write the host's row: everything that is only looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeVar

from folds.claim_check import check
from folds.claim_text import state
from folds.claims import Chosen, Place, Refused, choices
from providers.claim_errors import (
    ClaimChanged,
    ClaimError,
    ClaimMisfiled,
    ClaimUnreadable,
    ClaimUnsupported,
)
from providers.claim_ports import (
    ClaimsStore,
    FenceObserver,
    HeldCheck,
    HoldWriter,
    LocalCheck,
    Observed,
    Ownership,
    RecordCheck,
    Selection,
)

T = TypeVar("T")
NOBODY = Ownership()
_ERRORS: dict[str, type[ClaimError]] = {
    "changed": ClaimChanged,
    "misfiled": ClaimMisfiled,
    "unsupported": ClaimUnsupported,
    "unreadable": ClaimUnreadable,
}


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found out about a host in a dry run.

    ``answer``: the row may be written, may be held for ``hold_op`` and nothing else, or neither.
    ``reason`` is printable: what the claim says, or why not. ``failed``: it could not be found out,
    so the run fails at its end. ``ownership`` is the claim's as it was read.
    """

    host: str
    answer: Literal["write", "hold", "no"]
    reason: str
    hold_op: str = ""
    failed: bool = False
    ownership: Ownership = NOBODY

    @property
    def phrase(self) -> str:
        """One phrase for people: ``held by op-41: relocating ie-1 to uk-1, releasing``."""
        return f"held by {self.hold_op}: {self.reason}" if self.hold_op else self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimChecks:
    """The checks of a claim, and the ports that they look through; none of them writes.

    ``now`` is the time in UTC. Relocations are decided on where a fence observer or a hold writer
    is given (behaviour 149); without an observer the fence counts as open.
    """

    box: str
    region: str
    home_region: str
    now: Callable[[], datetime] | None
    claims: ClaimsStore | None
    record: RecordCheck | None
    local: LocalCheck | None
    held: HeldCheck | None = None
    fence: FenceObserver | None = None
    holds: HoldWriter | None = None

    @property
    def place(self) -> Place:
        """Where this runs."""
        region_ha = self.fence is not None or self.holds is not None
        return Place(self.box, self.region, self.home_region, region_ha)

    def judge(self, observed: Observed, selection: Selection) -> Judged:
        """Make every check of a dry run on a claim that was read (behaviour 179).

        Nothing is locked, activated or written. A `ClaimError` becomes the answer; anything else
        passes through.
        """
        host = selection.host
        try:
            chosen = self.choose(observed, selection)
            self.check(observed, selection, chosen)
            if chosen:
                needed(self.holds, host, "hold writer")
        except ClaimError as error:
            return Judged(host, "no", error.phrase, failed=error.failed)
        owned = ownership(observed)
        if chosen:
            return Judged(host, "hold", chosen.reason, chosen.row.hold_op, ownership=owned)
        return Judged(host, "write", state(observed.claim), ownership=owned)

    def choose(self, observed: Observed, selection: Selection) -> Chosen | None:
        """Choose the path; None is the serving one (behaviours 158, 159).

        The fence is observed only where the answer depends on it. Raises what the observer does,
        and `ClaimUnreadable` where a part that is needed cannot be read.
        """
        if observed.claim is None:
            return None
        found = choices(observed.claim, self.place)
        if isinstance(found, Refused):
            raise refusal(selection.host, found)
        opened, closed = found
        if self.fence is None or self._answer(observed, selection, opened) == self._answer(
            observed, selection, closed
        ):
            return opened
        return closed if self.fence.closed(observed) else opened

    def check(self, observed: Observed, selection: Selection, chosen: Chosen | None = None) -> None:
        """Check a claim as it was read, on a path that was chosen, or on the serving one.

        Behaviours 162 to 172, in their order. Raises `ClaimError` for what speaks against it.
        """
        host = selection.host
        record = needed(self.record, host, "check of the record")
        local = needed(self.local, host, "check of this box")
        needed(self.claims, host, "store of claims")
        answer = self._answer(observed, selection, chosen)
        if isinstance(answer, Refused):
            raise refusal(host, answer)
        record.check(selection)
        asked = needed(self.held, host, "check of what is held") if answer == "held" else local
        asked.check(observed, selection)

    def _answer(self, observed: Observed, selection: Selection, chosen: Chosen | None) -> object:
        now = needed(self.now, selection.host, "clock")
        return check(observed.claim, selection, self.place, chosen, now())


def needed(port: T | None, host: str, name: str) -> T:
    """Return a port that has to be there. Raises `ClaimUnsupported` where it is not."""
    if port is None:
        raise ClaimUnsupported(host, f"this box has no {name}")
    return port


def refusal(host: str, refused: Refused) -> ClaimError:
    """Return the error for a refusal."""
    return _ERRORS[refused.kind](host, refused.reason)


def ownership(observed: Observed) -> Ownership:
    """Return the ownership that a claim gives; an empty one where nobody holds it."""
    holder = observed.claim.holder if observed.claim else None
    if holder is None:
        return NOBODY
    return Ownership(holder.key, holder.incarnation, holder.family, holder.stamp)
