from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from control.text import printable

_ANY_TEXT = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("bab.example.com", "bab.example.com"),
        ("a\nb\r\tc", r"a\nb\r\tc"),
        ("\x1b[31m\x7f\x00", r"\x1b[31m\x7f\x00"),
        ("h\xe9llo \u2028 \U0001f600", r"h\xe9llo \u2028 \U0001f600"),
        ("\ud800", r"\ud800"),
        (r"\n", r"\\n"),
        ("##[error]x ##vso[task]", r"#\x23[error]x #\x23vso[task]"),
        ("###", r"#\x23#"),
    ],
)
def test_text_of_somebody_else(text: str, shown: str) -> None:
    """All but printable ASCII is escaped, a backslash too, and two number signs never meet."""
    assert printable(text) == shown


@given(_ANY_TEXT)
def test_any_text_is_shown_in_printable_ascii(text: str) -> None:
    """Whatever the text, what is shown is one line of printable ASCII without a CI command."""
    shown = printable(text)

    assert re.fullmatch(r"[ -~]*", shown)
    assert "##" not in shown


@given(_ANY_TEXT)
def test_what_is_shown_says_which_text_it_was(text: str) -> None:
    """Escaping loses nothing, so two texts never look alike."""
    assert printable(text).encode("ascii").decode("unicode_escape") == text
