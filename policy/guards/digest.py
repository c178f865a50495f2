"""The digest: the one way past a refusal, for exactly one end.

It covers the zone, the prefix, the rules it answers and where the plan ends, not how far it is:
a withdrawal cut short goes on under the digest it began with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from .rule import hashed
from .summary import SteeringSummary

TAKEOVER = "steering-takeover"
"""The rule whose end includes the names that are adopted."""
FORMER_PREFIX = "steering-former-prefix"
"""The rule whose end includes the prefix that is given up."""


def digest(summary: SteeringSummary, rules: Iterable[str], *, with_hosts: bool) -> str:
    """Return 12 lower-case hex digits over zone, prefix, rules and end.

    ``with_hosts`` says whether the hosts that stay are part of the end: they are where hosts go.
    The names to adopt are part of it where a takeover is among the rules, the former prefix where
    its sets go.
    """
    answered = sorted(rules)
    end: list[object] = [sorted(summary.end.boxes)]
    if with_hosts:
        end.append(summary.end.hosts)
    if TAKEOVER in answered:
        end.append({"adopted": summary.end.adopted})
    if FORMER_PREFIX in answered:
        end.append({"former": summary.former})
    return hashed([summary.zone, summary.prefix, answered, end])


def answers(
    acknowledged: str, summary: SteeringSummary, broken: Iterable[str], known: Sequence[str]
) -> bool:
    """Say whether an acknowledged digest lets the broken rules through.

    It does if it was made for these rules or for more of them (a withdrawal cut short breaks fewer
    rules than at its start), and for this end. A digest made while no host was to go never lets
    one go.
    """
    if not acknowledged:
        return False
    scopes = (True,) if summary.end.hosts_go else (True, False)
    return any(
        acknowledged == digest(summary, rules, with_hosts=scope)
        for rules in _supersets(frozenset(broken), known)
        for scope in scopes
    )


def _supersets(broken: frozenset[str], known: Sequence[str]) -> Iterator[frozenset[str]]:
    others = sorted(set(known) - broken)
    for size in range(len(others) + 1):
        for more in combinations(others, size):
            yield broken | set(more)
