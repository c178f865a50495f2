from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from control.addresses import parse_address, unreachable

# As Route 53 documents them by RFC 5735, RFC 6598 and RFC 5156.
_REFUSED_BY_ROUTE53 = [
    *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
    *("172.16.0.0/12", "192.0.0.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"),
    *("224.0.0.0/4", "240.0.0.0/4", "::/128", "::1/128", "::ffff:0:0/96", "2001::/32"),
    *("2001:10::/28", "2002::/16", "3ffe::/16", "5f00::/8", "fc00::/7", "fe80::/10", "ff00::/8"),
    *("64:ff9b::/96", "100::/64", "2001:2::/48", "3fff::/20", "fec0::/10", "4000::/3"),
]
_DOCUMENTATION = ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32"]


@st.composite
def _inside(draw: st.DrawFn, networks: list[str]) -> str:
    network = ipaddress.ip_network(draw(st.sampled_from(networks)))
    return str(network[draw(st.integers(0, network.num_addresses - 1))])


@given(_inside(_REFUSED_BY_ROUTE53), st.booleans())
def test_address_that_route53_cannot_check(text: str, allow: bool) -> None:  # noqa: FBT001
    """Private, local, reserved and multicast ranges are refused under either setting."""
    address = parse_address(text)

    assert address is not None
    assert unreachable(address, allow_test_addresses=allow)


@given(_inside(_DOCUMENTATION))
def test_address_of_a_documentation_net(text: str) -> None:
    """Refused, by its net's name, unless the setting admits it."""
    address = parse_address(text)

    assert address is not None
    assert unreachable(address, allow_test_addresses=False) in _DOCUMENTATION
    assert unreachable(address, allow_test_addresses=True) == ""


@pytest.mark.parametrize(
    "text",
    [
        *("1.1.1.1", "9.255.255.255", "11.0.0.0", "99.81.104.219", "172.32.0.1", "223.255.255.255"),
        *("2001:200::1", "2600:1f18::1", "2a05:d018::1", "2003::1", "3ffd::1"),
    ],
)
def test_public_address(text: str) -> None:
    """An address next to, but outside, every refused range is admitted."""
    address = parse_address(text)

    assert address is not None
    assert unreachable(address, allow_test_addresses=False) == ""


@pytest.mark.parametrize(
    "text",
    [
        *("", " 1.1.1.1", "1.1.1.1 ", "1.1.1.1\n", "01.1.1.1", "1.1.1", "1.1.1.1.1", "256.1.1.1"),
        *("1.1.1.1/32", "2600::1%eth0", "2600:::1", "[2600::1]", "\u0661.1.1.1", "0x1.1.1.1", "h"),
    ],
)
def test_text_that_is_no_address(text: str) -> None:
    """Blanks, leading zeros, masks, scopes, brackets and other digits are no part of one."""
    assert parse_address(text) is None


def test_many_spellings_of_one_address() -> None:
    """IPv6 has one shortest form, in lower case."""
    spellings = ["2600:1F18:0000::0001", "2600:1f18:0:0:0:0:0:1", "2600:1f18::1"]

    assert {str(parse_address(text)) for text in spellings} == {"2600:1f18::1"}
