"""The sidecars fold: what the bucket asks of a box, against the box's rows, as a plan.

record        row           what happens
wanted        none          minted, unless a co-spawn is staged or the configuration gate refuses
wanted        owned         converged column by column, or kept
any           held          kept as it is: nothing but its own hold decides about it
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
from folds.sidecar_authority import Authorities, Permitted, permitted
from folds.sidecar_authority import failures as claim_failures
from folds.sidecar_changes import Admission, Converge, Mint, Removal
from folds.sidecar_columns import changes
from folds.sidecar_desired import SidecarDesired, Wanted
from folds.sidecar_fuse import ends_with, fused
from folds.sidecar_ours import Ours, ours_of
from folds.sidecar_plan import SidecarPlan
from folds.sidecar_rows import Row, Rows, row_for
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
    authorities: Authorities | None = None,
) -> SidecarPlan:
    """Work out every change, and what becomes of every record and row (behaviours 108-148).

    ``admissions`` are those of the `candidates`: a host without one is not minted. ``acknowledged``
    is the digest that the operator let through, or empty. ``authorities`` are what the claims of
    hosts allow; None where claims are off. The fuse and its digest judge what the bucket asks for,
    whatever the claims say to it: a move under way gives no cover, and changes no digest.
    """
    ours = ours_of(desired, rows)
    free = candidates(desired, rows)
    refused = refusals(free, admissions)
    mints = [Mint(row_for(each, desired.box)) for each in free if each.host not in refused]
    removals = [*_removals(desired, ours.removable.values())]
    fuse = fused(desired, ours.removable, removals, mints, acknowledged)
    asked = Permitted(tuple(mints), tuple(_converges(ours)), fuse.applied)
    allowed = permitted(asked, ours.described, authorities)
    return SidecarPlan(
        mints=allowed.mints,
        converges=allowed.converges,
        removals=allowed.removals,
        holds=allowed.holds,
        held_back=fuse.held,
        rows=tuple(sorted(ends_with(ours.rows, allowed.removals, allowed.mints))),
        held=ours.held,
        notices=desired.notices,
        failures=(*fuse.failures, *_trash_failure(desired), *claim_failures(authorities)),
        digest=fuse.digest,
        summary=fuse.summary,
        seen=Seen(desired, rows, refused, fuse, allowed, authorities),
    )


def _trash_failure(desired: SidecarDesired) -> Iterator[str]:
    if desired.trash_failure:
        yield f"the trash: {desired.trash_failure}; nothing is minted or converged in this run"


def _converges(ours: Ours) -> Iterator[Converge]:
    for row, want in ours.described:
        if not row.hold and (differing := changes(row, want)):
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
