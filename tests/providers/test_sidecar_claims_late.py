"""``SidecarRoutes`` with claims on, and the world moves between its plan and its writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from control.errors import ReadFailed
from providers import claimed_box
from providers.claim_files import HostFiles
from providers.claim_guard import FileGuard
from providers.claim_rows import write_under
from providers.engine import Engine
from providers.errors import ApplyFailed, EngineGone
from tests.providers.test_sidecar_claims import ON
from tests.registry.samples import dump, locked
from tests.support.claims_platform import INCARNATION, fence
from tests.support.sidecar_box import SidecarBox, host_of, key_of, sidecar_box


@pytest.fixture
def box(tmp_path: Path) -> Iterator[SidecarBox]:
    """A box with claims on that has the row of a sidecar, and is to have another's."""
    with sidecar_box(tmp_path) as made:
        made.changes |= ON
        made.claimed("a")
        made.create()
        made.claimed("new")
        yield made


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the provider says in the CLI."""
    lines: list[str] = []
    monkeypatch.setattr(Engine, "say", lambda _, text: lines.extend(text.splitlines()))
    return lines


@pytest.fixture
def at_question(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, Callable[[], None]], None]:
    """Do something when the provider asks for its engine, at the n-th time: hosts in turn.

    The first is before a host is begun, the second right before its row is written, the third
    before that is committed.
    """
    monkeypatch.setattr("providers.sidecar_claimed.AT_ONCE", 1)

    def arrange(number: int, act: Callable[[], None]) -> None:
        asked: list[None] = []

        def require(_: Engine) -> None:
            asked.append(None)
            if len(asked) == number:
                act()

        monkeypatch.setattr(Engine, "require", require)

    return arrange


@pytest.mark.parametrize("number", [1, 2])
def test_claim_that_moves_before_a_mint(
    box: SidecarBox,
    said: list[str],
    at_question: Callable[[int, Callable[[], None]], None],
    number: int,
) -> None:
    """Nothing is written, it is said why, and that is no failure: another box serves it."""
    serve = partial(box.platform.serve, host_of("new"), "uk-1", key=key_of("new").record, stamp=8)
    at_question(number, serve)
    box.update()
    assert box.names() == "a"
    [line] = said
    assert line.startswith(f"sidecars: {host_of('new')} is not minted: serving on uk-1")


def test_claim_that_moves_before_a_removal(
    box: SidecarBox, at_question: Callable[[int, Callable[[], None]], None]
) -> None:
    """The row stays, for the platform to park."""
    box.forget("a", "new")
    serve = partial(box.platform.serve, host_of("a"), "uk-1", key=key_of("a").record, stamp=8)
    at_question(2, serve)
    box.update()
    assert box.names() == "a"


def test_host_that_begins_to_move_before_a_converge(
    box: SidecarBox,
    said: list[str],
    at_question: Callable[[int, Callable[[], None]], None],
) -> None:
    """Its row is held as the claim says meanwhile, and nothing else of it is written."""
    box.update()
    row = box.rows()[host_of("a")]
    box.record("a", incarnation=INCARNATION, channel="beta")

    def move() -> None:
        box.platform.release(host_of("a"), "uk-1")
        box.platform.install(host_of("a"))

    at_question(1, move)
    box.update()
    assert box.rows()[host_of("a")] == row._replace(hold="op-41")
    assert any("is not converged: its row is held instead" in line for line in said)


def test_relocation_that_is_given_up_before_a_hold(
    box: SidecarBox, at_question: Callable[[int, Callable[[], None]], None]
) -> None:
    """The row is not held for what is over."""
    box.update()
    box.platform.release(host_of("a"), "uk-1")
    fence(box.folder, host_of("a"))
    at_question(1, partial(box.platform.abort, host_of("a")))
    before = dump(box.registry)
    box.update()
    assert dump(box.registry) == before


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6])
def test_engine_that_goes(
    box: SidecarBox, at_question: Callable[[int, Callable[[], None]], None], number: int
) -> None:
    """Nothing more is written for nobody; the next run makes the rest."""
    box.record("a", incarnation=INCARNATION, channel="beta")

    def gone() -> None:
        raise EngineGone("the engine has ended")

    at_question(number, gone)
    with pytest.raises(EngineGone):
        box.update()
    assert (box.rows()[host_of("a")].channel == "beta", "new" in box.names()) == (
        number > 3,
        False,
    )
    at_question(0, gone)
    box.update()
    assert (box.rows()[host_of("a")].channel, box.names()) == ("beta", "a new")


def test_registry_that_is_locked(box: SidecarBox, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends the whole run: what was not begun is named, and nothing is half-written."""
    monkeypatch.setattr("providers.sidecar_claimed.AT_ONCE", 1)
    impatient = partial(write_under, budget_seconds=0.05)
    monkeypatch.setattr("providers.sidecar_claimed.write_under", impatient)
    box.claimed("newer")
    news = box.props()
    with locked(box.registry), pytest.raises(ApplyFailed) as failed:
        box.update(news)
    assert "still locked after" in str(failed.value)
    assert f"not made: {host_of('new')}, {host_of('newer')}" in str(failed.value)
    assert box.names() == "a"
    box.update()
    assert box.names() == "a new newer"


