"""The guards of a box's sidecar routes: what they read of a plan, its rules and their verdict.

A plan's fold holds removals back by the same rules (a fuse): here they are judged again, in the
policy pack, in ``check`` and before the rows are written, as backstops.
"""

from __future__ import annotations

from collections.abc import Iterator

from .rule import Finding, Rule, Violation, broken, hashed, violations
from .summary import Count, _Value, parsed
from .words import count, some


class SidecarSummary(_Value):
    """A sidecars plan as the guards see it. Every key is required: a missing one is a violation.

    ``owned`` counts the box's own rows before the plan, without those that somebody holds,
    ``removed`` those that go, ``absent`` those of them that go because there is no record of them
    any more, ``unknown`` those of the absent whose account the bucket does not know. ``unclean``
    says what of the bucket could not be read, ``reachable`` names the rows to be minted with a
    socket or an address. ``end`` is the SHA-256 of the hosts that have a row of the box's own once
    the plan is done, sorted and joined by newlines. ``acknowledged`` is the digest the operator let
    through, or empty. With claims all of it is what the bucket asks for, whatever the claims say.
    """

    box: str
    bucket: str
    owned: Count
    removed: Count
    absent: Count
    unknown: Count
    unclean: tuple[str, ...]
    reachable: tuple[str, ...]
    end: str
    acknowledged: str


def _mass_retire(summary: SidecarSummary) -> Iterator[Finding]:
    """Most rows would go because their records are absent, which a mistyped prefix looks like.

    A box's only row may go, but not where its account is unknown too.
    """
    only_one = summary.owned == 1 and not summary.unknown
    if summary.absent * 2 > summary.owned and not only_one:
        yield (
            f"removes {summary.absent} of {count(summary.owned, 'owned row')} because their records"
            f" are absent, limit half ({summary.owned // 2})",
            "see whether the bucket was read under the right prefix",
        )


def _unclean_read(summary: SidecarSummary) -> Iterator[Finding]:
    """Rows would go on the word of a bucket that was not read whole."""
    if summary.removed and summary.unclean:
        yield (
            f"removes {count(summary.removed, 'row')} while"
            f" {count(len(summary.unclean), 'read')} of the bucket failed"
            f" ({some(summary.unclean)}), limit 0",
            "mend what could not be read",
        )


def _reachability(summary: SidecarSummary) -> Iterator[Finding]:
    """A sidecar binds nothing, and nothing dials it."""
    if summary.reachable:
        yield (
            f"mints {count(len(summary.reachable), 'row')} with a socket or an address"
            f" ({some(summary.reachable)}), limit 0",
            "mint sidecar rows without",
        )


MASS_RETIRE: Rule[SidecarSummary] = Rule(
    "sidecar-mass-retire",
    "mandatory",
    _mass_retire,
    "Refuses to remove more than half of a box's rows because their records are absent.",
    acknowledgeable=True,
)
SIDECARS: tuple[Rule[SidecarSummary], ...] = (
    Rule(
        "sidecar-reachability",
        "mandatory",
        _reachability,
        "Refuses to mint a sidecar row with a socket or an address.",
        acknowledgeable=False,
    ),
    MASS_RETIRE,
    Rule(
        "sidecar-unclean-read",
        "mandatory",
        _unclean_read,
        "Refuses to remove a row while anything of the bucket could not be read.",
        acknowledgeable=False,
    ),
)


def read_sidecars(raw: object) -> SidecarSummary:
    """Parse such a summary: see `summary.parsed`."""
    return parsed(SidecarSummary, raw)


def sidecar_violations(summary: SidecarSummary) -> tuple[Violation, ...]:
    """Return every violation that the summary's acknowledged digest does not let through.

    Order: as in ``SIDECARS``.
    """
    code = sidecar_digest(summary)
    found = broken(SIDECARS, summary)
    if summary.acknowledged == code:
        found = [(rule, finding) for rule, finding in found if not rule.acknowledgeable]
    return violations(found, f"box {summary.box} (bucket {summary.bucket})", code)


def sidecar_digest(summary: SidecarSummary) -> str:
    """Return 12 lower-case hex digits over box, bucket, the rule it answers and the end.

    The rows that go are not in it, so a withdrawal cut short goes on under it.
    """
    return hashed([summary.box, summary.bucket, MASS_RETIRE.name, summary.end])
