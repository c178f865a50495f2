"""A provider as its process has it: an emulated account, and an engine that listens."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from providers.zone_records import ZoneRecordsProvider
from tests.support.engine_stub import EngineStub, engine_stub
from tests.support.zones import Account, emulated_account, environment


@pytest.fixture(scope="session")
def emulated() -> Iterator[Account]:
    with emulated_account() as account:
        yield account


@pytest.fixture
def account(emulated: Account, monkeypatch: pytest.MonkeyPatch) -> Account:
    """An account with one empty zone, which every client of this process finds."""
    emulated.clear()
    for name, value in environment(emulated.emulator.url).items():
        monkeypatch.setenv(name, value)
    return emulated


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[EngineStub]:
    """The engine that started this process."""
    with engine_stub() as stub:
        monkeypatch.setattr(sys, "argv", ["pulumi-resource-pulumi-python", stub.address])
        yield stub


@pytest.fixture
def provider() -> Iterator[ZoneRecordsProvider]:
    """A provider; the frames that it hides are given back afterwards."""
    yield ZoneRecordsProvider()
    vars(sys).pop("tracebacklimit", None)
