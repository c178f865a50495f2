"""``SidecarRoutes`` and the rows that it removes, each decided again from fresh reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from control.errors import StoreUnavailable
from policy.guards.sidecars import sidecar_digest
from providers.errors import ApplyFailed
from tests.registry.samples import insert, run, sidecar
from tests.support.engine_stub import EngineStub
from tests.support.sidecar_box import SidecarBox, host_of, sidecar_box


@pytest.fixture
def box(tmp_path: Path) -> Iterator[SidecarBox]:
    """A box with an empty registry whose bucket asks for two sidecars."""
    with sidecar_box(tmp_path, "ab") as made:
        yield made


@pytest.fixture
def full(box: SidecarBox) -> SidecarBox:
    """A converged box of five rows, and one that is not in its scope."""
    for name in "cde":
        box.record(name)
    box.create()
    insert(box.registry, [sidecar("far", region="uk")])
    return box


@pytest.mark.behaviour(127)
@pytest.mark.behaviour(128)
@pytest.mark.behaviour(129)
@pytest.mark.behaviour(133)
def test_records_that_are_gone(full: SidecarBox, engine: EngineStub) -> None:
    """Their rows go, and no others; each is told of."""
    insert(full.registry, [sidecar("hand", provisioned=0), sidecar("unit", kind="unit")])
    full.forget("a", "b")
    full.update()
    assert full.names() == "c d e far hand unit"
    assert engine.said[0].splitlines() == [
        f"sidecars: removed {host_of(name)}: its record"
        f" apps/bab/eleven/sidecars/{name}.json is gone"
        for name in "ab"
    ]


def test_a_record_that_is_back(full: SidecarBox) -> None:
    """Its row stays; what else was planned is done, and the run fails and names it."""
    full.forget("a", "b")
    full.record("new")
    news = full.props()
    full.record("a")
    with pytest.raises(ApplyFailed) as failed:
        full.update(news)
    assert full.names() == "a c d e far new"
    assert str(failed.value) == (
        "sidecars: done: 1 minted, 0 converged, 1 removed; not done:"
        f" {host_of('a')}: its record asks for this box again;"
        " run it again: the next run observes and goes on"
    )


@pytest.mark.behaviour(130)
def test_a_record_that_breaks_meanwhile(full: SidecarBox) -> None:
    """A record that cannot be used keeps its row."""
    full.forget("a")
    news = full.props()
    full.objects["apps/bab/eleven/sidecars/a.json"] = b"null"
    with pytest.raises(ApplyFailed, match=f"{host_of('a')}: its record cannot be used"):
        full.update(news)
    assert full.names() == "a b c d e far"


def test_a_row_that_nobody_saw(full: SidecarBox, engine: EngineStub) -> None:
    """A removal that this run's plan did not hold is refused."""
    full.forget("a")
    news = full.props()
    insert(full.registry, [sidecar("later")])
    with pytest.raises(ApplyFailed, match=f"{host_of('later')}: the rows changed while"):
        full.update(news)
    assert full.names() == "b c d e far later"
    assert f"sidecars: {host_of('later')} is not removed: the rows changed" in engine.said[0]


@pytest.mark.behaviour(131)
def test_a_bucket_that_cannot_be_read_whole(full: SidecarBox) -> None:
    """No row goes, new ones come, and the run fails with what could not be read."""
    full.forget("a")
    full.record("new")
    full.unlisted.add("apps/jam/")
    full.objects["apps/jam/x/sidecars.json"] = b"{}"
    with pytest.raises(ApplyFailed, match="not read whole: list apps/jam/: access denied"):
        full.update()
    assert full.names() == "a b c d e far new"


def test_most_rows(full: SidecarBox) -> None:
    """Held back, with the digest that lets them through; the rest is done."""
    full.forget("a", "b", "c", "d")
    full.record("new")
    decision = full.decided()
    with pytest.raises(ApplyFailed, match="removes 4 of 5 owned rows") as failed:
        full.update()
    assert full.names() == "a b c d e far new"
    assert f"acknowledge digest {decision.plan.digest}" in str(failed.value)
    assert "run it again" not in str(failed.value)
    full.update(full.props(decision.plan.digest))
    assert full.names() == "e far new"


def test_most_rows_in_a_fresh_read(full: SidecarBox) -> None:
    """What the fuse lets through is judged again for the rows as they are now."""
    full.forget("a", "b")
    news = full.props()
    run(full.registry, "DELETE FROM routes WHERE slug IN ('d', 'e')")
    with pytest.raises(ApplyFailed, match="held back"):
        full.update(news)
    assert full.names() == "a b c d e far"


def test_an_app_that_moves_away(full: SidecarBox) -> None:
    """A manifest flipped to no-inbound evacuates every row on an inbound box, however many."""
    full.manifest(placement="no-inbound")
    full.update()
    assert full.names() == "far"


@pytest.mark.behaviour(113)
def test_an_app_in_the_trash(full: SidecarBox) -> None:
    """Its rows stay, unless the stack retires them itself."""
    full.objects["control/trash/bab/eleven.json"] = b"{}"
    assert full.decided().plan.empty
    full.changes["drop_trashed"] = True
    full.update()
    assert full.names() == "far"


@pytest.mark.behaviour(133)
def test_a_removal_that_fails(full: SidecarBox) -> None:
    """The next row follows, and the run fails."""
    when = f"WHEN old.host = '{host_of('a')}' BEGIN SELECT RAISE(ABORT, 'pinned'); END"
    full.sql(f"CREATE TRIGGER t BEFORE DELETE ON routes {when}")
    full.forget("a", "b")
    with pytest.raises(ApplyFailed, match=rf"1 removed; not done: {host_of('a')}: pinned"):
        full.update()
    assert full.names() == "a c d e far"


def test_a_digest_that_answers_another_end(box: SidecarBox) -> None:
    """It lets nothing through."""
    box.create()
    box.forget("a", "b")
    digest = sidecar_digest(box.decided().plan.summary)
    with pytest.raises(ApplyFailed, match="held back"):
        box.update(box.props(digest[::-1]))
    assert box.names() == "a b"


@pytest.mark.behaviour(137)
def test_a_record_that_cannot_be_read_again(full: SidecarBox) -> None:
    """Its row stays, the others go, and the run fails."""
    full.forget("a", "b")
    news = full.props()
    key = "apps/bab/eleven/sidecars/a.json"
    full.failing[key] = StoreUnavailable(key, "timed out")
    with pytest.raises(ApplyFailed, match="its record could not be read once more: timed out"):
        full.update(news)
    assert full.names() == "a c d e far"


def test_registry_that_was_set_back(full: SidecarBox, tmp_path: Path) -> None:
    """A restore brings rows that are gone, lacks newer ones, has old columns: one run mends it.

    The records decide, as ever: each removal by a read of its own, and never most of them at once.
    """
    old = tmp_path / "old.db"
    run(full.registry, f"VACUUM INTO '{old}'")
    full.forget("a")
    full.record("b", channel="beta")
    full.record("new")
    full.update()
    after = full.rows()
    old.replace(full.registry)
    full.update()
    assert full.rows() == after
    assert full.decided().plan.empty