def test_row_that_the_registry_refuses(box: SidecarBox) -> None:
    """It fails alone."""
    box.claimed("newer")
    when = "WHEN new.slug = 'new' BEGIN SELECT RAISE(ABORT, 'not this one'); END"
    box.sql(f"CREATE TRIGGER t BEFORE INSERT ON routes {when}")
    with pytest.raises(ApplyFailed, match=f"{host_of('new')}: not this one"):
        box.update()
    assert box.names() == "a newer"


def test_host_that_somebody_works_on(box: SidecarBox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its lock is not had in time: it is named, the others go on, and the run fails."""
    box.claimed("newer")
    monkeypatch.setattr(claimed_box, "FileGuard", partial(FileGuard, limit_seconds=0.05))
    guard = FileGuard(HostFiles(box.folder))
    with (
        guard.locked(host_of("new")),
        pytest.raises(ApplyFailed, match=f"{host_of('new')}: another run works on it"),
    ):
        box.update()
    assert box.names() == "a newer"


def test_activation_that_is_damaged(box: SidecarBox) -> None:
    """It is never "none": nothing of its host is done, the others go on, and the run fails."""
    box.update()
    box.record("a", incarnation=INCARNATION, channel="beta")
    box.record("new", incarnation=INCARNATION, channel="beta")
    (box.folder / "claims" / host_of("a") / "activation.json").write_bytes(b"{")
    with pytest.raises(ApplyFailed, match=f"{host_of('a')}: .*activation.json is not JSON"):
        box.update()
    assert [row.channel for row in box.rows().values()] == ["edge", "beta"]


@pytest.mark.parametrize("stamp", [7, 8])
def test_record_that_comes_back_before_its_row_is_removed(
    box: SidecarBox, at_question: Callable[[int, Callable[[], None]], None], stamp: int
) -> None:
    """The row stays, and the claim's stamp is not spent on a retirement: the next run converges."""

    def back() -> None:
        box.record("a", incarnation=INCARNATION, channel="beta")
        box.platform.serve(host_of("a"), "a1", key=key_of("a").record, stamp=stamp)

    box.forget("a", "new")
    at_question(1, back)
    with pytest.raises(ApplyFailed, match="its record asks for this box again"):
        box.update()
    assert box.names() == "a"
    box.update()
    assert box.rows()[host_of("a")].channel == "beta"


def test_record_that_cannot_be_read_before_its_row_is_removed(
    box: SidecarBox, at_question: Callable[[int, Callable[[], None]], None]
) -> None:
    """That is no word of its being gone: the row stays, and the run fails."""
    key = key_of("a").record
    box.forget("a", "new")
    at_question(1, partial(box.failing.__setitem__, key, ReadFailed(key, "503 Slow Down")))
    with pytest.raises(ApplyFailed, match="could not be read once more"):
        box.update()
    assert box.names() == "a"
