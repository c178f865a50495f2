"""The fuse: which removals a plan may hold, after what kind of read, and what it says if not.

read of the bucket   removals                                    what happens
not whole            any                                         all held back, the run fails
whole                absent, more than half of the owned rows    those held back, the run fails
whole                the same, and their digest acknowledged     applied
whole                any other                                   applied
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from folds.sidecar_changes import Mint, Removal
from folds.sidecar_desired import SidecarDesired
from folds.sidecar_text import shown
from policy.guards.sidecars import (
    MASS_RETIRE,
    SidecarSummary,
    sidecar_digest,
    sidecar_violations,
)

_NAMED = 20


@dataclass(frozen=True, slots=True)
class Fused:
    """Removals that go and that are held back, why, and what makes the run fail."""

    applied: tuple[Removal, ...]
    held: tuple[Removal, ...]
    reason: str
    failures: tuple[str, ...]
    digest: str
    summary: SidecarSummary


def fused(
    desired: SidecarDesired,
    owned: Collection[str],
    removals: Sequence[Removal],
    mints: Sequence[Mint],
    acknowledged: str,
) -> Fused:
    """Judge all removals that the records, the trash and the rows add up to.

    ``owned`` are the hosts of the box's own rows, without those that somebody holds.
    """

    def summary(applied: Sequence[Removal]) -> SidecarSummary:
        return summarize(desired, owned, applied, mints, acknowledged)

    if desired.unclean:
        return _unclean(desired, tuple(removals), summary(()))
    whole = summary(removals)
    digest = sidecar_digest(whole) if any(MASS_RETIRE.find(whole)) else ""
    broken = [each for each in sidecar_violations(whole) if each.rule == MASS_RETIRE.name]
    if not broken:
        return Fused(tuple(removals), (), "", (), digest, whole)
    held = tuple(each for each in removals if each.cause == "absent")
    applied = tuple(each for each in removals if each.cause != "absent")
    failure = f"held back: {_named(held)}; {broken[0].message}"
    reason = f"more than half of the owned rows would go; digest {digest}"
    return Fused(applied, held, reason, (failure,), digest, summary(applied))


def summarize(
    desired: SidecarDesired,
    owned: Collection[str],
    removals: Sequence[Removal],
    mints: Sequence[Mint],
    acknowledged: str,
) -> SidecarSummary:
    """Return what the guards read of a plan that holds these removals and mints.

    The rows to be minted are part of the end: they are there by the time a digest is answered.
    """
    going = {each.host for each in removals}
    absent = [each for each in removals if each.cause == "absent"]
    known = set(desired.accounts)
    end = sorted(ends_with(owned, removals, mints))
    bound = sorted(each.row.host for each in mints if each.row.socket or each.row.addr)
    return SidecarSummary(
        box=desired.box.box,
        bucket=desired.box.bucket,
        owned=len(owned),
        removed=len(going),
        absent=len(absent),
        unknown=sum(each.key.account not in known for each in absent),
        unclean=desired.unclean,
        reachable=tuple(map(shown, bound)),
        end=hashlib.sha256("\n".join(end).encode()).hexdigest(),
        acknowledged=acknowledged,
    )


def ends_with(
    owned: Collection[str], removals: Sequence[Removal], mints: Sequence[Mint]
) -> set[str]:
    """Return the hosts that have a row of the box's own once the plan is done."""
    going = {each.host for each in removals}
    return set(owned) - going | {each.row.host for each in mints}


def _unclean(
    desired: SidecarDesired, removals: tuple[Removal, ...], summary: SidecarSummary
) -> Fused:
    reason = "the bucket could not be read whole"
    failures = [f"not read whole: {each}" for each in desired.unclean]
    kept = f"; it keeps {_named(removals)}" if removals else ""
    failures.append(f"no row is removed in this run, since {reason}{kept}")
    return Fused((), removals, reason, tuple(failures), "", summary)


def _named(removals: Sequence[Removal]) -> str:
    shown_hosts = ", ".join(shown(each.host) for each in removals[:_NAMED])
    more = len(removals) - _NAMED
    return f"{shown_hosts} and {more} more" if more > 0 else shown_hosts
