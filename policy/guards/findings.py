"""What each rule of steering finds in a summary, one pure function a rule."""

from __future__ import annotations

from collections.abc import Iterator

from .rule import Finding
from .summary import SteeringSummary
from .words import count, some

VALUES_LIMIT = 1000  # ResourceRecord elements of one request: a host must fit into one batch
SETS_LIMIT = 100  # latency sets of one name and type
TTL_LIMIT = 60  # seconds; AWS advises at most this where a health check is attached


def empty_desired(summary: SteeringSummary) -> Iterator[Finding]:
    """Nothing at all would be left."""
    if summary.managed and not summary.desired and not summary.held:
        yield (
            f"nothing is desired and nothing is held while"
            f" {count(summary.managed, 'managed set')} exist, limit 0",
            "see why the bucket names no armed edge or no steered host",
        )


def shrink(summary: SteeringSummary) -> Iterator[Finding]:
    """More than half of the managed sets would go, but for those that their region gets again.

    A set added in another region answers for no user of the one that is lost, so it does not count.
    """
    removed = sum(max(0, each.removed - each.replaced) for each in summary.shrinking)
    if removed * 2 > summary.managed:
        yield (
            f"removes {removed} of {count(summary.managed, 'managed set')},"
            f" limit half ({summary.managed // 2})",
            "withdraw fewer boxes at once",
        )


def host_emptied(summary: SteeringSummary) -> Iterator[Finding]:
    """A name and type that is still asked for would lose its last set."""
    emptied = [each for each in summary.shrinking if each.asks and each.removed and not each.left]
    if emptied:
        yield (
            f"{count(len(emptied), 'name')} would lose the last set of a type while still asked for"
            f" ({some([f'{each.name} {each.type}' for each in emptied])}), limit 0",
            "arm another edge with an address of this type first",
        )


def host_vanished(summary: SteeringSummary) -> Iterator[Finding]:
    """Many hosts would leave because their records are absent."""
    gone = len(summary.vanished)
    if gone > 3 and gone * 10 > summary.live_hosts:  # noqa: PLR2004 - the rule's own numbers
        yield (
            f"{gone} of {count(summary.live_hosts, 'host')} leave because their records are absent"
            f" ({some(summary.vanished)}), limit 3 or 10 % ({summary.live_hosts // 10})",
            "see whether the bucket was read under the right prefix",
        )


def takeover(summary: SteeringSummary) -> Iterator[Finding]:
    """Record sets would go that others made."""
    if summary.adopted:
        shown = [f"{each.name} {each.type}" for each in summary.adopted]
        yield (
            f"puts latency sets in the place of {count(len(shown), 'simple set')} that others made"
            f" ({some(shown)}), limit 0",
            "see that nothing else looks after them, or take the names out of the setting adopt",
        )


def former_prefix(summary: SteeringSummary) -> Iterator[Finding]:
    """Sets of another prefix would go."""
    if summary.former_sets:
        yield (
            f"takes {count(summary.former_sets, 'set')} of the prefix {summary.former} for its own"
            " earlier ones, limit 0",
            "see that no other deployment uses that prefix, or empty the setting formerPrefix",
        )


def limits(summary: SteeringSummary) -> Iterator[Finding]:
    """Route 53 would not take it."""
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


def health_checks(summary: SteeringSummary) -> Iterator[Finding]:
    """A set would answer for a dead box."""
    if summary.unchecked:
        yield (
            f"{count(len(summary.unchecked), 'desired set')} without a health check"
            f" ({some(summary.unchecked)}), limit 0",
            "give every edge an address that can be checked",
        )


def mass_repoint(summary: SteeringSummary) -> Iterator[Finding]:
    """Most sets would answer with another address or region."""
    if summary.repointed * 2 > summary.managed:
        yield (
            f"{summary.repointed} of {count(summary.managed, 'managed set')} change address or"
            f" region at once, notice over half ({summary.managed // 2})",
            "look at the plan once more",
        )


def split_address(summary: SteeringSummary) -> Iterator[Finding]:
    """One address would answer in two regions."""
    for each in summary.split_addresses:
        yield (
            f"address {each.address} ends up in {len(each.regions)} regions"
            f" ({', '.join(each.regions)}), limit 1",
            "mend the edges files",
        )


def ttl(summary: SteeringSummary) -> Iterator[Finding]:
    """Resolvers would keep a dead box for longer than AWS advises."""
    if summary.desired and summary.ttl > TTL_LIMIT:
        yield (
            f"health-checked sets get a TTL of {summary.ttl} s, advised limit {TTL_LIMIT} s",
            "lower the setting ttl",
        )


def adoption(summary: SteeringSummary) -> Iterator[Finding]:
    """Sets would go that the stack never made."""
    removed = sum(each.removed for each in summary.shrinking)
    if removed:
        yield (
            f"the stack has no such zone in its state, and {removed} of the sets found there would"
            " go, limit 0 (another deployment's, a lost state, or a zone armed again)",
            "see that no other deployment uses this zone and prefix",
        )
