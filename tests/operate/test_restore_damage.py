"""Restoring from a snapshot that is damaged, stale, a stranger's, or changing meanwhile."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from operate import restore as module
from operate.errors import (
    NothingVerifies,
    OperateError,
    TargetTaken,
)
from operate.restore import Order, restore
from registry.verify import verify_file
from tests.operate.restoring import hosts_of, order, successor
from tests.registry.samples import opened, registry_of, sidecar
from tests.support.fake_store import Call, Crashed, Fault
from tests.support.snapshots import (
    CURRENT,
    FIRST,
    META,
    PREFIX,
    SECOND,
    START,
    Machine,
    machine,
    old_program,
)


def _flip(body: bytes) -> bytes:
    return body.replace(b"b.eleven", b"x.eleven")


def _other_database(_: bytes) -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE songs (name)")
    return connection.serialize() if hasattr(connection, "serialize") else b"SQLite format 3\0"


_DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "a flipped byte": _flip,
    "a page short": lambda body: body[:-4096],
    "no byte": lambda _: b"",
    "an error page": lambda _: b"<html>503</html>",
    "compressed": gzip.compress,
    "another database": _other_database,
}


@pytest.mark.parametrize("how", _DAMAGE)
@pytest.mark.parametrize("metadata", [True, False])
def test_damaged_current(
    dead: Machine, target: Path, capsys: pytest.CaptureFixture[str], how: str, *, metadata: bool
) -> None:
    """The generation of the same content takes its place, and that is said."""
    body, told = dead.store.objects[CURRENT]
    dead.store.place(CURRENT, _DAMAGE[how](body), told if metadata else {})
    restore(dead.store, order(target))
    lines = capsys.readouterr().out.splitlines()

    assert hosts_of(target) == ["a", "b"]
    assert lines[0].startswith(f"passed over: {CURRENT}: ")
    assert f"from {SECOND}," in lines[-2]


@pytest.mark.parametrize("how", _DAMAGE)
def test_damaged_snapshot_of_another_program(dead: Machine, target: Path, how: str) -> None:
    """Without a SHA-256 the size, SQLite's check and the columns decide; a flip passes these."""
    body = old_program(dead)
    dead.store.place(CURRENT, _DAMAGE[how](body))
    restore(dead.store, order(target))

    whole = verify_file(target).fingerprint == dead.fingerprint
    assert whole == (how != "a flipped byte")


def test_successor_of_a_damaged_snapshot(dead: Machine, target: Path) -> None:
    """The fall back is meant: its next pass replaces what was damaged."""
    for key in (CURRENT, SECOND):
        dead.store.place(key, b"<html>", dead.store.objects[key][1])
    restore(dead.store, order(target))
    box = successor(dead, target)

    assert hosts_of(target) == ["a"]
    assert box.pass_().parent == dead.meta.parent != ""
    assert box.decided().plan.empty


def test_successor_of_another_programs_snapshot(folder: Path, target: Path) -> None:
    """It may change its hosts at once: it is known to descend from what it replaces."""
    dead = machine(folder, "a", "b")
    old_program(dead)
    restore(dead.store, order(target))
    box = successor(dead, target)
    box.mint("c")

    assert box.pass_().lineage == "new-line"


def test_successor_of_another_programs_damaged_snapshot(dead: Machine, target: Path) -> None:
    """The same holds where all that is known of current is its bytes."""
    old_program(dead)
    dead.store.place(CURRENT, b"<html>")
    restore(dead.store, order(target))
    box = successor(dead, target)
    box.mint("c")

    assert box.pass_().routes == 3


def test_clock_that_was_ahead(dead: Machine, target: Path) -> None:
    """A generation of the future is not the newest where another one has current's content."""
    dead.now += timedelta(days=3650)
    dead.mint("future")
    dead.pass_()
    dead.now = START + timedelta(hours=1)
    dead.sql("DELETE FROM routes WHERE slug = 'future'", "DELETE FROM routes WHERE slug = 'a'")
    dead.pass_()
    dead.store.place(CURRENT, b"")
    restore(dead.store, order(target))

    assert hosts_of(target) == ["b"]


@pytest.mark.parametrize("document", [b"", b"<html>", None])
def test_document_that_is_none(
    dead: Machine, target: Path, capsys: pytest.CaptureFixture[str], document: bytes | None
) -> None:
    """Broken or gone, current says for itself what it is; what was missing is said."""
    dead.store.objects.pop(META)
    if document is not None:
        dead.store.place(META, document)
    restore(dead.store, order(target))

    assert hosts_of(target) == ["a", "b"]
    assert f"passed over: {META}: " in capsys.readouterr().out


