"""Removals decided again, from a fresh read of what they rest on, right before rows are written."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from control.bucket import open_bucket
from control.sidecar_scan import read_again
from control.store import ReadStore
from folds.sidecar_again import kept_after_all
from folds.sidecar_changes import Removal
from folds.sidecar_desired import Box

_UNPLANNED = "the rows changed while this run was working: its plan did not remove this one"


@dataclass(frozen=True, slots=True)
class Standing:
    """Removals that still stand, and those that do not, each with why not."""

    going: tuple[Removal, ...] = ()
    kept: tuple[tuple[Removal, str], ...] = ()


def decided_again(removals: Sequence[Removal], planned: Collection[str], box: Box) -> Standing:
    """Decide each removal again (behaviours 129 to 131). Without removals the bucket is not read.

    ``planned`` are the hosts that this run's own plan removes: no other row goes.

    Raises:
        CannotOpen: the bucket's setting or credentials allow no request.
    """
    if not removals:
        return Standing()
    reasons = kept_now(removals, box, open_bucket(box.bucket))
    judged = [
        (each, reason if each.host in planned else _UNPLANNED)
        for each, reason in zip(removals, reasons, strict=True)
    ]
    return Standing(
        going=tuple(removal for removal, reason in judged if not reason),
        kept=tuple((removal, reason) for removal, reason in judged if reason),
    )


def kept_now(removals: Sequence[Removal], box: Box, store: ReadStore) -> tuple[str, ...]:
    """Return for each removal why its row is kept after all, as the bucket says now, or ``""``."""
    fresh = read_again(
        store,
        [each.key for each in removals if each.cause != "trashed"],
        [each.key.owner for each in removals if each.cause == "trashed"],
    )
    return tuple(kept_after_all(each, fresh, box) for each in removals)
