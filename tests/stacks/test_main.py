"""``__main__.py``: configuration, clock and environment in, one line out where it ends early."""

from __future__ import annotations

import json
import runpy
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pulumi
import pytest

from control.errors import ListingFailed
from registry.errors import RegistryMissing
from route53.errors import AccessRefused
from stacks import sidecars, snapshot, steering
from stacks.errors import AcknowledgementInvalid

MAIN = str(Path(__file__).parents[2] / "__main__.py")


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the program was run with; the error under ``error`` ends it."""
    seen: dict[str, Any] = {}

    def run(kind: object, settings: object, **more: Any) -> None:
        seen.update(more, settings=settings, kind=kind)
        if "error" in seen:
            raise seen["error"]

    for kind in (steering, sidecars, snapshot):
        monkeypatch.setattr(kind, "run", partial(run, kind))
    monkeypatch.setenv("PULUMI_CONFIG", json.dumps({"fairlead:ttl": "30"}))
    monkeypatch.setenv("FAIRLEAD_ACKNOWLEDGE", "a word")
    return seen


def test_what_a_run_is_given(given: dict[str, Any]) -> None:
    """The configuration, the word and the clock are read here and nowhere else."""
    runpy.run_path(MAIN)
    assert given["settings"].ttl == 30
    assert given["kind"] is steering
    assert given["acknowledge"] == "a word"
    assert given["now"].tzinfo is not None


@pytest.mark.behaviour(92)
@pytest.mark.parametrize("kind", [sidecars, snapshot])
def test_a_box(given: dict[str, Any], monkeypatch: pytest.MonkeyPatch, kind: ModuleType) -> None:
    """The kind of the stack says what is run; the system's clock says when."""
    name = kind.__name__.rpartition(".")[2]
    config = {"kind": name, "bucket": "b", "box": "a1", "registry": "/r"}
    config |= {"dataDir": "/d"} if kind is sidecars else {}
    own = {f"fairlead:{key}": value for key, value in config.items()}
    monkeypatch.setenv("PULUMI_CONFIG", json.dumps(own))
    before = datetime.now(timezone.utc)
    runpy.run_path(MAIN)
    assert before <= given["now"] <= datetime.now(timezone.utc)
    assert given["kind"] is kind
    assert (given["settings"].kind, given["acknowledge"]) == (name, "a word")


@pytest.mark.parametrize(("value", "strict"), [("1", True), ("", False), (None, False)])
def test_a_strict_preview(
    given: dict[str, Any], monkeypatch: pytest.MonkeyPatch, value: str | None, *, strict: bool
) -> None:
    """The variable asks for it."""
    config = {"kind": "sidecars", "bucket": "b", "box": "a1", "registry": "/r", "dataDir": "/d"}
    own = {f"fairlead:{key}": each for key, each in config.items()}
    monkeypatch.setenv("PULUMI_CONFIG", json.dumps(own))
    monkeypatch.delenv("FAIRLEAD_STRICT_PREVIEW", raising=False)
    if value is not None:
        monkeypatch.setenv("FAIRLEAD_STRICT_PREVIEW", value)
    runpy.run_path(MAIN)
    assert given["strict"] is strict


@pytest.mark.parametrize(
    "error",
    [
        ListingFailed("apps/", "denied"),
        AccessRefused("zone Z1", "denied"),
        RegistryMissing(Path("/registry.db")),
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
