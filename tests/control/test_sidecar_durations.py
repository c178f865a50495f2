from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from control.sidecar_durations import DurationInvalid, whole_seconds


# What Go 1.26's time.ParseDuration makes of each, in whole seconds.
@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("5m", 300),
        ("1h", 3600),
        ("1h30m", 5400),
        ("1h0m0s", 3600),
        ("90s", 90),
        ("30m1h", 5400),
        ("0", 0),
        ("0s", 0),
        ("+0", 0),
        ("-0s", 0),
        ("+5s", 5),
        ("5.s", 5),
        ("0.1h", 360),
        ("0.3m", 18),
        ("00005m", 300),
        ("1000000us", 1),
        ("1000000\N{MICRO SIGN}s", 1),
        ("1000000\N{GREEK SMALL LETTER MU}s", 1),
        ("9223372036854775807ns", 9223372036),
        ("2562047h", 9223369200),
        ("0.00000000000000000000000000000000000000000000000000000000001s", 0),
    ],
)
def test_duration(text: str, seconds: int) -> None:
    """A duration means what it means to Go."""
    assert whole_seconds(text) == seconds


@pytest.mark.behaviour(89)
@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1.5s", 1), ("300ms", 0), (".5s", 0), ("1.999999999s", 1), ("1m59.9s", 119), ("999ms", 0)],
)
def test_fractions_of_a_second(text: str, seconds: int) -> None:
    """They are cut, not rounded."""
    assert whole_seconds(text) == seconds


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *((text, "is not a duration") for text in ("", "5", "s", ".s", "-", "+", "1e3s", "1 h")),
        *((text, "is not a duration") for text in ("1H", "5m ", " 5m", "1_0s", "\u0663s", "1m1")),
        *((text, "is not a duration") for text in ("--5s", "+-5s", "5m;", "1d", "5m\n", "PT5M")),
        *((text, "is negative") for text in ("-5m", "-1ns")),
        *((text, "is over 292 years") for text in ("9223372036854775808ns", "2562048h")),
        ("5" * 64 + "h", "is 65 characters long, limit 64"),
    ],
)
def test_no_duration(text: str, reason: str) -> None:
    """What Go refuses is refused, and what is negative or beyond it as well."""
    with pytest.raises(DurationInvalid, match=f"^{reason}"):
        whole_seconds(text)


@given(st.integers(0, 2**33), st.integers(0, 59), st.integers(0, 59), st.integers(0, 999))
def test_parts_add_up(hours: int, minutes: int, seconds: int, millis: int) -> None:
    """Every unit counts, in one text or apart."""
    total = hours % 2_000_000 * 3600 + minutes * 60 + seconds
    text = f"{hours % 2_000_000}h{minutes}m{seconds}s{millis}ms"

    assert whole_seconds(text) == total
    assert whole_seconds(f"{total}.{millis:03}s") == total
