"""Whether a claim lets a record write its host's row here: the check, as far as it is pure."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, Protocol, TypeAlias

from control.claims import Claim, Holder, Unreadable
from folds.claim_text import quiet, state
from folds.claims import (
    Chosen,
    Place,
    Refused,
    choices,
    mismatch,
    quiet_until,
    serving,
    unreadable,
)
from folds.sidecar_text import shown

Next: TypeAlias = Literal["local", "held"]
"""Which of this box's own checks comes next: of an installation, or of what is to be held."""
_IDENTITY = ("family", "key", "incarnation")


class Selected(Protocol):
    """The record that asks, as far as a claim is compared with it."""

    @property
    def host(self) -> str: ...  # noqa: D102 - see `providers.claim_ports.Selection`
    @property
    def key(self) -> str: ...  # noqa: D102
    @property
    def etag(self) -> str: ...  # noqa: D102
    @property
    def incarnation(self) -> str: ...  # noqa: D102
    @property
    def family(self) -> str: ...  # noqa: D102


def check(
    claim: Claim | None, selected: Selected, place: Place, chosen: Chosen | None, now: datetime
) -> Refused | Next:
    """Check whether a path may be taken, up to where this box's own state is asked.

    ``chosen`` is what the caller decided, None if it did not: then nothing but the serving path
    passes (behaviours 164, 165, 168). Behaviours 162-170, in their order.
    """
    wrong = _identity(claim, selected, place)
    if wrong or claim is None:
        return wrong or Refused("unsupported", state(claim))
    hold_only = chosen is not None and chosen.hold_only
    if refused := _path(claim, place, chosen):
        return refused
    if not hold_only and (refused := _quiet(claim, place, now)):
        return refused
    return "held" if hold_only else "local"


class Written(Protocol):
    """A row, as far as it says under which claim it was last written."""

    @property
    def claim_incarnation(self) -> str: ...  # noqa: D102 - see `folds.sidecar_rows.Row`
    @property
    def claim_stamp(self) -> int: ...  # noqa: D102


def overtaken(row: Written | None, holder: Holder) -> Refused | None:
    """Refuse a claim that is behind its row: a registry lets none older write it again."""
    ours, theirs = (holder.stamp, holder.incarnation), (0, "")
    if row:
        theirs = (row.claim_stamp, row.claim_incarnation)
    if theirs[0] < ours[0] or (theirs[0] == ours[0] and theirs[1] in ("", ours[1])):
        return None
    stamps = [f'{stamp} of "{shown(life)}"' for stamp, life in (theirs, ours)]
    said = f"a newer claim wrote the row: its stamp is {stamps[0]}, and this claim's is {stamps[1]}"
    return Refused("changed", said)


def _identity(claim: Claim | None, selected: Selected, place: Place) -> Refused | None:
    """Behaviours 162 and 163."""
    missing = [name for name in ("box", "region") if not getattr(place, name)]
    missing += [] if selected.etag else ["ETag of the record"]
    if missing:
        return Refused("unsupported", f"the {' and '.join(missing)} is not known")
    if claim is None or claim.holder is None:
        return Refused("unsupported", state(claim))
    holder, pairs = claim.holder, [("host", claim.host, selected.host)]
    pairs += [(name, getattr(holder, name), getattr(selected, name)) for name in _IDENTITY]
    for name, claimed, ours in pairs:
        if refused := mismatch(name, claimed, ours):
            return refused
    if not holder.stamp:
        return Refused("changed", "its claim has the stamp 0: nobody took it yet")
    return None


def _path(claim: Claim, place: Place, chosen: Chosen | None) -> Refused | None:
    """Behaviours 164 to 168: a hold passes if it is what this very claim decides, else serving."""
    options = choices(claim, place)
    if isinstance(options, Refused):
        return options
    known = [(each.row, each.hold_only) for each in options if each]
    if not known and chosen is None:
        return serving(claim, place.box)
    if chosen is None or (chosen.row, chosen.hold_only) not in known:
        return Refused("changed", state(claim))
    # Nothing is installed while a host relocates: the one write is the hold of a row.
    return None if chosen.hold_only else Refused("changed", chosen.reason)


def _quiet(claim: Claim, place: Place, now: datetime) -> Refused | None:
    """Behaviour 169."""
    until = quiet_until(claim, place)
    if isinstance(until, Unreadable):
        return unreadable(until)
    if until and now <= until:
        return Refused("changed", f"{state(claim)}, and {quiet(place.region, until)}")
    return None
