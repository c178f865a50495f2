"""What a claim says, in a phrase for people. Everything here is printable."""

from __future__ import annotations

from datetime import datetime

from control.claim_mistakes import RELOCATING
from control.claims import SERVING, Claim
from control.snapshot_records import rfc3339
from folds.sidecar_text import shown

_MOST, _LONGER = 100, 200


def state(claim: Claim | None, *, fence_closed: bool | None = None) -> str:
    """Say what a claim says of its host: ``relocating ie-1 to uk-1, releasing, fence closed``.

    ``fence_closed`` is this box's admission fence where it was looked at, else None.
    """
    if claim is None:
        return "there is no claim"
    if claim.holder is None:
        return "its claim has no holder"
    op = claim.op
    if op.kind == SERVING:
        return f"serving on {_name(op.exec)}"
    if op.kind == RELOCATING:
        fence = {None: "", True: ", fence closed", False: ", fence open"}[fence_closed]
        way = f"{_name(op.source)} to {_name(op.target)}"
        return f"relocating {way}, {shown(op.phase, _MOST)}{fence}"
    return f"in an operation {_shown(op.kind)} on {_name(op.exec)}"


def quiet(region: str, until: datetime) -> str:
    """Say that nothing is installed in a region for a while."""
    return f"nothing is installed in region {_name(region)} up to {rfc3339(until)}"


def differs(what: str, claimed: str, ours: str, whose: str = "record") -> str:
    """Say that a claim is another record's, or another row's."""
    return f"its claim is for {what} {_shown(claimed)}, the {whose}'s is {_shown(ours)}"


def _name(text: str) -> str:
    return shown(text, _MOST) or "no box"


def _shown(text: str) -> str:
    return f'"{shown(text, _LONGER)}"'
