"""What a host's claim lets this box do with the host's row.

Decisions on a parsed claim, nothing else. Where the answer depends on this box's admission fence
both answers come back: the caller looks at the fence only if they differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from control.claim_mistakes import RELOCATING
from control.claims import SERVING, Claim, Obligation, Unreadable
from folds.claim_text import differs, state
from folds.sidecar_text import shown

Case = Literal["ready", "held", "retiring", "none"]

RELEASING, PARK_LOCAL = "releasing", "park-local"
_ZERO_YEAR = 1
"""Go's zero time is of the year 1, and means "no time"."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where this program runs. ``region`` and ``home_region`` are placement codes, never empty.

    ``region_ha``: relocations are decided on; without it only the serving executor writes rows.
    """

    box: str
    region: str
    home_region: str
    region_ha: bool


@dataclass(frozen=True, slots=True)
class RowDecision:
    """What becomes of a row; ``hold_op`` names the operation that it is held for."""

    case: Case
    hold_op: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why nothing may be done. ``reason`` is one printable phrase that names the claim's state.

    ``misfiled`` is a claim of another family: changed too, but no move of a host brings it about.
    """

    kind: Literal["changed", "misfiled", "unsupported", "unreadable"]
    reason: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """A decision on a row that is not simply served here, and the path that follows.

    ``hold_only``: the row is held and nothing is installed. ``fence_closed`` is the fence as seen,
    None where it was not asked. ``reason`` is what the claim says, printable.
    """

    row: RowDecision
    hold_only: bool
    reason: str
    fence_closed: bool | None = None


def serving(claim: Claim, box: str) -> Refused | None:
    """Refuse every box but the serving executor (behaviours 150, 166); one that is lost is none."""
    if (claim.op.kind, claim.op.exec) != (SERVING, box):
        return Refused("changed", state(claim))
    if box in claim.lost:
        return Refused("changed", f"{state(claim)}, which is given up as lost")
    return None


def relocates(claim: Claim, place: Place) -> bool:
    """Say whether the row decision is asked (behaviour 151); for a move it never is."""
    return place.region_ha and claim.op.kind == RELOCATING


def relocation_row(claim: Claim, box: str, *, has_row: bool, fence_closed: bool) -> RowDecision:
    """Decide on a box's row while its host relocates.

    Only the source, while it is releasing, depends on the fence. A row that is not there is never
    minted for a relocation.
    """
    op = claim.op
    if box in claim.lost:
        return RowDecision("retiring")
    if box == op.source:
        ready = op.phase == RELEASING and not fence_closed
        return RowDecision("ready") if ready else RowDecision("held", op.id)
    return RowDecision("held", op.id) if has_row else RowDecision("none")


def completed_hold(claim: Claim, place: Place) -> RowDecision | Refused | None:
    """Decide on the row of a box whose host has relocated away meanwhile (behaviours 152-157).

    It is held for the completed operation, if this box still owes to park for exactly that one. A
    part of the claim that cannot be read is refused as such, once it is needed. None: the ordinary
    serving path decides.
    """
    elsewhere = claim.op.kind == SERVING and claim.op.exec != place.box
    known = place.region_ha and place.box and claim.holder
    if not (known and elsewhere) or place.box in claim.lost:
        return None
    done = claim.completed
    if isinstance(done, Unreadable):
        return unreadable(done)
    if done is None or done.box == place.box:
        return None
    if isinstance(claim.obligations, Unreadable):
        return unreadable(claim.obligations)
    owed = Obligation(PARK_LOCAL, place.box, done.op) in claim.obligations
    return RowDecision("retiring", done.op) if owed else None


def quiet_until(claim: Claim, place: Place) -> datetime | Unreadable | None:
    """Return until when nothing is installed in this box's region; None for no such time.

    A claim writes the home region as ``""``.
    """
    if isinstance(claim.quiet_after, Unreadable):
        return claim.quiet_after
    times = dict(claim.quiet_after)
    home = times.get("") if place.region == place.home_region else None
    until = times.get(place.region, home)
    return until if until and until.year > _ZERO_YEAR else None


def choices(claim: Claim, place: Place) -> tuple[Chosen | None, Chosen | None] | Refused:
    """Choose the path, for an open fence and for a closed one (behaviours 156, 158, 177, 178).

    None is the ordinary serving path. The two differ only where the fence matters.
    """
    if relocates(claim, place):
        return _relocating(claim, place.box)
    caught = completed_hold(claim, place)
    if isinstance(caught, Refused):
        return caught
    both = _caught_up(claim, caught) if caught else None
    return both, both


def mismatch(name: str, claimed: str, ours: str, whose: str = "record") -> Refused | None:
    """Refuse a claim that is another record's, or another row's, by one part of its identity."""
    if claimed == ours:
        return None
    kind: Literal["misfiled", "changed"] = "misfiled" if name == "family" else "changed"
    return Refused(kind, differs(name, claimed, ours, whose))


def unreadable(part: Unreadable) -> Refused:
    """Refuse for a part that is needed and cannot be read."""
    return Refused("unreadable", f"its claim cannot be used: {shown(part.reason)}")


def _relocating(claim: Claim, box: str) -> tuple[Chosen, Chosen]:
    # The row is taken to be there: who writes the hold refuses where it is not.
    rows = [relocation_row(claim, box, has_row=True, fence_closed=shut) for shut in (False, True)]
    matters = rows[0] != rows[1]
    first, second = (
        Chosen(
            row,
            hold_only=row.case == "held" and (claim.op.exec != box or (matters and shut)),
            reason=state(claim, fence_closed=shut if matters else None),
            fence_closed=shut if matters else None,
        )
        for row, shut in zip(rows, (False, True), strict=True)
    )
    return first, second


def _caught_up(claim: Claim, row: RowDecision) -> Chosen:
    return Chosen(row, hold_only=True, reason=f"relocated, {state(claim)}")
