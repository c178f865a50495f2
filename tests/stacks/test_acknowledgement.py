"""The operator's word for one run: its form, and how long it holds."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from stacks.acknowledgement import Acknowledgement, offered, read
from stacks.errors import AcknowledgementInvalid

NOW = datetime(2026, 9, 7, 10, tzinfo=timezone.utc)
DIGEST = "0123456789ab"


def until(ahead: timedelta) -> str:
    return f"{DIGEST}.{NOW + ahead:%Y%m%dT%H%M%SZ}"


@pytest.mark.parametrize("value", ["", "  "])
def test_no_word(value: str) -> None:
    """Nothing set lets nothing through, and is nothing to warn of."""
    assert read(value, NOW) == Acknowledgement()


@pytest.mark.parametrize("ahead", [timedelta(seconds=1), timedelta(hours=24), timedelta(days=7)])
def test_a_word_that_holds(ahead: timedelta) -> None:
    """Until its expiry, which is at most 7 days ahead."""
    assert read(f" {until(ahead)}\n", NOW) == Acknowledgement(DIGEST)


@pytest.mark.parametrize("ahead", [timedelta(0), timedelta(days=-1)])
def test_a_word_that_has_expired(ahead: timedelta) -> None:
    """It counts for nothing, and the warning says since when."""
    word = read(until(ahead), NOW)
    assert word.digest == ""
    assert f"{DIGEST} expired at 2026090" in word.warning


def test_a_word_over_seven_days_ahead() -> None:
    """A word must not wait for a later accident."""
    word = read(until(timedelta(days=7, seconds=1)), NOW)
    assert word.digest == ""
    assert "limit 7 days ahead" in word.warning


@pytest.mark.parametrize(
    "value",
    [
        DIGEST,
        f"{DIGEST}.",
        f"{DIGEST}.20260908",
        f"{DIGEST}.20260908T100000",
        f"{DIGEST}.20261308T100000Z",
        f"{DIGEST.upper()}.20260908T100000Z",
        f"{DIGEST}0.20260908T100000Z",
        f"{DIGEST}.2026090\u0668T100000Z",
        "yes",
        "\x1b[31m",
    ],
)
def test_a_word_of_another_form(value: str) -> None:
    """It ends the run, in one line without the value, which may be anything."""
    with pytest.raises(AcknowledgementInvalid, match="is not <12 hex digits>") as error:
        read(value, NOW)
    assert value not in str(error.value)
    assert "\n" not in str(error.value)


def test_the_word_that_is_offered() -> None:
    """It is of the form that is read, for the next 24 hours, in UTC wherever the clock stands."""
    local = NOW.astimezone(timezone(timedelta(hours=2)))
    assert offered(DIGEST, local) == f"FAIRLEAD_ACKNOWLEDGE={DIGEST}.20260908T100000Z"
    assert read(offered(DIGEST, local).partition("=")[2], NOW).digest == DIGEST
