"""Names as Route 53 spells them, and as they are shown here."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local.zone.names import canonical_name
from route53.names import decode, encode

CHARACTERS = st.sampled_from(string.ascii_lowercase + string.digits + "-_*@/ ~.\\")


@st.composite
def api_names(draw: st.DrawFn) -> str:
    """Names as the API returns them: any character but the plain ones escaped in octal."""
    labels = draw(st.lists(st.text(CHARACTERS, min_size=1, max_size=8), min_size=1, max_size=4))
    return "".join("".join(map(_spelled, label)) + "." for label in labels)


def _spelled(character: str) -> str:
    plain = character.isalnum() or character in "-_"
    return character if plain else f"\\{ord(character):03o}"


@given(api_names())
def test_name_of_the_api_there_and_back(name: str) -> None:
    """What is decoded encodes to the very same name."""
    assert encode(decode(name)) == name
    assert decode(encode(decode(name))) == decode(name)


@given(st.lists(api_names(), min_size=2, max_size=2, unique=True))
def test_two_names_of_the_api(names: list[str]) -> None:
    """Two names never look alike."""
    assert decode(names[0]) != decode(names[1])


@given(st.text(st.sampled_from(string.ascii_letters + "-_*@"), min_size=1, max_size=20))
def test_name_that_is_sent(name: str) -> None:
    """What is encoded is the form in which Route 53 returns it."""
    assert encode(name) == canonical_name(name)


@pytest.mark.parametrize(
    ("api", "shown"),
    [
        (r"\052.a.example.", "*.a.example"),
        (r"a\052b.example.", "a*b.example"),
        ("A.Example.", "a.example"),
        (r"a\056b.example.", r"a\056b.example"),
        (r"a\056.", r"a\056"),
        (r"\134052.example.", r"\134052.example"),
        (r"\100.example.", r"\100.example"),
        ("_acme-challenge.a.example", "_acme-challenge.a.example"),
    ],
)
def test_special_names(api: str, shown: str) -> None:
    """Only the star is shown as itself: a dot in a label and a backslash stay escapes."""
    assert decode(api) == shown


def test_character_that_no_escape_stands_for() -> None:
    """Three octal digits end at 377."""
    with pytest.raises(ValueError, match=r"'\\u20ac.example' has a character"):
        encode("€.example")
