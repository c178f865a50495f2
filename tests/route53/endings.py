"""What strikes a run in the middle: each fault of a call, and an engine that ends."""

from __future__ import annotations

from collections.abc import Callable

FAULTS = ("throttle", "500", "503", "drop_before", "drop_after", "prior_request")


class EngineEnded(Exception):
    """What the hook before a write raises."""


def ended_after(writes: int) -> Callable[[], None]:
    """Return a hook before each write that lets so many through."""
    left = iter(range(writes))

    def alive() -> None:
        if next(left, None) is None:
            raise EngineEnded

    return alive