@pytest.mark.parametrize("back", [timedelta(0), timedelta(minutes=1)])
def test_document_that_is_older_than_current(dead: Machine, target: Path, back: timedelta) -> None:
    """A pass ended between the two: current, the newer, is what is restored.

    Also where a clock that went back had it keep an older generation under its stamp.
    """
    dead.mint("c")
    dead.now -= back
    dead.store.faults = {Call("put", META): Fault("crash")}.get
    with pytest.raises(Crashed):
        dead.pass_()
    dead.store.faults = lambda _: None
    restore(dead.store, order(target))

    assert hosts_of(target) == ["a", "b", "c"]
    box = successor(dead, target)
    box.mint("d")
    assert box.pass_().routes == 4


def test_current_of_a_stranger(dead: Machine, target: Path) -> None:
    """What neither the document nor its own metadata vouches for is passed over."""
    stranger = registry_of(target.parent / "stranger.db", sidecar("x"))
    with opened(stranger) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    dead.store.place(CURRENT, stranger.read_bytes())
    restore(dead.store, order(target))

    assert hosts_of(target) == ["a", "b"]


def test_generation_of_another_box(dead: Machine, target: Path) -> None:
    """One that says it is of another box is passed over."""
    for key in (CURRENT, META):
        dead.store.objects.pop(key)
    body, told = dead.store.objects[SECOND]
    dead.store.place(SECOND, body, {**told, "box": "b2"})
    restore(dead.store, order(target))

    assert hosts_of(target) == ["a"]


def test_nothing_whole(dead: Machine, target: Path) -> None:
    """It is an error of its own, which says what is wrong with each: never a fresh start."""
    for key in (CURRENT, FIRST, SECOND):
        dead.store.place(key, b"")
    with pytest.raises(NothingVerifies, match=f"{CURRENT}: .*{SECOND}: .*{FIRST}: "):
        restore(dead.store, order(target))

    assert not target.exists()


def test_generation_deleted_while_it_is_fetched(dead: Machine, target: Path) -> None:
    """What is left is listed again, and the next one is taken."""
    for key in (CURRENT, META):
        dead.store.objects.pop(key)

    def gone() -> None:
        dead.store.objects.pop(SECOND, None)

    dead.store.faults = {Call("get", SECOND): Fault("race", gone)}.get
    restore(dead.store, order(target))

    assert hosts_of(target) == ["a"]


def test_generations_that_all_go(dead: Machine, target: Path) -> None:
    """Looking again has an end."""
    for key in (CURRENT, META):
        dead.store.objects.pop(key)

    def fault(call: Call) -> Fault | None:
        def gone() -> None:
            data, told = dead.store.objects.pop(call.key)
            year = 1000 + len(dead.store.calls)
            dead.store.place(f"{PREFIX}{year}{call.key[-15:]}", data, told)

        there = call.key in dead.store.objects
        return Fault("race", gone) if call.op == "get" and there else None

    dead.store.faults = fault
    with pytest.raises(OperateError):
        restore(dead.store, order(target))
    assert len(dead.store.calls) < 60


def test_generations_that_are_listed_and_never_there(dead: Machine, target: Path) -> None:
    """A store that names what it does not give is no bucket without snapshots."""
    listed = (FIRST, SECOND)
    for key in (CURRENT, META, *listed):
        dead.store.objects.pop(key)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dead.store, "list", lambda _prefix: listed)
        with pytest.raises(NothingVerifies, match=f"{SECOND}: no such object"):
            restore(dead.store, order(target))


def test_document_of_what_is_gone(dead: Machine, target: Path) -> None:
    """Where a document tells of a snapshot there was one: it is said what is missing."""
    for key in (CURRENT, FIRST, SECOND):
        dead.store.objects.pop(key)
    with pytest.raises(NothingVerifies, match=f"{CURRENT}: no such object"):
        restore(dead.store, order(target))


def test_target_that_comes_into_being(
    dead: Machine, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A platform that was started meanwhile keeps its file."""

    def start(_: Order) -> tuple[Path, ...]:
        target.write_bytes(b"platform's")
        return ()

    monkeypatch.setattr(module, "_set_aside", start)
    with pytest.raises(TargetTaken, match="came into being just now"):
        restore(dead.store, order(target))

    assert target.read_bytes() == b"platform's"
