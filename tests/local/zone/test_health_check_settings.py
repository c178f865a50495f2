"""The settings that a health check can have."""

from typing import Any

import pytest

from tests.local.zone.support import Account, account_with, refused

GOOD: list[dict[str, Any]] = [
    {"Type": "HTTP"},
    {"Type": "HTTPS", "EnableSNI": False},
    {"Type": "HTTP_STR_MATCH", "SearchString": "ok"},
    {"Type": "HTTPS_STR_MATCH", "SearchString": "s" * 255},
    {"Type": "TCP", "Port": 65535},
    {"Port": 1},
    {"IPAddress": None, "FullyQualifiedDomainName": "a.example.com"},
    {"FullyQualifiedDomainName": "f" * 255},
    {"Type": "TCP", "Port": 22, "IPAddress": None, "FullyQualifiedDomainName": "a.example.com"},
    {"RequestInterval": 10},
    {"RequestInterval": 30},
    {"FailureThreshold": 1},
    {"FailureThreshold": 10},
    {"ResourcePath": "/"},
    {"ResourcePath": "/" + "p" * 254},
    {"Regions": ["us-east-1", "us-west-1", "eu-west-1"]},
    {"IPAddress": "8.8.8.8"},
    {"IPAddress": "198.51.100.7"},
    {"IPAddress": "203.0.113.9"},
    {"IPAddress": "172.32.0.1"},
    {"IPAddress": "172.15.255.255"},
    {"IPAddress": "100.128.0.1"},
    {"IPAddress": "2600::1"},
    {"IPAddress": "2001:db8::1"},
    {"MeasureLatency": True, "Inverted": True, "Disabled": True},
]
OUT_OF_REACH = [
    "10.0.0.1",
    "10.255.255.255",
    "127.0.0.1",
    "169.254.169.254",
    "192.168.1.1",
    "172.16.0.1",
    "172.31.255.255",
    "0.0.0.0",  # noqa: S104 - refused, not bound
    "100.64.0.1",
    "100.127.255.255",
    "192.0.0.1",
    "198.18.0.1",
    "198.19.255.255",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "192.88.99.1",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "fd12::1",
    "ff02::1",
    "::ffff:8.8.8.8",
    "2002::1",
]
BAD: list[tuple[dict[str, Any], str]] = [
    ({"Type": "PING"}, "enumeration"),
    ({"Type": None}, "Type"),
    ({"IPAddress": None}, "is required"),
    ({"IPAddress": "1.2.3"}, "not a valid IP"),
    ({"IPAddress": "fe80::1%eth0"}, "not a valid IP"),
    *(({"IPAddress": each}, "local, private, non-routable or multicast") for each in OUT_OF_REACH),
    ({"Port": 0}, "Port"),
    ({"Port": 65536}, "Port"),
    ({"FailureThreshold": 0}, "FailureThreshold"),
    ({"FailureThreshold": 11}, "FailureThreshold"),
    ({"RequestInterval": 20}, "RequestInterval"),
    ({"RequestInterval": 9}, "RequestInterval"),
    ({"RequestInterval": 31}, "RequestInterval"),
    ({"ResourcePath": "health"}, "ResourcePath"),
    ({"ResourcePath": "/" + "p" * 255}, "ResourcePath"),
    ({"FullyQualifiedDomainName": "f" * 256}, "FullyQualifiedDomainName"),
    ({"Type": "HTTP_STR_MATCH"}, "SearchString"),
    ({"SearchString": "ok"}, "SearchString"),
    ({"Type": "HTTP_STR_MATCH", "SearchString": "s" * 256}, "SearchString"),
    ({"Type": "TCP"}, "Port is required"),
    (
        {"Type": "TCP", "Port": 22, "ResourcePath": "/"},
        "TCP health checks must not have a resource path",
    ),
    (
        {"Type": "TCP", "Port": 22, "FullyQualifiedDomainName": "a.org"},
        "must not have a fully qualified domain name",
    ),
    ({"Regions": ["us-east-1", "us-west-1"]}, "Regions"),
    ({"Regions": ["us-east-1", "us-west-1", "eu-west-9"]}, "Region"),
    ({"Type": "CALCULATED", "IPAddress": None}, "not modelled"),
]


@pytest.mark.parametrize("config", GOOD)
def test_good_health_check_settings(account: Account, config: dict[str, Any]) -> None:
    """Settings within the documented ranges are stored as given."""
    stored = account.check(**config)["HealthCheckConfig"]
    assert all(stored.get(name) == value for name, value in config.items() if name != "IPAddress")


@pytest.mark.parametrize(("config", "text"), BAD)
def test_bad_health_check_settings(account: Account, config: dict[str, Any], text: str) -> None:
    """Each setting outside its range is InvalidInput, and makes no check."""
    refused("InvalidInput", text, account.check, **config)
    assert account.emulator.health_checks == {}
    assert account.check()["HealthCheckVersion"] == 1


def test_documentation_addresses_are_a_setting() -> None:
    """allow_test_nets=False refuses the documentation nets."""
    with account_with(allow_test_nets=False) as account:
        for address in ("192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1"):
            refused("InvalidInput", "non-routable", account.check, IPAddress=address)
        account.check(IPAddress="8.8.8.8")
