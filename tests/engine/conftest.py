"""The fixture of every test that runs the real CLI."""

from __future__ import annotations

import os

import pytest

from tests.engine.cli import EngineRunner
from tools.engine.locate import find


@pytest.fixture(scope="session")
def engine() -> EngineRunner:
    """The engine that `make setup` found or built."""
    found = find(os.environ)
    assert found is not None, "there is no engine: run `make setup`"
    environ = {key: value for key, value in os.environ.items() if not key.startswith("PULUMI_")}
    return EngineRunner(found, environ)
