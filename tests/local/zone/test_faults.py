"""Faults on purpose."""

import time
from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectionClosedError

from local.zone import UnknownFaultError, ZoneEmulator
from tests.local.zone.support import (
    ZONE,
    Account,
    account_with,
    client_of,
    create,
    hosts,
    raw,
    refused,
    simple,
)

CHANGE = "ChangeResourceRecordSets"


@pytest.mark.parametrize(
    ("do", "code", "status"),
    [
        ("throttle", "Throttling", 400),
        ("500", "InternalFailure", 500),
        (503, "ServiceUnavailable", 503),
        ("prior_request", "PriorRequestNotComplete", 400),
        ("expired", "ExpiredToken", 403),
        ("denied", "AccessDenied", 403),
    ],
)
def test_error_faults(do: Any, code: str, status: int) -> None:
    """The nth call of an operation answers the error and does nothing."""
    with account_with(faults=[{"op": CHANGE, "nth": 2, "do": do}]) as account:
        account.change(create(simple("a.example.com")))
        account.client.get_health_check_count()
        with pytest.raises(ClientError) as caught:
            account.change(create(simple("b.example.com")))
        answer: dict[str, Any] = dict(caught.value.response)
        assert answer["Error"]["Code"] == code
        assert answer["ResponseMetadata"]["HTTPStatusCode"] == status
        assert answer["Error"]["Type"] == ("Sender" if status < 500 else "Receiver")
        assert len(account.sets()) == 1
        account.change(create(simple("b.example.com")))
        faulty = [call for call in account.emulator.calls if call["fault"]]
        assert [(call["op"], call["status"], call["error"]) for call in faulty] == [
            (CHANGE, status, code)
        ]


def test_credentials_that_expire_on_the_second_page() -> None:
    """A fault strikes the nth call of its own operation, whatever comes between."""
    faults = [{"op": "ListResourceRecordSets", "nth": 2, "do": "expired"}]
    with account_with(faults=faults) as account:
        account.change(*hosts(301))
        account.client.get_health_check_count()
        expired = "The security token included in the request is expired"
        assert (
            refused(
                "ExpiredToken",
                "",
                account.sets,
            )
            == expired
        )
        listed = [call for call in account.emulator.calls if call["op"] == faults[0]["op"]]
        assert [call["error"] for call in listed] == [None, "ExpiredToken"]


def test_a_denial_names_the_operation() -> None:
    """As the service does, so that a message can say which permission is missing."""
    with account_with(faults=[{"op": "GetHostedZone", "do": "denied"}]) as account:
        text = "is not authorized to perform: route53:GetHostedZone"
        refused("AccessDenied", text, account.client.get_hosted_zone, Id=ZONE)


def test_a_lost_request_and_a_lost_answer() -> None:
    """drop_before does nothing, drop_after does it and says nothing."""
    faults = [
        {"op": CHANGE, "nth": 1, "do": "drop_before"},
        {"op": CHANGE, "nth": 2, "do": "drop_after"},
    ]
    with account_with(faults=faults) as account:
        for left in (0, 1):
            with pytest.raises(ConnectionClosedError):
                account.change(create(simple("a.example.com")))
            assert len(account.sets()) == left
        changes = [call for call in account.emulator.calls if call["op"] == CHANGE]
        assert [(call["status"], call["fault"]) for call in changes] == [
            (None, "drop_before"),
            (200, "drop_after"),
        ]


def test_a_creation_whose_answer_is_lost_is_found_by_its_reference() -> None:
    """drop_after: the same reference and settings give the check that was made."""
    faults = [{"op": "CreateHealthCheck", "nth": 1, "do": "drop_after"}]
    with account_with(faults=faults) as account:
        with pytest.raises(ConnectionClosedError):
            account.check("one")
        assert account.check("one")["Id"] in account.emulator.health_checks
        assert len(account.emulator.health_checks) == 1


def test_every_strikes_each_mth_call() -> None:
    """Counted for its own operation."""
    faults = [{"op": "GetHealthCheckCount", "every": 3, "do": "503"}]
    with account_with(faults=faults) as account:
        for _ in range(2):
            account.client.get_health_check_count()
            account.client.list_hosted_zones()
            account.client.get_health_check_count()
            refused(
                "ServiceUnavailable",
                "",
                account.client.get_health_check_count,
            )


def took(account: Account, *, throttled: bool) -> float:
    """The seconds that a call of ListHostedZones takes."""
    started = time.monotonic()
    if throttled:
        refused("Throttling", "", account.client.list_hosted_zones)
    else:
        account.client.list_hosted_zones()
    return time.monotonic() - started


def test_delays_alone_and_beside_an_error() -> None:
    """The call waits, then is answered or fails; "*" counts calls of any operation."""
    faults = [
        {"op": "*", "nth": 3, "do": {"delay": 0.3}},
        {"op": "ListHostedZones", "nth": 1, "do": "throttle", "delay": 0.3},
    ]
    with account_with(faults=faults) as account:
        account.client.get_health_check_count()
        assert 0.3 <= took(account, throttled=True) < 1
        assert 0.3 <= took(account, throttled=False) < 1
        assert took(account, throttled=False) < 0.3


def test_a_rule_without_a_number_strikes_each_call() -> None:
    """Of its own operation only."""
    with account_with(faults=[{"op": "GetHostedZone", "do": "500"}]) as account:
        for _ in range(2):
            refused("InternalFailure", "", account.client.get_hosted_zone, Id=ZONE)
        account.client.list_hosted_zones()


def test_boto3_retries_prior_request_and_throttling(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client knows both as errors to try again."""
    monkeypatch.setattr(time, "sleep", lambda _: None)
    faults = [
        {"op": CHANGE, "nth": 1, "do": "prior_request"},
        {"op": CHANGE, "nth": 2, "do": "throttle"},
    ]
    with account_with(faults=faults) as account:
        account.client = client_of(account.emulator.url, attempts=4)
        account.change(create(simple("a.example.com")))
        outcomes = [(call["status"], call["error"]) for call in account.emulator.calls]
        assert outcomes == [(400, "PriorRequestNotComplete"), (400, "Throttling"), (200, None)]


@pytest.mark.parametrize(
    "rule",
    [{"op": "GetChange", "nth": 1, "do": "explode"}, {"nht": 1, "do": "500"}, {"do": {"wait": 1}}],
)
def test_unknown_faults_are_refused(rule: dict[str, Any]) -> None:
    """A mistyped fault is an error, not a fault that never strikes or always does."""
    with pytest.raises(ValueError, match="unknown fault"):
        ZoneEmulator(faults=[rule])
    with ZoneEmulator() as emulator, pytest.raises(UnknownFaultError):
        emulator.set_faults([rule])


def test_reset_restarts_the_fault_counters() -> None:
    """A fault's nth counts from the last reset."""
    with account_with(faults=[{"op": "GetHostedZone", "nth": 2, "do": "503"}]) as account:
        account.client.get_hosted_zone(Id=ZONE)
        raw(f"{account.emulator.url}/_emulator/reset", "")
        account.client.get_hosted_zone(Id=ZONE)
        refused("ServiceUnavailable", "", account.client.get_hosted_zone, Id=ZONE)
