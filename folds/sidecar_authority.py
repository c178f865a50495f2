"""What the claims of hosts let a plan do: which changes stay in it, and which become a hold.

planned                 what its claim says    what happens
any                     write                  as planned
converge, or nothing    hold, and none has it  the row is held for the operation, and nothing else
mint, removal           hold                   declined
any                     no, or nobody asked    declined
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar

from folds.sidecar_changes import Converge, Hold, Mint, Removal
from folds.sidecar_desired import Wanted
from folds.sidecar_rows import Row
from folds.sidecar_text import shown

Answer = Literal["write", "hold", "no"]
_Change = TypeVar("_Change", Mint, Converge, Removal)


@dataclass(frozen=True, slots=True)
class Authority:
    """What was found out in this run about one host's claim.

    ``reason`` is printable; only ``write`` may go without one. ``hold_op`` is the operation that
    the host's row is to be held for. ``failed`` where the claim could not be read or understood:
    the run fails at its end.
    """

    host: str
    answer: Answer
    reason: str = ""
    hold_op: str = ""
    failed: bool = False


Authorities: TypeAlias = Mapping[str, Authority]
"""By host; None in place of them where claims are off."""


@dataclass(frozen=True, slots=True)
class Permitted:
    """The changes that are left, the holds in the place of others, and why the rest is not made.

    ``withheld`` has the reason for each host that a change was planned for and is not made.
    """

    mints: tuple[Mint, ...]
    converges: tuple[Converge, ...]
    removals: tuple[Removal, ...]
    holds: tuple[Hold, ...] = ()
    withheld: Mapping[str, str] = field(default_factory=dict)


def permitted(
    asked: Permitted,
    described: Iterable[tuple[Row, Wanted]],
    authorities: Authorities | None,
) -> Permitted:
    """Leave of the changes that are asked for what the claims let pass.

    ``described`` are the owned rows that a record of this box describes.
    """
    if authorities is None:
        return asked
    holds = tuple(_holds((row for row, _ in described), authorities))
    return Permitted(
        _passing(asked.mints, authorities),
        _passing(asked.converges, authorities),
        _passing(asked.removals, authorities),
        holds,
        dict(_withheld(asked, {each.host for each in holds}, authorities)),
    )


def _withheld(
    asked: Permitted, held: Collection[str], authorities: Authorities
) -> Iterator[tuple[str, str]]:
    changes: tuple[Mint | Converge | Removal, ...]
    for changes in (asked.mints, asked.converges, asked.removals):
        for each in changes:
            if not _may(each, authorities) and each.host not in held:
                found = authorities.get(each.host)
                yield each.host, found.reason if found else "its claim was not asked for"


def failures(authorities: Authorities | None) -> Iterator[str]:
    """Yield what makes the run fail, by host."""
    for host, each in sorted((authorities or {}).items()):
        if each.failed:
            yield f"{shown(host)}: {each.reason}"


def told(row: Row, authorities: Authorities | None) -> str:
    """Say of a held row, printable, who holds it and what its claim says of that."""
    said = authorities.get(row.host) if authorities else None
    if said is None or not said.reason:
        return f"held by {shown(row.hold)}"
    whose = "" if said.hold_op == row.hold else "its claim: "
    return f"held by {shown(row.hold)}: {whose}{said.reason}"


def _passing(changes: Iterable[_Change], authorities: Authorities) -> tuple[_Change, ...]:
    return tuple(each for each in changes if _may(each, authorities))


def _may(change: Mint | Converge | Removal, authorities: Authorities) -> bool:
    found = authorities.get(change.host)
    return found is not None and found.answer == "write"


def _holds(rows: Iterable[Row], authorities: Authorities) -> Iterator[Hold]:
    for row in rows:
        found = authorities.get(row.host)
        if found and found.answer == "hold" and not row.hold:
            yield Hold(row.host, row.app, row.account, found.hold_op, found.reason)
