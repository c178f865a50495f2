"""The values of record sets."""

import pytest

from tests.local.zone.support import Account, addresses, create, simple


@pytest.mark.parametrize(
    ("kind", "good", "bad", "problem"),
    [
        ("A", "192.0.2.1", "192.0.2.256", "ARRDATAIllegalIPv4Address"),
        ("A", "0.0.0.0", "2001:db8::1", "IllegalIPv4Address"),  # noqa: S104 - a value, no bind
        ("A", "10.1.2.3", "192.0.2", "IllegalIPv4Address"),
        ("A", "1.2.3.4", " 1.2.3.4", "IllegalIPv4Address"),
        ("A", "1.2.3.5", "host.example.org", "IllegalIPv4Address"),
        ("A", "1.2.3.6", "01.2.3.4", "IllegalIPv4Address"),
        ("AAAA", "2001:db8::1", "2001:db8::1::2", "AAAARRDATAIllegalIPv6Address"),
        ("AAAA", "::1", "192.0.2.1", "IllegalIPv6Address"),
        ("AAAA", "fe80::1", "fe80::1%eth0", "IllegalIPv6Address"),
        ("CNAME", "a.example.org", "a..example.org", "DomainLabelEmpty"),
        ("PTR", "a.org.", "", "DomainNameEmpty"),
        ("TXT", '"a" "b"', "a", "InvalidCharacterString"),
        ("TXT", '"' + "x" * 255 + '"', '"' + "x" * 256 + '"', "TooLong"),
        ("TXT", '"a\\"b"', '"a"b"', "InvalidCharacterString"),
        ("SPF", '"v=spf1"', "v=spf1", "InvalidCharacterString"),
    ],
)
def test_values_fit_their_type(
    account: Account, kind: str, good: str, bad: str, problem: str
) -> None:
    """Addresses, names and character strings are checked."""
    account.change(create(simple("a.example.com", good, kind=kind)))
    assert account.sets()[0]["ResourceRecords"] == [{"Value": good}]
    message = account.refused(
        "InvalidChangeBatch", problem, create(simple("b.example.com", bad, kind=kind))
    )
    assert message.startswith("[Invalid Resource Record: 'FATAL problem: ")


def test_every_bad_value_is_reported(account: Account) -> None:
    """One message for each bad value."""
    message = account.refused(
        "InvalidChangeBatch", "", create(simple("a.example.com", "x", "y", "1.2.3.4"))
    )
    assert message.count("IllegalIPv4Address") == 2


def test_duplicate_values_are_refused(account: Account) -> None:
    """A value stands once in a set."""
    message = account.refused(
        "InvalidChangeBatch", "", create(simple("a.example.com", "1.2.3.4", "1.2.3.4", "1.2.3.5"))
    )
    assert message == "[Duplicate Resource Record: '1.2.3.4']"
    account.change(create(simple("a.example.com", "1.2.3.4", "1.2.3.5")))


def test_400_values_a_set(account: Account) -> None:
    """400 values are the most."""
    account.change(create(simple("a.example.com", *addresses(400))))
    account.refused(
        "InvalidChangeBatch",
        "Cannot have more than 400 records",
        create(simple("b.example.com", *addresses(401))),
    )
