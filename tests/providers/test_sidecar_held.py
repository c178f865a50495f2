"""Rows that somebody holds, by the real provider, claims off; and holds in what a run reports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from folds.sidecar_changes import Hold
from providers.errors import ApplyFailed
from providers.sidecar_registry import operation_of
from providers.sidecar_report import Applied
from registry import operations
from registry.operations import Result
from tests.registry.samples import dump, insert, sidecar
from tests.support.sidecar_box import SidecarBox, host_of, sidecar_box

_HOLD = Hold(host_of("a"), "eleven", "bab", "op-41", "relocating ie-1 to uk-1, installing")


@pytest.fixture
def box(tmp_path: Path) -> Iterator[SidecarBox]:
    """A box with a held row that differs from its record, and one whose record is gone."""
    with sidecar_box(tmp_path, "ab") as made:
        insert(made.registry, [sidecar("a", hold="op-41", channel="old")])
        insert(made.registry, [sidecar("gone", hold="by hand")])
        yield made


def test_held_rows(box: SidecarBox) -> None:
    """They stay as they are, to the byte, and everything else is done."""
    held = [box.rows()[host_of(name)] for name in ("a", "gone")]
    box.create()
    assert box.names() == "a b gone"
    assert [box.rows()[host_of(name)] for name in ("a", "gone")] == held
    before = dump(box.registry)
    assert box.decided().plan.empty
    assert dump(box.registry) == before


def test_row_that_is_held_meanwhile(box: SidecarBox) -> None:
    """It is not converged, the rest is done, and the run fails; the next one leaves it alone."""
    box.create()
    box.record("b", channel="beta")
    box.record("new")
    news = box.props()
    box.sql("UPDATE routes SET hold = 'op-42' WHERE slug = 'b'")
    box.update(news)
    assert box.rows()[host_of("b")].channel == "edge"
    assert box.names() == "a b gone new"
    assert box.decided().plan.empty


def test_row_that_is_held_between_plan_and_write(
    box: SidecarBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The write itself looks: the row is named, and its run fails."""
    box.create()
    box.record("b", channel="beta")
    held = "UPDATE routes SET hold = 'op-42' WHERE slug = 'b'"
    monkeypatch.setattr("providers.engine.Engine.require", lambda _: box.sql(held))
    with pytest.raises(ApplyFailed, match=r"internal: the row is held by 'op-42'"):
        box.update()
    assert box.rows()[host_of("b")].channel == "edge"


def test_hold_as_the_registry_makes_it() -> None:
    """The row's own, for the operation."""
    assert operation_of(_HOLD) == operations.Hold(host_of("a"), "eleven", "bab", "op-41")


def test_hold_in_the_report() -> None:
    """It is told as what it is, and counted where there is one."""
    made = operation_of(_HOLD)
    done = Applied(((_HOLD, Result(made, "done")),), stopped="locked")
    refused = Applied(((_HOLD, Result(made, "refused", "the row is held by 'x'")),))

    assert done.lines == (
        f"sidecars: held {host_of('a')}: by op-41: relocating ie-1 to uk-1, installing",
    )
    assert "done: 0 minted, 0 converged, 0 removed, 1 held; not done: locked" in done.failure(())
    assert refused.lines == (f"sidecars: hold {host_of('a')} refused: the row is held by 'x'",)
