"""An account of its own for each test, and a clock that only the test moves."""

import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from tests.local.zone.support import Account, account_with

TIMED = ("throttle", "account", "operations.hosted_zones", "operations.record_sets")


@pytest.fixture
def account() -> Iterator[Account]:
    """An emulator with the default settings and one zone."""
    with account_with() as made:
        yield made


class Clock:
    """The emulator's time, in seconds."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def read(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock in the place of the emulator's own."""
    made = Clock()
    module = SimpleNamespace(**{**vars(time), "time": made.read, "monotonic": made.read})
    for name in TIMED:
        monkeypatch.setattr(f"local.zone.{name}.time", module)
    return made
