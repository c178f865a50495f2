"""A pass against stores that refuse, lose races, or keep something else than was written."""

from __future__ import annotations

from pathlib import Path

import pytest

from control.errors import ListingFailed, Malformed, ReadFailed
from control.snapshot_records import SnapshotMeta
from providers import snapshot_work
from providers.errors import ApplyFailed
from registry.vacuum import vacuum_into
from registry.verify import SnapshotFile
from tests.support.fake_store import WRITES, Call, Fault
from tests.support.snapshots import CURRENT, FIRST, META, PREFIX, START, Machine, machine


@pytest.mark.behaviour(53)
@pytest.mark.behaviour(55)
def test_stamp_that_is_taken(settled: Machine) -> None:
    """The older generation stays, it is said, and current holds the newest content."""
    kept = settled.store.objects[FIRST]
    settled.mint("c")
    settled.now = START
    settled.pass_()

    assert settled.store.objects[FIRST] == kept
    assert settled.meta.fingerprint == settled.fingerprint
    assert settled.said == [f"snapshot: {FIRST} is there with other content, and stays"]


@pytest.mark.behaviour(54)
def test_generation_that_cannot_be_written(settled: Machine) -> None:
    """Current and description stay as they are; the key is named."""
    before = dict(settled.store.objects)
    settled.mint("c")
    settled.store.faults = lambda call: Fault("down") if call.op == "put" else None
    with pytest.raises(ApplyFailed, match=r"write .*/20260907T100200Z.db: injected"):
        settled.pass_()

    assert settled.store.objects == before


def _with_generations(made: Machine, count: int) -> None:
    for number in range(count):
        made.mint(f"g{number}")
        made.pass_()


@pytest.mark.behaviour(59)
def test_retention(settled: Machine) -> None:
    """Eight stay; the oldest goes first, and only when another was written."""
    _with_generations(settled, 9)

    assert settled.generations == [f"20260907T10{minute:02}00Z.db" for minute in range(3, 11)]
    assert [key for key, _ in settled.store.deleted] == [
        f"{PREFIX}20260907T100100Z.db",
        f"{PREFIX}20260907T100200Z.db",
    ]


@pytest.mark.behaviour(60)
def test_foreign_keys(settled: Machine) -> None:
    """They do not count, they are never deleted, and they are told of in one line."""
    strays = [f"{PREFIX}{name}" for name in ("0", "00000000T000000Z.db", "README", "x/y.db")]
    for key in strays:
        settled.store.place(key, b"")
    _with_generations(settled, 9)

    assert [key for key in settled.store.keys(PREFIX) if key in strays] == strays
    assert len(settled.generations) == 8 + len(strays)


@pytest.mark.behaviour(62)
@pytest.mark.behaviour(63)
def test_prune_that_failed(settled: Machine) -> None:
    """It stops there, and the pass fails; the next one, with nothing else to do, finishes."""
    settled.store.faults = lambda call: Fault("down") if call.op == "delete" else None
    _with_generations(settled, 7)
    for name in ("x", "y"):
        settled.mint(name)
        with pytest.raises(ApplyFailed, match=r"delete .*20260907T100100Z.db: injected"):
            settled.pass_()
    settled.store.faults = lambda _: None

    assert settled.decided().plan.lines == tuple(f"- {PREFIX}{name}" for name in _two(settled))
    settled.pass_()
    assert len(settled.generations) == 8
    assert settled.decided().plan.empty


def _two(made: Machine) -> list[str]:
    return made.generations[:2]


@pytest.mark.behaviour(61)
def test_listing_that_fails(settled: Machine) -> None:
    """The pass fails by its prefix; nothing is deleted on half a listing."""
    _with_generations(settled, 7)
    settled.mint("x")
    settled.store.faults = lambda call: Fault("down") if call.op == "list" else None
    with pytest.raises(ListingFailed, match=PREFIX):
        settled.seen()

    lists = iter([None, Fault("down")])
    settled.store.faults = lambda call: next(lists) if call.op == "list" else None
    with pytest.raises(ApplyFailed, match=f"list {PREFIX}: injected; written before: "):
        settled.pass_()
    assert len(settled.generations) == 9


@pytest.mark.behaviour(65)
@pytest.mark.behaviour(67)
@pytest.mark.behaviour(71)
def test_description_that_cannot_be_read(settled: Machine) -> None:
    """A store that fails and a broken document fail the pass: unknown is not "changed"."""
    settled.mint("c")
    settled.store.faults = lambda call: Fault("down") if call.op == "get" else None
    with pytest.raises(ReadFailed, match=META):
        settled.seen()
    settled.store.faults = lambda _: None
    settled.store.place(META, b"<html>")
    with pytest.raises(Malformed, match=META):
        settled.seen()
    with pytest.raises(ApplyFailed, match="nothing was written"):
        settled.pass_()

    assert settled.store.counted(WRITES) == 0


