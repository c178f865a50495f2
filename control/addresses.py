"""Which addresses a Route 53 health check can reach.

Route 53 takes no health check "in local, private, non-routable or multicast ranges" and points to
RFC 5735, RFC 6598 and RFC 5156 for them (API reference, HealthCheckConfig, IPAddress). The list is
spelled out: what `ipaddress` calls global changes between Python versions.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import TypeAlias

IPAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


def _networks(*texts: str) -> tuple[_Network, ...]:
    return tuple(ipaddress.ip_network(text) for text in texts)


_UNREACHABLE = _networks(
    "0.0.0.0/8",  # this network, the unspecified address
    "10.0.0.0/8",  # private
    "100.64.0.0/10",  # shared by carriers
    "127.0.0.0/8",  # loopback
    "169.254.0.0/16",  # link-local
    "172.16.0.0/12",  # private
    "192.0.0.0/24",  # protocol assignments
    "192.88.99.0/24",  # 6to4 relays
    "192.168.0.0/16",  # private
    "198.18.0.0/15",  # benchmarks
    "224.0.0.0/4",  # multicast
    "240.0.0.0/4",  # reserved, broadcast
    "::/3",  # unspecified, loopback, IPv4-mapped, translated, discard-only
    "2001::/23",  # protocol assignments: Teredo, ORCHID, benchmarks
    "2002::/16",  # 6to4
    "3ffe::/16",  # the former 6bone
    "3fff::/20",  # documentation, RFC 9637
    "4000::/2",  # not assigned
    "8000::/1",  # not assigned, unique local, link-local, multicast
)
_DOCUMENTATION = _networks("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")


def parse_address(text: str) -> IPAddress | None:
    """Parse an IPv4 or IPv6 address without a scope id, or return None.

    `ipaddress` refuses leading zeros, blanks and short forms such as ``10.1``.
    """
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return None if "%" in text else address


def unreachable(address: IPAddress, *, allow_test_addresses: bool) -> str:
    """Return the range that keeps Route 53 from checking an address, or ``""`` for none.

    ``allow_test_addresses`` admits the four documentation nets, and nothing else.
    """
    refused = _UNREACHABLE if allow_test_addresses else _UNREACHABLE + _DOCUMENTATION
    return _net_of(address, refused)


def _net_of(address: IPAddress, networks: Iterable[_Network]) -> str:
    return next((str(network) for network in networks if address in network), "")
