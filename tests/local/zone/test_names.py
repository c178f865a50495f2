"""Names: the form in which they are returned, and those that are refused."""

import pytest

from local.zone import canonical_name, sort_key
from tests.local.zone.support import Account, account_with, create, delete, simple


@pytest.mark.parametrize(
    ("given", "returned"),
    [
        ("WWW.Example.com", "www.example.com."),
        ("www.example.com.", "www.example.com."),
        ("*.example.com", "\\052.example.com."),
        ("\\052.example.com", "\\052.example.com."),
        ("a*b.example.com", "a\\052b.example.com."),
        ("x.*.example.com", "x.\\052.example.com."),
        ("_acme-challenge.example.com", "_acme-challenge.example.com."),
        ("a\\100b.example.com", "a\\100b.example.com."),
        ("a@b.example.com", "a\\100b.example.com."),
        ("\\101bc.example.com", "abc.example.com."),
        ("a\\056b.example.com", "a\\056b.example.com."),
        ("a\\344b.example.com", "a\\344b.example.com."),
        ("AZ.example.com", "az.example.com."),
        ("!~.example.com", "\\041\\176.example.com."),
        ("a/b.example.com", "a\\057b.example.com."),
        ("xn--fiqs8s.example.com", "xn--fiqs8s.example.com."),
        ("l" * 63 + ".example.com", "l" * 63 + ".example.com."),
        (".".join(["l" * 60] * 4) + ".x.com", ".".join(["l" * 60] * 4) + ".x.com."),
    ],
)
def test_names_are_returned_in_canonical_form(given: str, returned: str) -> None:
    """Lower case, escaped, with the final dot; found under any spelling."""
    assert canonical_name(given) == returned
    assert canonical_name(returned) == returned
    if returned.endswith(".example.com."):
        with account_with() as account:
            account.change(create(simple(given)))
            assert [each["Name"] for each in account.sets()] == [returned]
            account.refused("InvalidChangeBatch", "already exists", create(simple(returned)))
            account.change(delete(simple(returned)))


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("a..example.com", "DomainLabelEmpty"),
        (".example.com", "DomainLabelEmpty"),
        ("", "DomainNameEmpty"),
        (".", "DomainLabelEmpty"),
        ("l" * 64 + ".example.com", "DomainLabelTooLong"),
        (".".join(["l" * 49] * 5) + ".example.com", "DomainNameTooLong"),
        ("a b.example.com", "UnsupportedCharacter"),
        ("ä.example.com", "UnsupportedCharacter"),
        ("a\\9.example.com", "UnsupportedCharacter"),
        ("a\\400.example.com", "UnsupportedCharacter"),
        ("\x7f.example.com", "UnsupportedCharacter"),
    ],
)
def test_bad_names_are_refused(account: Account, name: str, problem: str) -> None:
    """Empty or overlong labels and unsupported characters are FATAL problems."""
    account.refused("InvalidChangeBatch", problem, create(simple(name)))


def test_name_length_counts_the_dots(account: Account) -> None:
    """255 characters with all dots are the most."""
    stem = ".".join(["l" * 49] * 4)
    longest = f"{stem}.{'m' * (255 - len(stem) - len('..example.com.'))}.example.com"
    assert len(longest) + 1 == 255
    account.change(create(simple(longest)))
    account.refused(
        "InvalidChangeBatch", "DomainNameTooLong", create(simple(longest.replace(".m", ".mm")))
    )


def test_names_outside_the_zone_are_refused(account: Account) -> None:
    """A name lies in the zone by whole labels."""
    account.change(create(simple("example.com")), create(simple("a.b.c.example.com")))
    for outside in ("example.org", "notexample.com", "a\\056example.com", "com"):
        account.refused(
            "InvalidChangeBatch", "is not permitted in zone example.com.", create(simple(outside))
        )


def test_sort_key_reverses_labels_and_keeps_the_dot() -> None:
    """The final dot takes part in the comparison."""
    assert sort_key("www.example.com.") == "com.example.www."
    assert (
        sort_key("a-b.example.com.")
        < sort_key("a.example.com.")
        < sort_key("x.a.example.com.")
        < sort_key("ab.example.com.")
    )
