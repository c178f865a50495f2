"""IP addresses, and the ranges that health checkers do not reach."""

import ipaddress

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

UNREACHABLE = [
    ipaddress.ip_network(net)
    for net in (  # RFC 5735, 6598, 5156
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "::/128",
        "::1/128",
        "::ffff:0:0/96",
        "2001::/32",
        "2001:10::/28",
        "2002::/16",
        "3ffe::/16",
        "5f00::/8",
        "fc00::/7",
        "fe80::/10",
        "ff00::/8",
    )
]
TEST_NETS = [
    ipaddress.ip_network(net)
    for net in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
]


def address_of(text: str) -> Address | None:
    """The address that a text spells, None where it spells none (scoped ones are none)."""
    try:
        return ipaddress.ip_address(text.replace("%", " "))
    except ValueError:
        return None


def reachable(address: Address, *, allow_test_nets: bool) -> bool:
    """Whether a health checker can reach the address."""
    blocked = UNREACHABLE if allow_test_nets else UNREACHABLE + TEST_NETS
    return not any(address in net for net in blocked)


def written_out(text: str) -> str:
    """An IPv6 address as the service returns it (2001:db8:0:0:0:0:0:4); others as they are."""
    if ":" not in text:
        return text
    groups = ipaddress.IPv6Address(text).exploded.split(":")
    return ":".join(f"{int(group, 16):x}" for group in groups)
