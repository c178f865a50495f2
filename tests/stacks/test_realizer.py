"""A live zone stays with the realizer that made it."""

from __future__ import annotations

import pytest

from folds.native_plan import Realizer
from folds.zone import LiveZone
from stacks.errors import RealizerSwitched
from stacks.realizer import stay
from stacks.wanted import desired_of
from tests.folds.native_model import native_converged
from tests.support.steering import APEX, PREFIX, ZONE, converged, observed, settings

EMPTY = LiveZone(ZONE, APEX, (), ())
SEEN = observed()
NATIVE = native_converged(desired_of(settings(), SEEN.documents, SEEN.live), EMPTY)


@pytest.mark.parametrize(
    ("realizer", "live"),
    [("batch", EMPTY), ("native", EMPTY), ("batch", converged()), ("native", NATIVE)],
)
def test_its_own_zone(realizer: Realizer, live: LiveZone) -> None:
    """An empty zone is anybody's."""
    stay(settings(realizer=realizer), live)


@pytest.mark.parametrize(
    ("realizer", "other", "live"), [("batch", "native", NATIVE), ("native", "batch", converged())]
)
def test_the_other_ones_zone(realizer: Realizer, other: str, live: LiveZone) -> None:
    """It is refused, naming the other one and the way back."""
    with pytest.raises(RealizerSwitched) as error:
        stay(settings(realizer=realizer), live)
    said = str(error.value)
    assert said.startswith(
        f"steering: zone {ZONE} ({PREFIX}): 12 managed sets are kept by the realizer {other},"
        f" limit 0 for {realizer} (the first a.bab.{APEX} A {PREFIX}b0); "
    )
    assert f"set fairlead:realizer to {other} again" in said
