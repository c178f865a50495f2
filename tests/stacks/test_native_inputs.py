"""What stops a native run besides the guards, for those who do not run it."""

from __future__ import annotations

from stacks.native_inputs import inputs_of, stops
from tests.support.native import EMPTY, native_live, natively


def test_inputs() -> None:
    """How many managed sets are live: a first run is refused where there is any."""
    assert inputs_of(natively(live=native_live())).existing == 12
    assert inputs_of(natively(live=EMPTY)).existing == 0


def test_a_zone_in_the_state() -> None:
    """Nothing stops it."""
    assert stops(natively(live=native_live()), known=True) == ()


def test_an_empty_zone_that_is_not_in_the_state() -> None:
    """It is a first run."""
    assert stops(natively(live=EMPTY), known=False) == ()


def test_a_live_zone_that_is_not_in_the_state() -> None:
    """What exists cannot be created."""
    (reason,) = stops(natively(live=native_live()), known=False)
    assert "has no such zone in its state, and 12 managed sets are live, limit 0" in reason
