"""A native steering deployment as plain values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from folds.zone import LiveZone
from stacks.decision import Decision, decide
from stacks.settings import SteeringSettings
from stacks.wanted import desired_of
from tests.folds.native_model import native_converged
from tests.support.steering import APEX, ZONE, observed, settings

EMPTY = LiveZone(ZONE, APEX, (), ())


def native_settings(**changes: Any) -> SteeringSettings:
    """An armed native stack of the test zone."""
    return settings(**{"realizer": "native", **changes})


def native_live(boxes: int = 4, hosts: Iterable[str] = ("a", "b")) -> LiveZone:
    """The zone that a converged native stack leaves."""
    seen = observed(boxes, hosts)
    return native_converged(desired_of(native_settings(), seen.documents, seen.live), EMPTY)


def natively(
    boxes: int = 4, hosts: Iterable[str] = ("a", "b"), live: LiveZone | None = None, **changes: Any
) -> Decision:
    """What a native program decides that sees so many boxes and these hosts, and what is live."""
    return decide(native_settings(**changes), observed(boxes, hosts, live))
