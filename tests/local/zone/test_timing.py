"""What depends on time and on other calls: rates, windows, INSYNC, concurrency, the end."""

import threading
from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectionClosedError, EndpointConnectionError

from local.zone import ZoneEmulator
from tests.local.zone.conftest import Clock
from tests.local.zone.support import (
    ZONE,
    Account,
    account_with,
    client_of,
    create,
    raw,
    refused,
    simple,
)


def test_throttling_counts_all_operations(clock: Clock) -> None:
    """Refused calls count too; the control paths do not."""
    with account_with(rate=5, burst=5) as account:
        client, change = account.client, create(simple("b.example.com"))
        client.get_health_check_count()
        client.list_hosted_zones()
        client.get_hosted_zone(Id=ZONE)
        account.change(create(simple("a.example.com")))
        refused("NoSuchHealthCheck", "none", client.get_health_check, HealthCheckId="none")
        refused("Throttling", "Rate exceeded", lambda: account.change(change))
        clock.now += 0.25
        account.change(change)
        refused("Throttling", "Rate exceeded", client.get_health_check_count)
        status, _ = raw(f"{account.emulator.url}/_emulator/calls", method="GET")
        assert status == 200, "control is not throttled"


def test_tokens_come_back_up_to_the_burst(clock: Clock) -> None:
    """However long nothing was asked."""
    with account_with(rate=5, burst=5) as account:
        clock.now += 60
        for _ in range(5):
            account.client.get_health_check_count()
        refused("Throttling", "Rate exceeded", account.client.get_health_check_count)
        assert [call["error"] for call in account.emulator.calls].count("Throttling") == 1


def test_no_throttling_by_default(account: Account) -> None:
    """A rate of 0 limits nothing."""
    for _ in range(60):
        account.client.get_health_check_count()
    assert {call["status"] for call in account.emulator.calls} == {200}


def test_prior_request_window(clock: Clock) -> None:
    """A zone is busy after a change, another zone is not."""
    with account_with(prior_window=0.4) as account:
        account.emulator.seed({"zones": [{"id": "ZOTHER", "name": "example.com"}]})
        first, second = create(simple("a.example.com")), create(simple("b.example.com"))
        account.change(first)
        busy = "still processing a prior request"
        account.refused("PriorRequestNotComplete", busy, second)
        account.change(first, zone="ZOTHER")
        clock.now += 0.45
        account.change(second)


def test_get_change(clock: Clock) -> None:
    """PENDING, then INSYNC after insync_after seconds."""
    with account_with(insync_after=0.3) as account:
        info = account.change(create(simple("a.example.com")), Comment="why")["ChangeInfo"]
        assert info["Status"] == "PENDING"
        assert info["Comment"] == "why"
        assert info["Id"].startswith("/change/C")
        assert account.client.get_change(Id=info["Id"])["ChangeInfo"] == info
        clock.now += 0.35
        insync = {**info, "Status": "INSYNC"}
        assert account.client.get_change(Id=info["Id"])["ChangeInfo"] == insync
        refused("NoSuchChange", "CNONE", account.client.get_change, Id="CNONE")


def test_concurrent_creates_have_one_winner(account: Account) -> None:
    """Calls are judged one after the other."""
    outcomes: list[str] = []

    def attempt(client: Any, number: int) -> None:
        change = create(simple("a.example.com", f"192.0.2.{number}"))
        try:
            client.change_resource_record_sets(HostedZoneId=ZONE, ChangeBatch={"Changes": [change]})
            outcomes.append("won")
        except ClientError as error:
            outcomes.append(error.response["Error"]["Code"])

    attempts = [(client_of(account.emulator.url), number) for number in range(20)]
    threads = [threading.Thread(target=attempt, args=each) for each in attempts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["InvalidChangeBatch"] * 19 + ["won"]
    assert len(account.sets()) == 1


def test_a_stopped_emulator_answers_no_more() -> None:
    """Open connections are cut, new ones refused."""
    emulator = ZoneEmulator().start()
    client = Account(emulator).client
    client.get_health_check_count()
    emulator.stop()
    with pytest.raises((ConnectionClosedError, EndpointConnectionError)):
        client.get_health_check_count()
    with pytest.raises(EndpointConnectionError):
        client_of(emulator.url).get_health_check_count()


def test_an_emulator_that_never_started_stops() -> None:
    """Its port is free again at once."""
    emulator = ZoneEmulator()
    emulator.stop()
    with pytest.raises(EndpointConnectionError):
        client_of(emulator.url).get_health_check_count()
