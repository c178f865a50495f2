"""What holds for every deployment and zone: against the emulator, over HTTP."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hypothesis import given, settings

from folds.changes import Plan
from folds.desired import Desired
from folds.steering import plan
from folds.zone import LiveZone
from route53.batches import BatchLimits
from tests.folds.strategies import ESCAPED, Deployment, deployments
from tests.support.zones import PREFIX, ZONE, Account, on_each

EXAMPLES = 500
SMALL = BatchLimits(values=12)
KINDS = {
    "A",
    "AAAA",
    "an escaped name",
    "a foreign set",
    "a held host",
    "a region of two boxes",
    "several batches",
}


def kinds(desired: Desired, zone: LiveZone, work: Plan) -> Iterator[str]:
    """What a deployment shows."""
    yield from {each.type for each in desired.edges}
    yield from {"an escaped name" for each in zone.sets if each.name == ESCAPED}
    yield from {"a foreign set" for each in zone.sets if not each.managed(PREFIX)}
    yield from {"a held host" for _ in work.held}
    yield from {"a region of two boxes" for _ in work.standby}


def empty_hosts(account: Account, names: set[str]) -> set[str]:
    """Those of the names that no managed set answers for now."""
    zone = account.emulator.zones[ZONE].names
    answering = {
        name.removesuffix(".")
        for name, group in zone.items()
        for each in group.values()
        if "Region" in each.doc and each.doc["SetIdentifier"].startswith(PREFIX)
    }
    return names - answering


def staying(work: Plan, zone: LiveZone) -> set[str]:
    """The names that have sets, and are to have some afterwards."""
    have = {each.name for each in zone.sets if each.managed(PREFIX)}
    return have & {*work.held, *(work.names if work.serving else ())}


def test_any_deployment_on_any_zone(account: Account) -> None:
    """Apply, then the plan is empty; foreign sets are as they were; no host is ever empty."""
    seen: Counter[str] = Counter()

    @settings(max_examples=EXAMPLES, deadline=None)
    @given(deployments())
    def converges(deployment: Deployment) -> None:
        desired, zone = deployment
        account.clear()
        account.seed(zone)
        work, foreign = plan(desired, zone), account.foreign()
        names, emptied = staying(work, zone), set[str]()
        on_each(
            account,
            "ChangeResourceRecordSets",
            lambda _: emptied.update(empty_hosts(account, names)),
        )
        result = account.converge(desired, limits=SMALL)
        assert not emptied | empty_hosts(account, names)
        assert account.plan(desired).empty
        assert account.foreign() == foreign
        assert harm(account) == []
        seen.update([*kinds(desired, zone, work), *["several batches"] * (result.batches > 1)])

    converges()
    assert seen.keys() >= KINDS, KINDS - seen.keys()


def harm(account: Account) -> list[str]:
    """Sets that came to point at a missing check: not those that did when the run began."""
    return [
        each["kind"]
        for each in account.emulator.violations
        if each["kind"] != "host_emptied" and each.get("health_check") != "check-gone"
    ]
