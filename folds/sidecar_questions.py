"""Which hosts' claims a run has to read: as few as can be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from folds.sidecar_desired import Wanted
from folds.sidecar_ours import ours_of
from folds.sidecar_plan import SidecarPlan
from folds.sidecar_rows import Row


@dataclass(frozen=True, slots=True)
class Question:
    """A host whose claim is to be read, for what its record asks for, or else for its retirement.

    ``wanted`` is None where the row is to be removed. ``row`` is the host's own, or None.
    """

    host: str
    wanted: Wanted | None
    row: Row | None


def questions(plan: SidecarPlan) -> tuple[Question, ...]:
    """Return what is to be asked before the changes of a plan can be made, by host.

    ``plan`` is one without authorities. What stays as it is needs no claim, nor does what was
    refused without one (behaviour 118): but with ``region_ha`` every owned row that a record here
    describes, since it may have to be held. None where claims are off.
    """
    if not plan.seen.desired.box.claims:
        return ()
    return tuple(sorted(_asked(plan), key=lambda each: each.host))


def _asked(plan: SidecarPlan) -> Iterator[Question]:
    desired, rows = plan.seen.desired, plan.seen.rows
    described = {row.host: (row, want) for row, want in ours_of(desired, rows).described}
    hosts = {each.host for each in plan.mints} | {each.host for each in plan.converges}
    hosts |= described.keys() if desired.box.region_ha else set()
    wanted = {each.host: each for each in desired.wanted}
    for host in hosts:
        row, _ = described.get(host, (None, None))
        yield Question(host, wanted[host], row)
    by_host = {row.host: row for row in rows.rows}
    for removal in plan.removals:
        if removal.host not in hosts:
            yield Question(removal.host, None, by_host[removal.host])
