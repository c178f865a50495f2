"""``__main__.py``: configuration, clock and environment in, one line out where it ends early."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pulumi
import pytest

from control.errors import ListingFailed
from route53.errors import AccessRefused
from stacks import steering
from stacks.errors import AcknowledgementInvalid

MAIN = str(Path(__file__).parents[2] / "__main__.py")


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the program was run with; the error under ``error`` ends it."""
    seen: dict[str, Any] = {}

    def run(settings: object, **more: Any) -> None:
        seen.update(more, settings=settings)
        if "error" in seen:
            raise seen["error"]

    monkeypatch.setattr(steering, "run", run)
    monkeypatch.setenv("PULUMI_CONFIG", json.dumps({"fairlead:ttl": "30"}))
    monkeypatch.setenv("FAIRLEAD_ACKNOWLEDGE", "a word")
    return seen


def test_what_a_run_is_given(given: dict[str, Any]) -> None:
    """The configuration, the word and the clock are read here and nowhere else."""
    runpy.run_path(MAIN)
    assert given["settings"].ttl == 30
    assert given["acknowledge"] == "a word"
    assert given["now"].tzinfo is not None


@pytest.mark.parametrize(
    "error",
    [
        ListingFailed("apps/", "denied"),
        AccessRefused("zone Z1", "denied"),
        AcknowledgementInvalid("not of the form"),
    ],
)
def test_a_run_that_ends_early(given: dict[str, Any], error: Exception) -> None:
    """An error that was foreseen is one line to the CLI, without a traceback."""
    given["error"] = error
    with pytest.raises(pulumi.RunError) as ended:
        runpy.run_path(MAIN)
    assert str(ended.value) == str(error)


def test_settings_with_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    """So is a mistake in the configuration."""
    monkeypatch.setenv("PULUMI_CONFIG", json.dumps({"fairlead:ttl": "x"}))
    with pytest.raises(pulumi.RunError, match="settings: fairlead:ttl"):
        runpy.run_path(MAIN)


def test_an_error_that_nobody_foresaw(given: dict[str, Any]) -> None:
    """It flies, with its frames."""
    given["error"] = KeyError("unforeseen")
    with pytest.raises(KeyError):
        runpy.run_path(MAIN)


def test_the_size_of_the_program() -> None:
    """It chooses and calls; there is nothing in it to test."""
    assert len(Path(MAIN).read_text().splitlines()) <= 40
