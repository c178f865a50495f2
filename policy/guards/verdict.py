"""The verdict over all rules: what a summary's acknowledged digest does not let through."""

from __future__ import annotations

from dataclasses import dataclass

from .digest import answers, digest
from .findings import Finding
from .rules import ACKNOWLEDGEABLE, ADOPTION, STEERING, Level, Rule
from .summary import SteeringSummary


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule. ``message`` is one line: subject, measure, limit, way out."""

    rule: str
    level: Level
    message: str
    digest: str = ""


def steering_violations(
    summary: SteeringSummary, *, first_run: bool = False
) -> tuple[Violation, ...]:
    """Return every violation that the summary's acknowledged digest does not let through.

    ``first_run`` says that the stack has no ``ZoneRecords`` of this zone and prefix in its state:
    then removals are refused as well. Order: as in ``STEERING``.
    """
    rules = (*STEERING, ADOPTION) if first_run else STEERING
    found = [(rule, finding) for rule in rules for finding in rule.find(summary)]
    broken = {rule.name for rule, _ in found if rule.acknowledgeable}
    if answers(summary.acknowledged, summary, broken, ACKNOWLEDGEABLE):
        found = [(rule, finding) for rule, finding in found if not rule.acknowledgeable]
    code = digest(summary, broken, with_hosts=summary.end.hosts_go)
    return tuple(_violation(summary, rule, finding, code) for rule, finding in found)


def adoption_digest(summary: SteeringSummary) -> str:
    """Return the digest that also lets a first run remove sets."""
    found = {rule.name for rule in STEERING if rule.acknowledgeable and any(rule.find(summary))}
    return digest(summary, {*found, ADOPTION.name}, with_hosts=summary.end.hosts_go)


def _violation(summary: SteeringSummary, rule: Rule, finding: Finding, code: str) -> Violation:
    problem, remedy = finding
    way_out = f"; or, if it is meant, acknowledge digest {code}" if rule.acknowledgeable else ""
    message = f"{rule.name}: zone {summary.zone} ({summary.prefix}): {problem}; {remedy}{way_out}"
    return Violation(rule.name, rule.level, message, code if rule.acknowledgeable else "")
