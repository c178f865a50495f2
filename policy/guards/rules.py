"""The rules of steering, one pure function each, and the verdict over all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from .digest import answers, digest
from .summary import SteeringSummary

VALUES_LIMIT = 1000  # ResourceRecord elements of one request: a host must fit into one batch
SETS_LIMIT = 100  # latency sets of one name and type
TTL_LIMIT = 60  # seconds; AWS advises at most this where a health check is attached

Level = Literal["mandatory", "advisory"]
Finding = tuple[str, str]  # what is wrong with measure and limit; the way out besides a digest


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its name, level, whether a digest can let it through, and what it finds."""

    name: str
    level: Level
    acknowledgeable: bool
    find: Callable[[SteeringSummary], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule. ``message`` is one line: subject, measure, limit, way out."""

    rule: str
    level: Level
    message: str
    digest: str = ""


def _empty_desired(summary: SteeringSummary) -> Iterator[Finding]:
    if summary.managed and not summary.desired and not summary.held:
        yield (
            f"nothing is desired and nothing is held while {summary.managed} managed sets exist,"
            " limit 0",
            "see why the bucket names no armed edge or no steered host",
        )


def _shrink(summary: SteeringSummary) -> Iterator[Finding]:
    removed = sum(max(0, each.removed - each.added) for each in summary.shrinking)
    if removed * 2 > summary.managed:
        yield (
            f"removes {removed} of {summary.managed} managed sets,"
            f" limit half ({summary.managed // 2})",
            "withdraw fewer boxes at once",
        )


def _host_emptied(summary: SteeringSummary) -> Iterator[Finding]:
    emptied = [each for each in summary.shrinking if each.asks and each.removed and not each.left]
    if emptied:
        yield (
            f"takes the last set of {len(emptied)} names that are still asked for"
            f" ({_some([f'{each.name} {each.type}' for each in emptied])}), limit 0",
            "arm another edge with an address of this type first",
        )


def _host_vanished(summary: SteeringSummary) -> Iterator[Finding]:
    gone = len(summary.vanished)
    if gone > 3 and gone * 10 > summary.live_hosts:  # noqa: PLR2004 - the rule's own numbers
        yield (
            f"{gone} of {summary.live_hosts} hosts leave because their records are absent"
            f" ({_some(list(summary.vanished))}), limit 3 or 10 % ({summary.live_hosts // 10})",
            "see whether the bucket was read under the right prefix",
        )


def _limits(summary: SteeringSummary) -> Iterator[Finding]:
    if summary.additions and summary.zone_after > summary.zone_limit:
        yield (
            f"leaves {summary.zone_after} record sets in the zone, limit {summary.zone_limit}",
            "raise the quota at AWS and the setting zoneLimit",
        )
    if summary.new_checks and summary.checks_peak > summary.health_check_limit:
        yield (
            f"needs {summary.checks_peak} health checks at its peak, those of others included,"
            f" limit {summary.health_check_limit}",
            "raise the quota at AWS and the setting healthCheckLimit",
        )
    for each in summary.crowded:
        yield (
            f"{each.name} needs {each.values} values in one change and {each.sets} sets of a type,"
            f" limits {VALUES_LIMIT} and {SETS_LIMIT}",
            "arm fewer edges of this type",
        )


def _health_checks(summary: SteeringSummary) -> Iterator[Finding]:
    if summary.unchecked:
        yield (
            f"{len(summary.unchecked)} desired sets have no health check"
            f" ({_some(list(summary.unchecked))}), limit 0",
            "give every edge an address that can be checked",
        )


def _mass_repoint(summary: SteeringSummary) -> Iterator[Finding]:
    if summary.repointed * 2 > summary.managed:
        yield (
            f"{summary.repointed} of {summary.managed} managed sets change address or region at"
            f" once, notice over half ({summary.managed // 2})",
            "look at the plan once more",
        )


def _split_address(summary: SteeringSummary) -> Iterator[Finding]:
    for each in summary.split_addresses:
        yield (
            f"address {each.address} ends up in {len(each.regions)} regions"
            f" ({', '.join(each.regions)}), limit 1",
            "mend the edges files",
        )


def _ttl(summary: SteeringSummary) -> Iterator[Finding]:
    if summary.desired and summary.ttl > TTL_LIMIT:
        yield (
            f"health-checked sets get a TTL of {summary.ttl} s, advised limit {TTL_LIMIT} s",
            "lower the setting ttl",
        )


def _adoption(summary: SteeringSummary) -> Iterator[Finding]:
    removed = sum(each.removed for each in summary.shrinking)
    if removed:
        yield (
            f"removes {removed} sets that this stack does not have in its state, limit 0"
            " (another deployment's sets, a lost state, or a zone armed again)",
            "see that no other deployment uses this zone and prefix",
        )


ADOPTION = Rule("steering-adoption", "mandatory", acknowledgeable=True, find=_adoption)
STEERING: tuple[Rule, ...] = (
    Rule("steering-empty-desired", "mandatory", acknowledgeable=True, find=_empty_desired),
    Rule("steering-shrink", "mandatory", acknowledgeable=True, find=_shrink),
    Rule("steering-host-emptied", "mandatory", acknowledgeable=True, find=_host_emptied),
    Rule("steering-host-vanished", "mandatory", acknowledgeable=True, find=_host_vanished),
    Rule("steering-limits", "mandatory", acknowledgeable=False, find=_limits),
    Rule("steering-health-checks", "mandatory", acknowledgeable=False, find=_health_checks),
    Rule("steering-split-address", "mandatory", acknowledgeable=False, find=_split_address),
    Rule("steering-mass-repoint", "advisory", acknowledgeable=False, find=_mass_repoint),
    Rule("steering-ttl", "advisory", acknowledgeable=False, find=_ttl),
)
ACKNOWLEDGEABLE = tuple(each.name for each in (*STEERING, ADOPTION) if each.acknowledgeable)


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


def _some(names: list[str], most: int = 5) -> str:
    shown = ", ".join(sorted(names)[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
