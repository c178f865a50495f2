"""The snapshot fold: what a pass has to write, and what the guards read of it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from control.snapshot_keys import current_key, meta_key
from control.snapshot_records import SnapshotMeta
from control.text import printable
from folds.snapshot_seen import Hosts, Prior, SnapshotSeen
from policy.guards.snapshots import PriorSnapshot, SnapshotSummary
from policy.guards.words import count as counted

KEEP = 8
"""Generations that stay (behaviour 59)."""
_SHOWN = 12  # characters of a fingerprint
_LONGEST = 200  # characters of a text out of the bucket

Action = Literal["nothing", "settle", "upload"]


@dataclass(frozen=True, slots=True)
class SnapshotPlan:
    """What a pass writes.

    ``upload``: a generation, the current snapshot, what describes it. ``settle``: the current
    snapshot is this registry's content, and what describes it or the registry's lineage does not
    say so yet. ``prunes`` are the generations that go. ``lines`` tell all of it, removals first.
    """

    action: Action
    prunes: tuple[str, ...]
    lines: tuple[str, ...]

    @property
    def empty(self) -> bool:
        """Whether there is nothing to write."""
        return self.action == "nothing" and not self.prunes


@dataclass(frozen=True, slots=True)
class SnapshotDecision:
    """A plan, and what the guards read of it."""

    plan: SnapshotPlan
    summary: SnapshotSummary


def decide(seen: SnapshotSeen, acknowledged: str = "") -> SnapshotDecision:
    """Work out what a pass has to write. ``acknowledged`` is the digest let through, or empty."""
    action = _action(seen)
    prunes = beyond(seen.generations.keys, coming=int(action == "upload"))
    lines = (*(f"- {key}" for key in prunes), *_lines(seen, action))
    plan = SnapshotPlan(action, prunes, lines)
    return SnapshotDecision(plan, summarize(seen, acknowledged, writes=action != "nothing"))


def beyond(keys: Sequence[str], coming: int = 0) -> tuple[str, ...]:
    """Return the generations that go: the lexically oldest over 8 (behaviour 59).

    ``keys`` are sorted; ``coming`` of another are about to be written.
    """
    return tuple(keys[: max(0, len(keys) + coming - KEEP)])


def remarks(seen: SnapshotSeen) -> tuple[str, ...]:
    """Return a line about keys under the box's prefix that are none of ours, if there are any."""
    foreign = seen.generations.foreign
    if not foreign:
        return ()
    shown = ", ".join(printable(key)[:_LONGEST] for key in foreign[:KEEP])
    more = f" and {len(foreign) - KEEP} more" if len(foreign) > KEEP else ""
    are = "1 key is no generation, and is" if len(foreign) == 1 else _many(len(foreign))
    return (f"{are} left alone: {shown}{more}",)


def _many(keys: int) -> str:
    return f"{keys} keys are no generations, and are"


def routes(count: int) -> str:
    """Return ``1 route``, ``40 routes``."""
    return counted(count, "route")


def _action(seen: SnapshotSeen) -> Action:
    if seen.settled:
        return "nothing"
    at_hand = seen.current
    return "settle" if at_hand and at_hand.fingerprint == seen.live.fingerprint else "upload"


def _lines(seen: SnapshotSeen, action: Action) -> tuple[str, ...]:
    new = f"{_short(seen.live.fingerprint)} ({routes(len(seen.live.hosts))})"
    if action == "settle":
        return (f"~ {meta_key(seen.box)} and the registry's lineage: {new}",)
    if action == "nothing":
        return ()
    if seen.prior is None or seen.prior.etag is None:
        return (f"+ {current_key(seen.box)}: {new}",)
    return (f"~ {current_key(seen.box)}: {_short(seen.prior.fingerprint)} -> {new}",)


def summarize(seen: SnapshotSeen, acknowledged: str, *, writes: bool) -> SnapshotSummary:
    """Sum up what would replace what. Texts out of the bucket are escaped."""
    live, meta = seen.live, seen.meta
    return SnapshotSummary(
        box=seen.box,
        bucket=seen.bucket,
        registry=printable(live.path),
        writes=writes,
        fingerprint=live.fingerprint,
        routes=len(live.hosts),
        lineage=live.lineage,
        last=live.last,
        pending=live.pending,
        meta_box=_word(meta.box) if meta else "",
        prior=(_prior(seen.prior, meta, live.hosts),) if seen.prior else (),
        replaced=_replaced(seen),
        acknowledged=acknowledged,
    )


def _prior(prior: Prior, meta: SnapshotMeta | None, live: Hosts) -> PriorSnapshot:
    told = prior.meta or meta or SnapshotMeta()
    count = told.routes if prior.hosts is None else len(prior.hosts)
    hosts = live if prior.hosts is None else prior.hosts
    return PriorSnapshot(
        key=prior.key,
        fingerprint=_word(prior.fingerprint),
        lineage=_word(prior.lineage),
        created_at=told.created_at if prior.meta or meta else "",
        routes="" if count is None else str(count),
        hosts_known=prior.hosts is not None,
        hosts_gone=len(hosts - live),
        hosts_new=len(live - hosts),
        fault=prior.fault,
    )


def _replaced(seen: SnapshotSeen) -> str:
    prior = seen.prior or Prior("")
    told = seen.meta.fingerprint if seen.meta else ""
    return _word(told or prior.fingerprint or prior.etag or "")


def _short(fingerprint: str) -> str:
    return printable(fingerprint)[:_SHOWN] or "unknown"


def _word(text: str) -> str:
    return printable(text)[:_LONGEST]
