"""Which hosts' claims a run has to read: as few as can be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from folds.sidecar_desired import SidecarDesired, Wanted
from folds.sidecar_ours import ours_of
from folds.sidecar_plan import SidecarPlan
from folds.sidecar_rows import Row, Rows


@dataclass(frozen=True, slots=True)
class Question:
    """A host whose claim is to be read: for what its record asks for, or for a row that is to go.

    ``planned``: it is about a change, and not only about whether the row is to be held. ``row`` is
    the host's as it was read, None where it has none.
    """

    asks: Wanted | Row
    planned: bool = True
    row: Row | None = None

    @property
    def host(self) -> str:
        """The host."""
        return self.asks.host


def questions(plan: SidecarPlan) -> tuple[Question, ...]:
    """Return what is to be asked before the changes of a plan can be made, by host.

    ``plan`` is one without authorities. What stays as it is needs no claim, nor does what was
    refused without one (behaviour 118): but with ``region_ha`` every owned row that a record here
    describes, since it may have to be held. None where claims are off.
    """
    if not plan.seen.desired.box.claims:
        return ()
    return tuple(sorted(_asked(plan), key=lambda each: each.host))


def census(desired: SidecarDesired, rows: Rows) -> tuple[Question, ...]:
    """Return every host that claims are about on a box, changed or not, by host.

    Those that a record here describes, without a row or with one of the box's own; and the box's
    own rows beside them.
    """
    ours = ours_of(desired, rows)
    taken = {row.host for row in rows.rows} | {row.host for row in rows.strange}
    standing = {row.host: row for row, _ in ours.described}
    taken -= standing.keys()
    asked = [
        Question(each, row=standing.get(each.host))
        for each in desired.wanted
        if each.host not in taken
    ]
    known = {each.host for each in desired.wanted}
    asked += [Question(row) for row, _ in ours.minted if row.host not in known]
    return tuple(sorted(asked, key=lambda each: each.host))


def _asked(plan: SidecarPlan) -> Iterator[Question]:
    desired, rows = plan.seen.desired, plan.seen.rows
    standing = {row.host: row for row, _ in ours_of(desired, rows).described}
    changed = {each.host for each in plan.mints} | {each.host for each in plan.converges}
    held = standing.keys() - changed if desired.box.region_ha else set()
    going = {each.host for each in plan.removals} - changed - held
    for each in desired.wanted:
        if each.host in changed | held:
            yield Question(each, planned=each.host in changed, row=standing.get(each.host))
    yield from (Question(row) for row in rows.rows if row.host in going)
