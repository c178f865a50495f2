"""The sidecars fold: what the bucket asks of a box, against the box's rows, as a plan.

record        row           what happens
wanted        none          minted, unless a co-spawn is staged or the configuration gate refuses
wanted        owned         converged column by column, or kept
wanted        not owned     left alone, there is no adoption
not usable    owned         kept: protected, declined
elsewhere     owned         removed, as the record asks
none          owned         removed, as far as the fuse lets it
any           not minted    left alone
any           out of scope  left alone
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter

from control.sidecar_keys import SidecarKey
from folds.sidecar_changes import Admission, Converge, Mint, Removal
from folds.sidecar_columns import changes
from folds.sidecar_desired import SidecarDesired, Wanted
from folds.sidecar_fuse import ends_with, fused
from folds.sidecar_plan import SidecarPlan
from folds.sidecar_rows import Row, Rows, in_scope, minted_key, owned_for, row_for
from folds.sidecar_text import shown
from folds.sidecar_verdicts import Seen, refusals

_LEAVING = ("elsewhere", "unplaceable")


def candidates(desired: SidecarDesired, rows: Rows) -> tuple[Wanted, ...]:
    """Return what would be minted if nothing on the box speaks against it, sorted by host.

    For each of these, and for no other, an `Admission` is to be found out: first whether a co-spawn
    is staged, then, where none is, what the configuration gate says to the row (`row_for`).
    """
    taken = {*(row.host for row in rows.rows), *(row.host for row in rows.strange)}
    free = [each for each in desired.wanted if each.host not in taken]
    return tuple(sorted(free, key=attrgetter("host")))


def plan(
    desired: SidecarDesired,
    rows: Rows,
    admissions: Iterable[Admission] = (),
    acknowledged: str = "",
) -> SidecarPlan:
    """Work out every change, and what becomes of every record and row (behaviours 108-148).

    ``admissions`` are those of the `candidates`: a host without one is not minted. ``acknowledged``
    is the digest that the operator let through, or empty.
    """
    ordered = sorted(rows.rows, key=attrgetter("host"))
    owned = _owned(desired, ordered)
    free = candidates(desired, rows)
    refused = refusals(free, admissions)
    mints = tuple(Mint(row_for(each, desired.box)) for each in free if each.host not in refused)
    pairs = _paired(desired, ordered)
    converges = tuple(_converges(pairs))
    removals = tuple(_removals(desired, owned.values()))
    fuse = fused(desired, owned.keys(), removals, mints, acknowledged)
    ours = {*owned, *(row.host for row, _ in pairs)}
    return SidecarPlan(
        mints=mints,
        converges=converges,
        removals=fuse.applied,
        held_back=fuse.held,
        rows=tuple(sorted(ends_with(ours, fuse.applied, mints))),
        notices=desired.notices,
        failures=(*fuse.failures, *_trash_failure(desired)),
        digest=fuse.digest,
        summary=fuse.summary,
        seen=Seen(desired, rows, refused, converges, fuse),
    )


def _trash_failure(desired: SidecarDesired) -> Iterator[str]:
    if desired.trash_failure:
        yield f"the trash: {desired.trash_failure}; nothing is minted or converged in this run"


def _owned(desired: SidecarDesired, rows: Iterable[Row]) -> dict[str, tuple[Row, SidecarKey]]:
    """Return the rows that this pass may remove: those it has minted, in its scope."""
    here = (row for row in rows if in_scope(row, desired.box))
    return {row.host: (row, key) for row in here if (key := minted_key(row))}


def _paired(desired: SidecarDesired, rows: Iterable[Row]) -> list[tuple[Row, Wanted]]:
    """Return the rows that a record describes, also where they are still of another scope."""
    wanted = {each.host: each for each in desired.wanted}
    pairs = [(row, wanted[row.host]) for row in rows if row.host in wanted]
    return [(row, want) for row, want in pairs if owned_for(row, want)]


def _converges(pairs: Iterable[tuple[Row, Wanted]]) -> Iterator[Converge]:
    for row, want in pairs:
        if differing := changes(row, want):
            yield Converge(row.host, row.app, row.account, differing)


def _removals(
    desired: SidecarDesired, owned: Iterable[tuple[Row, SidecarKey]]
) -> Iterator[Removal]:
    asked = {each.host: each.reason for each in desired.standings if each.state in _LEAVING}
    staying = {each.host for each in desired.standings if each.state not in _LEAVING}
    staying.update(each.host for each in desired.wanted)
    trashed = set(desired.trashed)
    for row, key in owned:
        if f"{row.account}/{row.app}" in trashed:
            yield Removal(row.host, key, "trashed", f"{row.account}/{row.app} is in the trash")
        elif row.host in staying:
            continue
        elif row.host in asked:
            yield Removal(row.host, key, "asked", asked[row.host])
        else:
            yield Removal(row.host, key, "absent", f"its record {shown(key.record)} is gone")
