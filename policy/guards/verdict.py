"""The verdict over all rules: what a summary's acknowledged digest does not let through."""

from __future__ import annotations

from .digest import answers, digest
from .rule import Violation, broken, violations
from .rules import ACKNOWLEDGEABLE, ADOPTION, STEERING
from .summary import SteeringSummary


def steering_violations(
    summary: SteeringSummary, *, first_run: bool = False
) -> tuple[Violation, ...]:
    """Return every violation that the summary's acknowledged digest does not let through.

    ``first_run`` says that the stack has no ``ZoneRecords`` of this zone and prefix in its state:
    then removals are refused as well. Order: as in ``STEERING``.
    """
    rules = (*STEERING, ADOPTION) if first_run else STEERING
    found = broken(rules, summary)
    names = {rule.name for rule, _ in found if rule.acknowledgeable}
    if answers(summary.acknowledged, summary, names, ACKNOWLEDGEABLE):
        found = [(rule, finding) for rule, finding in found if not rule.acknowledgeable]
    code = digest(summary, names, with_hosts=summary.end.hosts_go)
    return violations(found, f"zone {summary.zone} ({summary.prefix})", code)


def adoption_digest(summary: SteeringSummary) -> str:
    """Return the digest that also lets a first run remove sets."""
    found = {rule.name for rule in STEERING if rule.acknowledgeable and any(rule.find(summary))}
    return digest(summary, {*found, ADOPTION.name}, with_hosts=summary.end.hosts_go)
