"""``SidecarRoutes`` with a registry or an engine that does not play along."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from providers import sidecar_work
from providers.engine import Engine
from providers.errors import ApplyFailed, EngineGone, GuardRefused
from registry.errors import RegistryMissing
from registry.writes import apply
from tests.registry.samples import opened
from tests.support.engine_stub import EngineStub
from tests.support.sidecar_box import SidecarBox, host_of, sidecar_box


@pytest.fixture
def box(tmp_path: Path) -> Iterator[SidecarBox]:
    """A box with an empty registry whose bucket asks for two sidecars."""
    with sidecar_box(tmp_path, "ab") as made:
        yield made


@pytest.mark.behaviour(125)
def test_a_row_that_fails(box: SidecarBox) -> None:
    """The others are there; the next run, without the reason, makes the rest."""
    when = f"WHEN new.host = '{host_of('a')}' BEGIN SELECT RAISE(ABORT, 'one\nway'); END"
    box.sql(f"CREATE TRIGGER t BEFORE INSERT ON routes {when}")
    with pytest.raises(ApplyFailed) as failed:
        box.create()
    assert box.names() == "b"
    assert str(failed.value) == (
        "sidecars: done: 1 minted, 0 converged, 0 removed; not done:"
        f" {host_of('a')}: one\\nway; run it again: the next run observes and goes on"
    )
    box.sql("DROP TRIGGER t")
    box.create()
    assert box.names() == "a b"


def test_a_registry_that_is_locked_meanwhile(
    box: SidecarBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was committed stays, the rest is named; the next run makes it."""
    for number in range(118):
        box.record(f"n{number:03}")
    impatient = partial(apply, budget_seconds=0.05)
    monkeypatch.setattr(sidecar_work, "apply", impatient)
    with opened(box.registry) as platform, monkeypatch.context() as patch:
        begun: list[None] = []

        def lock_at_the_second(_engine: Engine) -> None:
            begun.append(None)
            if len(begun) == 2:
                platform.execute("BEGIN IMMEDIATE")

        patch.setattr(Engine, "require", lock_at_the_second)
        with pytest.raises(ApplyFailed) as failed:
            box.create()
    assert len(box.rows()) == 100
    said = str(failed.value)
    assert said.startswith("sidecars: done: 100 minted, 0 converged, 0 removed; not done: ")
    assert "limit 0.05 s" in said
    assert host_of("n098") in said
    assert said.count("the next run") == 1
    box.create()
    assert len(box.rows()) == 120


@pytest.mark.behaviour(114)
def test_a_registry_that_is_gone(box: SidecarBox) -> None:
    """The program and the provider each fail, in one line; nothing is created."""
    news = box.props()
    box.registry.unlink()
    with pytest.raises(RegistryMissing):
        box.decided()
    with pytest.raises(ApplyFailed, match="no such file"):
        box.create(news)
    assert not box.registry.exists()


def test_an_engine_that_is_gone(box: SidecarBox, engine: EngineStub) -> None:
    """Nothing is written for nobody."""
    news = box.props()
    engine.stop()
    with pytest.raises(EngineGone):
        box.create(news)
    assert box.names() == ""


def test_a_guard_that_refuses_the_fresh_plan(
    box: SidecarBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is written."""
    monkeypatch.setattr("providers.sidecar_work.refusals", lambda _: ("no", "never"))
    with pytest.raises(GuardRefused, match=r"^sidecars: no; never$"):
        box.create()
    assert box.names() == ""
