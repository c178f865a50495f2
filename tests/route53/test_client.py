"""What is tried again, and what is never sent twice."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from route53.client import Calls, make_client
from route53.errors import AccessRefused, LostAnswer, NotSent, Rejected, Throttled, Unavailable
from tests.support.zones import APEX, ZONE, Account, environment

CREATE = "create_health_check"
CONFIG = {"Type": "TCP", "IPAddress": "192.0.2.1", "Port": 443}


def write(calls: Calls, reference: str = "r") -> dict[str, Any]:
    return calls.write(CREATE, "a check", CallerReference=reference, HealthCheckConfig=CONFIG)


def read(calls: Calls) -> dict[str, Any]:
    return calls.read("get_hosted_zone", "the zone", Id=ZONE)


@pytest.mark.parametrize("do", ["throttle", "prior_request", "500", "503", "drop_before"])
def test_read_that_fails_once(account: Account, do: str) -> None:
    """It is made again, and answered."""
    account.fault("GetHostedZone", do)
    assert read(account.calls())["HostedZone"]["Name"] == f"{APEX}."
    assert account.made()["GetHostedZone"] == 2


@pytest.mark.parametrize("do", ["throttle", "prior_request"])
def test_write_that_was_surely_not_applied(account: Account, do: str) -> None:
    """It is made again."""
    account.fault("CreateHealthCheck", do)
    write(account.calls())
    assert account.made()["CreateHealthCheck"] == 2


@pytest.mark.parametrize("do", ["500", "503", "drop_before", "drop_after"])
def test_write_whose_answer_is_lost(account: Account, do: str) -> None:
    """It is never sent a second time, not by the SDK either."""
    account.fault("CreateHealthCheck", do)
    with pytest.raises(LostAnswer, match="it may be applied or not: run it again"):
        write(account.calls())
    assert account.made()["CreateHealthCheck"] == 1


@pytest.mark.parametrize("do", ["expired", "denied"])
def test_credentials_that_do_not_do(account: Account, do: str) -> None:
    """Trying again would not help."""
    account.fault("GetHostedZone", do)
    with pytest.raises(AccessRefused, match="renew the credentials or allow the action"):
        read(account.calls())
    assert account.made()["GetHostedZone"] == 1


@pytest.mark.parametrize(("do", "kind"), [("throttle", Throttled), ("500", Unavailable)])
def test_trouble_that_lasts(account: Account, do: str, kind: type[Unavailable]) -> None:
    """The budget bounds the waits of one call, each at most 20 seconds."""
    waits: list[float] = []
    account.emulator.set_faults([{"op": "GetHostedZone", "do": do}])
    with pytest.raises(kind, match="run it again later"):
        read(account.calls(budget=100.0, sleep=waits.append))
    assert 60.0 < sum(waits) <= 100.0
    assert max(waits) <= 20.0
    assert len(set(waits)) == len(waits), "waits without jitter"


def test_hook_before_each_try_of_a_write(account: Account) -> None:
    """Reads do not ask; a write asks as often as it is sent."""
    asked: list[str] = []
    account.emulator.set_faults([{"op": "CreateHealthCheck", "nth": 1, "do": "throttle"}])
    calls = account.calls(before_write=lambda: asked.append("now"))
    read(calls)
    assert asked == []
    write(calls)
    assert asked == ["now", "now"]


def test_hook_that_raises(account: Account) -> None:
    """Its error passes as it is, and nothing is sent."""

    def gone() -> None:
        raise RuntimeError("the engine has ended")

    with pytest.raises(RuntimeError, match="the engine has ended"):
        write(account.calls(before_write=gone))
    assert account.writes() == []


def test_nobody_who_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    """A write without a connection was not sent: it is tried again until the budget is spent."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        for name, value in environment(f"http://127.0.0.1:{held.getsockname()[1]}").items():
            monkeypatch.setenv(name, value)
        waits: list[float] = []
        calls = Calls(make_client(), budget=5.0, sleep=waits.append)
        with pytest.raises(NotSent, match="a check: Could not connect to the endpoint URL"):
            write(calls)
    assert waits


@pytest.mark.parametrize(("given", "used"), [("", "us-east-1"), ("eu-west-1", "eu-west-1")])
def test_region_of_the_client(monkeypatch: pytest.MonkeyPatch, given: str, used: str) -> None:
    """Route 53 has none; where the environment names none either, the client still builds."""
    for name, value in environment("http://127.0.0.1:1").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_DEFAULT_REGION", given)
    client = make_client()
    config: Any = client.meta.config
    assert config.retries["total_max_attempts"] == 1
    assert client.meta.endpoint_url == "http://127.0.0.1:1"
    assert client.meta.region_name == used


def test_endpoint_for_all_services(monkeypatch: pytest.MonkeyPatch) -> None:
    """``AWS_ENDPOINT_URL`` holds where there is none for Route 53."""
    for name, value in environment("").items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_ENDPOINT_URL_ROUTE_53")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:2")
    assert make_client().meta.endpoint_url == "http://127.0.0.1:2"


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [("AWS_PROFILE", "nope", AccessRefused), ("AWS_ENDPOINT_URL_ROUTE_53", "nope", Rejected)],
)
def test_configuration_that_is_wrong(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, kind: type[Exception]
) -> None:
    """One line that begins with what could not be made."""
    for each, given in {**environment("http://127.0.0.1:1"), name: value}.items():
        monkeypatch.setenv(each, given)
    with pytest.raises(kind, match=r"the AWS client: .*nope"):
        make_client()