def test_head_that_cannot_be_read(settled: Machine) -> None:
    """Nor is a current snapshot that may or may not be there."""
    settled.mint("c")
    settled.store.faults = lambda call: Fault("down") if call.op == "head" else None
    with pytest.raises(ReadFailed, match=CURRENT):
        settled.seen()

    assert settled.store.counted(WRITES) == 0


def _racing(made: Machine, key: str, times: int) -> None:
    """Let somebody else write a key just before each of so many writes of it."""
    left = iter(range(times))

    def meanwhile() -> None:
        data, metadata = made.store.objects[key]
        made.store.place(key, data + b" ", metadata)

    def fault(call: Call) -> Fault | None:
        racing = call == Call("put", key) and next(left, None) is not None
        return Fault("race", meanwhile) if racing else None

    made.store.faults = fault


@pytest.mark.behaviour(69)
@pytest.mark.parametrize("key", [CURRENT, META])
def test_lost_race(settled: Machine, key: str) -> None:
    """It is judged and tried again on what is there then, three times in all."""
    settled.mint("c")
    _racing(settled, key, 2)
    made = settled.pass_()

    assert settled.meta == made
    assert made.fingerprint == settled.fingerprint
    assert settled.puts.count(key) == 3


@pytest.mark.behaviour(70)
@pytest.mark.parametrize("key", [CURRENT, META])
def test_race_lost_three_times(settled: Machine, key: str) -> None:
    """The pass fails by the key, and says what was written."""
    settled.mint("c")
    _racing(settled, key, 3)
    with pytest.raises(ApplyFailed, match=f"write {key}: lost the race for it 3 times.*before:"):
        settled.pass_()


@pytest.mark.behaviour(72)
@pytest.mark.parametrize("key", [CURRENT, META])
def test_write_that_fails(settled: Machine, key: str) -> None:
    """It is not tried again; what is there stays."""
    kept = settled.store.objects[key]
    settled.mint("c")
    settled.store.faults = lambda call: Fault("down") if call == Call("put", key) else None
    with pytest.raises(ApplyFailed, match=f"write {key}: injected"):
        settled.pass_()

    assert settled.store.objects[key] == kept
    assert settled.puts.count(key) == 1


@pytest.mark.parametrize("header", ["If-None-Match", "If-Match"])
def test_store_that_ignores_conditions(settled: Machine, header: str) -> None:
    """Whichever it ignores, it is found before the current snapshot is touched."""
    kept = settled.current
    settled.mint("c")
    settled.store.ignores = frozenset({header})
    with pytest.raises(ApplyFailed, match=rf"written again.*use a store that honours {header}; "):
        settled.pass_()

    assert settled.current == kept
    assert CURRENT not in settled.puts


@pytest.mark.parametrize("key", [f"{PREFIX}20260907T100200Z.db", CURRENT])
def test_object_that_is_not_as_written(settled: Machine, key: str) -> None:
    """The look after the write finds it; nothing further is written."""
    settled.mint("c")
    seen: list[Call] = []

    def fault(call: Call) -> Fault | None:
        seen.append(call)
        if call == Call("head", key) and Call("put", key) in seen:
            settled.store.place(key, b"half")
        return None

    settled.store.faults = fault
    with pytest.raises(ApplyFailed, match=f"write {key}: written as .* shown as 4 bytes"):
        settled.pass_()
    assert META not in settled.puts


def test_change_while_the_pass_works(settled: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is recorded is the uploaded file's fingerprint, so the change is in the next pass."""

    def vacuum(path: Path, target: Path) -> SnapshotFile:
        file = vacuum_into(path, target)
        settled.mint("late")
        return file

    settled.mint("c")
    monkeypatch.setattr(snapshot_work, "vacuum_into", vacuum)
    settled.pass_()
    assert settled.meta.fingerprint != settled.fingerprint

    monkeypatch.undo()
    settled.pass_()
    assert settled.meta.fingerprint == settled.fingerprint


def test_other_tables_and_rows(settled: Machine) -> None:
    """Nothing of the registry but the lineage is written, whatever else it holds."""
    settled.sql(
        "CREATE TABLE grants (host TEXT, cap BLOB)", "INSERT INTO grants VALUES ('h', x'00')"
    )
    before = settled.fingerprint
    settled.pass_()

    assert settled.fingerprint == before == settled.meta.fingerprint


def test_registry_with_no_rows(folder: Path) -> None:
    """An empty registry is a registry: the first box of a new bucket begins with one."""
    assert machine(folder).pass_().routes == 0


@pytest.mark.parametrize("body", [b"null", b"{}"])
def test_zero_description(settled: Machine, body: bytes) -> None:
    """It says nothing, so the current snapshot itself is judged."""
    settled.store.place(META, body)
    settled.mint("more")

    assert settled.pass_() == settled.meta
    assert settled.meta != SnapshotMeta()
