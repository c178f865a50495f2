"""One pass after another of one box: what is written, in which order, and when nothing is."""

from __future__ import annotations

import sqlite3
import tempfile
from datetime import timedelta, timezone
from pathlib import Path

import pytest

from providers import snapshot_work
from providers.errors import ApplyFailed
from registry.errors import RegistryCorrupt, RegistryEmpty, RegistryError, RegistryMissing
from registry.verify import verify_file
from tests.support.fake_store import READS, WRITES, Call, Fault
from tests.support.snapshots import CURRENT, FIRST, META, PREFIX, START, Machine, machine


@pytest.mark.behaviour(49)
@pytest.mark.behaviour(43)
def test_first_pass(box: Machine) -> None:
    """Generation, current, description, in this order; the second create is the probe."""
    box.pass_()

    assert box.puts == [FIRST, FIRST, FIRST, CURRENT, META]
    assert box.store.keys() == [CURRENT, META, FIRST]


@pytest.mark.behaviour(58)
def test_description(box: Machine) -> None:
    """It says what the file is: its content's fingerprint, its bytes, its moment, its line."""
    made = box.pass_()
    body = box.current

    assert box.meta == made
    assert (made.box, made.fingerprint, made.size) == ("a1", box.fingerprint, len(body))
    assert (made.created_at, made.routes, made.parent) == ("2026-09-07T10:01:00Z", 2, "")
    assert box.lineage is not None
    assert made.lineage == box.lineage.id


def test_snapshot_restores_the_registry(box: Machine, tmp_path: Path) -> None:
    """Current and generation are the same bytes: a whole registry of this content."""
    made = box.pass_()
    file = tmp_path / "copy.db"
    file.write_bytes(box.current)

    assert box.store.objects[FIRST][0] == box.current
    assert verify_file(file).fingerprint == box.fingerprint == made.fingerprint


@pytest.mark.behaviour(44)
@pytest.mark.behaviour(64)
def test_unchanged_pass(settled: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two reads: the description and the generations. No write, no file."""
    monkeypatch.setattr(tempfile, "mkdtemp", None)
    settled.pass_()

    assert settled.store.calls == [Call("get", META), Call("list", PREFIX)]
    assert settled.decided().plan.empty


@pytest.mark.behaviour(66)
def test_thousand_unchanged_passes(settled: Machine) -> None:
    """Restarts, VACUUM, rows that came and went, and time write nothing, by two reads a pass."""
    for number in range(1000):
        if number % 100 == 0:
            settled.sql("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")
        if number % 250 == 0:
            settled.mint("passing")
            settled.sql("DELETE FROM routes WHERE slug = 'passing'")
        assert settled.decided().plan.empty
    settled.now += timedelta(days=300)
    settled.pass_()

    assert settled.store.counted(WRITES) == 0
    assert settled.store.counted(READS) == 2 * 1001


@pytest.mark.behaviour(46)
@pytest.mark.parametrize(
    "column",
    ["caps", "unit", "replication", "environment", "account", "canary", "provisioned", "version"],
)
def test_one_column(settled: Machine, column: str) -> None:
    """A change in a column that nothing is reloaded for is a change."""
    settled.sql(f"UPDATE routes SET {column} = 7 WHERE slug = 'a'")  # noqa: S608
    settled.pass_()

    assert settled.puts[3:] == [CURRENT, META]
    assert settled.meta.fingerprint == settled.fingerprint


@pytest.mark.behaviour(68)
def test_second_snapshot(settled: Machine) -> None:
    """It replaces the first, which it names as its parent."""
    first = settled.meta
    settled.mint("c")
    second = settled.pass_()

    assert second.parent == first.fingerprint
    assert second.lineage == first.lineage
    assert settled.generations == ["20260907T100100Z.db", "20260907T100200Z.db"]


def test_row_minted_in_one_pass(settled: Machine) -> None:
    """It is in the next snapshot."""
    settled.mint("c")
    settled.pass_()

    assert b"c.eleven.bab.sidecar.internal" in settled.current


def test_legitimate_shrink(folder: Path) -> None:
    """A box that lost 40 of its 41 rows is still itself."""
    box = machine(folder, *(f"r{number}" for number in range(41)))
    box.pass_()
    box.sql("DELETE FROM routes WHERE slug <> 'r0'")

    assert box.pass_().routes == 1


@pytest.mark.behaviour(51)
def test_local_time(box: Machine) -> None:
    """Stamp and time are UTC, wherever the clock stands."""
    box.now = START.astimezone(timezone(timedelta(hours=-7)))
    box.pass_()

    assert box.generations == ["20260907T100100Z.db"]
    assert box.meta.created_at == "2026-09-07T10:01:00Z"


def _break(path: Path, how: str) -> None:
    path.unlink()
    if how == "empty":
        path.touch()
    if how == "no tables":
        sqlite3.connect(path).close()
        sqlite3.connect(path).executescript("PRAGMA user_version = 1; VACUUM").close()


@pytest.mark.behaviour(45)
@pytest.mark.parametrize(("how", "kind"), [("missing", RegistryMissing), ("empty", RegistryEmpty)])
def test_registry_that_is_none(settled: Machine, how: str, kind: type[RegistryError]) -> None:
    """Each is an error of its own; nothing is written, in the bucket or at the path."""
    _break(settled.registry, how)
    with pytest.raises(kind):
        settled.seen()
    with pytest.raises(ApplyFailed, match="nothing was written"):
        settled.pass_()

    assert settled.store.counted(WRITES) == 0
    assert settled.registry.exists() == (how == "empty")


@pytest.mark.behaviour(48)
def test_snapshot_that_cannot_be_taken(settled: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written to the bucket, and the lineage stays as it is."""
    settled.mint("c")
    before = settled.lineage

    def fail(path: Path, _: Path) -> None:
        raise RegistryCorrupt(path, "page 7")

    monkeypatch.setattr(snapshot_work, "vacuum_into", fail)
    with pytest.raises(ApplyFailed, match=r"damaged \(page 7\)"):
        settled.pass_()

    assert settled.store.counted(WRITES) == 0
    assert settled.lineage == before


@pytest.mark.behaviour(47)
@pytest.mark.parametrize("fails", [False, True])
def test_temporary_folder(
    box: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, fails: bool
) -> None:
    """It is gone afterwards, whether the pass came to its end or not."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    if fails:
        box.store.faults = lambda call: Fault("down") if call.op == "put" else None
        with pytest.raises(ApplyFailed):
            box.pass_()
    else:
        box.pass_()

    assert list((tmp_path / "scratch").iterdir()) == []


def test_folder_of_a_killed_run(
    box: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it left is swept by the next; that of a living one is not."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    dead, living = tmp_path / "fairlead-snapshot-99999999-x", tmp_path / "fairlead-snapshot-1-x"
    for folder in (dead, living):
        folder.mkdir()
        (folder / "registry.db").write_bytes(b"half")
    box.pass_()

    assert not dead.exists()
    assert living.exists()
