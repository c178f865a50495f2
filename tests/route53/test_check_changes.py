"""Health checks that change under a zone's sets, within the account's quota."""

from __future__ import annotations

import pytest

from folds.desired import CheckSettings
from route53.errors import PartlyApplied, QuotaExceeded
from route53.regions import latency_regions
from tests.support.zones import (
    IE,
    US,
    Account,
    box,
    settled,
    wanting,
)


def test_check_that_somebody_removed(account: Account) -> None:
    """A new one of the next generation is made, and every set of the address moved to it."""
    desired = wanting("ab", [IE, US])
    result = account.converge(desired)
    account.client.delete_health_check(HealthCheckId=result.checks[IE.address])
    account.emulator.violations.clear()
    assert account.converge(desired).changed == 3
    assert {each.caller_reference[-2:] for each in account.live().checks} == {"/1", "/2"}
    settled(account, desired)


def test_check_settings_changed_in_place(account: Account) -> None:
    """No set is touched: a new check would count as healthy at first."""
    account.converge(wanting("ab"))
    desired = wanting("ab", check=CheckSettings(path="/up", failure_threshold=5))
    account.emulator.reset()
    account.converge(desired)
    assert account.writes() == ["UpdateHealthCheck"] * 4
    settled(account, desired)


def test_other_interval_at_180_of_200_checks(account: Account) -> None:
    """The checks of boxes that stand by make room for the new ones: never over the quota."""
    addresses = [f"99.81.{number // 90}.{number % 90 + 1}" for number in range(180)]
    boxes = [box(f"b-{n:03}", "eu-west-1", address) for n, address in enumerate(addresses)]
    account.converge(wanting("ab", boxes))
    config = {"Type": "TCP", "IPAddress": "192.0.2.1", "Port": 443}
    foreign = [{"Id": f"f{n}", "HealthCheckConfig": config} for n in range(5)]
    account.emulator.seed({"health_checks": foreign})
    desired = wanting("ab", boxes, CheckSettings(interval=10))
    account.converge(desired)
    assert len(account.live().checks) == 185
    settled(account, desired)


def test_other_type_with_little_room(account: Account) -> None:
    """Four new checks at a time, records moved to them, old ones swept, the next wave."""
    regions = sorted(latency_regions())[:30]
    boxes = [box(f"b-{n:02}", region, f"99.81.104.{n + 1}") for n, region in enumerate(regions)]
    account.emulator.settings.health_check_quota = 34
    account.converge(wanting("abc", boxes, health_check_limit=34))
    desired = wanting("abc", boxes, CheckSettings(type="HTTP"), health_check_limit=34)
    account.emulator.reset()
    result = account.converge(desired)
    assert account.made()["ListHealthChecks"] == 8, "rounds"
    assert result.changed == 30 + 90 + 30
    settled(account, desired)


def test_no_room_for_a_single_check(account: Account) -> None:
    """Nothing is written; the message has count, limit and way out."""
    account.converge(wanting("a"))
    account.emulator.reset()
    desired = wanting("a", check=CheckSettings(interval=10), health_check_limit=4)
    with pytest.raises(QuotaExceeded) as caught:
        account.converge(desired)
    assert str(caught.value) == (
        "zone Z1: 4 health checks wanted beside 4, limit 4;"
        " raise the quota at AWS and the setting healthCheckLimit"
    )
    assert account.writes() == []


def test_quota_below_the_setting(account: Account) -> None:
    """AWS has the last word; what was done until then is said."""
    account.emulator.settings.health_check_quota = 3
    with pytest.raises(PartlyApplied, match="done: 3 health check creations; not done: 1 health"):
        account.converge(wanting("a"))
