"""The guards of a box's registry snapshot: what they read of a plan, and their verdict.

A snapshot may take another one's place only if the registry descends from it. A standby that has
not been restored yet has nothing to lose, and would overwrite all that is left of the dead box.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from .rule import LENGTH, Finding, Rule, Violation, broken, hashed, violations
from .summary import Count, _Value, parsed
from .words import count


class PriorSnapshot(_Value):
    """The snapshot to be replaced; a text is empty where nobody says.

    ``hosts_gone`` counts its hosts that the registry does not have, ``hosts_new`` the others of the
    registry; both count only where ``hosts_known``. ``fault`` says why its file was not read.
    """

    key: str
    fingerprint: str
    lineage: str
    created_at: str
    routes: Annotated[str, Field(pattern=r"^[0-9]*$")]
    hosts_known: bool
    hosts_gone: Count
    hosts_new: Count
    fault: str


class SnapshotSummary(_Value):
    """A snapshot plan as the guards see it. Every key is required: a missing one is a violation.

    ``writes`` says whether the current snapshot or its description changes. ``fingerprint`` and
    ``routes`` are the registry's, ``lineage``, ``last`` and ``pending`` what it knows of its own
    past. ``meta_box`` is the box that the description in the bucket names. ``prior`` holds the
    snapshot to be replaced, or nothing. ``replaced`` is what a digest pins: the fingerprint that
    the bucket's description names. ``acknowledged`` is the digest let through, or empty.
    """

    box: str
    bucket: str
    registry: str
    writes: bool
    fingerprint: str
    routes: Count
    lineage: str
    last: str
    pending: str
    meta_box: str
    prior: tuple[PriorSnapshot, ...]
    replaced: str
    acknowledged: str


def descends(summary: SnapshotSummary, prior: PriorSnapshot) -> bool:
    """Say whether a registry may take a snapshot's place.

    It may if it has the same content, or wrote that snapshot or was restored from it; and that of a
    writer without lineage, another program, if it has the same hosts.
    """
    if prior.fingerprint and prior.fingerprint == summary.fingerprint:
        return True
    own = prior.lineage in ("", summary.lineage)
    if own and prior.fingerprint and prior.fingerprint in (summary.last, summary.pending):
        return True
    same_hosts = prior.hosts_known and not prior.hosts_gone and not prior.hosts_new
    return not prior.lineage and same_hosts


def _foreign_box(summary: SnapshotSummary) -> Iterator[Finding]:
    """The description in the bucket names another box."""
    if summary.writes and summary.meta_box not in ("", summary.box):
        yield (
            f"the snapshot under this box's name is that of box {summary.meta_box}"
            f"{_told(summary)}, limit: a box replaces its own",
            "if this box is to take that one's place, restore it first and give it that name:"
            f" {_restore(summary, summary.meta_box)}",
        )


def _lineage(summary: SnapshotSummary) -> Iterator[Finding]:
    """The registry does not descend from what it would replace."""
    for prior in summary.prior:
        if summary.writes and not descends(summary, prior):
            own = f"{count(summary.routes, 'route')}, {_lineage_of(summary.lineage)}"
            yield (
                f"{prior.key}{_told(summary)} is not the past of"
                f" {summary.registry} ({own}){_hosts(prior)}, limit: a"
                " snapshot replaces one that its registry wrote or was restored from",
                f"restore it first: {_restore(summary, summary.box)}",
            )


def _told(summary: SnapshotSummary) -> str:
    if not summary.prior:
        return ""
    prior = summary.prior[0]
    facts = [f"of {prior.created_at}"] if prior.created_at else []
    facts += [count(int(prior.routes), "route")] if prior.routes else []
    facts += [_lineage_of(prior.lineage)]
    facts += [f"its file cannot be read: {prior.fault}"] if prior.fault else []
    return f" ({', '.join(facts)})"


def _hosts(prior: PriorSnapshot) -> str:
    if not prior.hosts_known:
        return ""
    return f": {prior.hosts_gone} of its hosts are not there, {prior.hosts_new} others are"


def _lineage_of(lineage: str) -> str:
    return f"lineage {lineage[:LENGTH]}" if lineage else "no lineage"


def _restore(summary: SnapshotSummary, box: str) -> str:
    """Return the command, each word as a shell takes it for one: the box may be anybody's text."""
    words = ("--bucket", summary.bucket, "--box", box, "--to", summary.registry, "--replace")
    return f"python -m operate restore {shlex.join(words)}"


SNAPSHOTS: tuple[Rule[SnapshotSummary], ...] = (
    Rule(
        "snapshot-foreign-box",
        "mandatory",
        _foreign_box,
        "Refuses to replace a snapshot that names another box.",
        acknowledgeable=True,
    ),
    Rule(
        "snapshot-lineage",
        "mandatory",
        _lineage,
        "Refuses to replace a snapshot that the registry does not descend from.",
        acknowledgeable=True,
    ),
)


def read_snapshot(raw: object) -> SnapshotSummary:
    """Parse such a summary: see `summary.parsed`."""
    return parsed(SnapshotSummary, raw)


def snapshot_violations(summary: SnapshotSummary) -> tuple[Violation, ...]:
    """Return every violation that the summary's acknowledged digest does not let through."""
    code = snapshot_digest(summary)
    if summary.acknowledged == code:
        return ()
    found = broken(SNAPSHOTS, summary)
    return violations(found, f"box {summary.box} (bucket {summary.bucket})", code)


def snapshot_digest(summary: SnapshotSummary) -> str:
    """Return 12 lower-case hex digits over the box and the fingerprint of what is replaced.

    An upload cut short goes on under it, until the bucket describes the new snapshot.
    """
    return hashed(["snapshot", summary.box, summary.replaced])
