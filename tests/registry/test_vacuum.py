"""Snapshots of a registry in use."""

from __future__ import annotations

import os
import resource
import sqlite3
import threading
from contextlib import nullcontext
from pathlib import Path

import pytest

from registry import vacuum
from registry.errors import (
    NoTables,
    RegistryBusy,
    RegistryCorrupt,
    RegistryDiskFailed,
    RegistryFull,
    RegistryMissing,
    RegistryUnopenable,
    TargetExists,
)
from registry.lineage import begin
from registry.vacuum import vacuum_into
from registry.verify import verify_file
from tests.registry.samples import (
    dump,
    fingerprint,
    insert,
    killed,
    locked,
    names_beside,
    opened,
    run,
    sidecar,
)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "snapshot"
    folder.mkdir()
    return folder / "registry.db"


def test_snapshot(registry: Path, target: Path) -> None:
    """The new file holds what the registry holds, lineage included; the registry is as before."""
    begin(registry, "f1", "line")
    before, beside = registry.read_bytes(), names_beside(registry)
    taken = vacuum_into(registry, target)
    assert (registry.read_bytes(), names_beside(registry)) == (before, beside)
    assert dump(target) == dump(registry)
    assert taken == verify_file(target)
    assert taken.fingerprint == fingerprint(registry)


def test_snapshot_is_the_owners_alone(registry: Path, target: Path) -> None:
    """Nobody else can read the file, and nothing is left beside it."""
    mask = os.umask(0)
    vacuum_into(registry, target)
    os.umask(mask)
    assert target.stat().st_mode & 0o777 == 0o600
    assert names_beside(target) == [target.name]


def test_snapshot_is_on_the_disk(
    registry: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite does not wait for the disk with it, so we do: for the file, then for its name."""
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: flushed.append(os.fstat(descriptor).st_ino))
    vacuum_into(registry, target)
    assert flushed == [target.stat().st_ino, target.parent.stat().st_ino]


def test_committed_rows_only(registry: Path, target: Path) -> None:
    """Rows that stand in the -wal are in the snapshot, a transaction under way is not."""
    with opened(registry) as platform:
        platform.execute("PRAGMA wal_autocheckpoint = 0")
        insert(registry, [sidecar("d")])
        platform.execute("BEGIN IMMEDIATE")
        platform.execute("DELETE FROM routes")
        assert vacuum_into(registry, target).routes == 4


def test_change_between_gate_and_snapshot(
    registry: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fingerprint that is returned is of the new file, whenever somebody wrote."""
    gate = fingerprint(registry)
    made = vacuum._vacuum

    def late(path: Path, target: Path, budget_seconds: float) -> None:
        insert(path, [sidecar("late")])
        made(path, target, budget_seconds)
        insert(path, [sidecar("later")])

    monkeypatch.setattr(vacuum, "_vacuum", late)
    taken = vacuum_into(registry, target)
    assert taken.routes == 4
    assert taken.fingerprint == fingerprint(target)
    assert len({gate, taken.fingerprint, fingerprint(registry)}) == 3


def test_writer_all_the_while(registry: Path, target: Path) -> None:
    """Each snapshot is one committed state: of two rows written together never one alone."""
    run(registry, "CREATE TABLE pair (x, y)", "INSERT INTO pair VALUES (0, 0)")
    stop = threading.Event()

    def write() -> None:
        with opened(registry) as platform:
            while not stop.is_set():
                platform.execute("BEGIN IMMEDIATE")
                platform.execute("UPDATE pair SET x = x + 1")
                platform.execute("UPDATE pair SET y = y + 1")
                platform.execute("COMMIT")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(5):
            snapshot = target.with_name(f"{number}.db")
            vacuum_into(registry, snapshot)
            with opened(snapshot) as taken:
                assert taken.execute("SELECT x = y FROM pair").fetchone() == (1,)
    finally:
        stop.set()
        writer.join()


def test_target_that_exists(registry: Path, target: Path) -> None:
    """A file that is there is never written over, an empty one or a dangling link neither."""
    target.write_text("mine")
    with pytest.raises(TargetExists):
        vacuum_into(registry, target)
    assert target.read_text() == "mine"
    target.unlink()
    target.symlink_to("nowhere")
    with pytest.raises(TargetExists):
        vacuum_into(registry, target)


def test_missing_registry(tmp_path: Path, target: Path) -> None:
    """A missing registry makes no snapshot, and no registry."""
    missing = tmp_path / "none.db"
    with pytest.raises(RegistryMissing):
        vacuum_into(missing, target)
    assert names_beside(target) == []
    assert not missing.exists()


def test_registry_without_tables(tmp_path: Path, target: Path) -> None:
    """An empty database, of which SQLite makes a healthy snapshot, makes none."""
    path = tmp_path / "r.db"
    run(path, "PRAGMA user_version = 1")
    with pytest.raises(NoTables):
        vacuum_into(path, target)
    assert names_beside(target) == []


def test_locked_registry(registry: Path, target: Path) -> None:
    """What SQLite leaves of a snapshot that the lock kept from being made is taken away."""
    run(registry, "PRAGMA journal_mode = DELETE")
    with locked(registry, "EXCLUSIVE"), pytest.raises(RegistryBusy):
        vacuum_into(registry, target, budget_seconds=0.05)
    assert names_beside(target) == []


def test_registry_with_a_damaged_index(registry: Path, target: Path) -> None:
    """A snapshot that does not verify is no snapshot."""
    run(registry, "PRAGMA journal_mode = DELETE")
    body = registry.read_bytes()
    registry.write_bytes(body[:8192] + b"\xff" * (len(body) - 8192))
    with pytest.raises(RegistryCorrupt):
        vacuum_into(registry, target)
    assert names_beside(target) == []


class FullDisk:
    """A connection on whose disk nothing fits: what SQLite says of it, for want of such a disk."""

    def execute(self, statement: str, bound: tuple[str, ...]) -> None:
        """Write a part of the target and stop."""
        assert statement == "VACUUM INTO ?"
        Path(bound[0]).write_bytes(bytes(4096))
        raise sqlite3.OperationalError("database or disk is full")


def test_no_room_for_the_snapshot(
    registry: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is the target's, and leaves nothing there."""
    monkeypatch.setattr(vacuum, "looking", lambda *_: nullcontext(FullDisk()))
    monkeypatch.setattr(vacuum, "check_schema", lambda *_: None)
    with pytest.raises(RegistryFull) as caught:
        vacuum_into(registry, target)
    assert caught.value.path == target
    assert names_beside(target) == []


def test_write_that_the_system_refuses(registry: Path, target: Path) -> None:
    """A snapshot that breaks off half-way leaves nothing there."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with opened(registry):  # an open -shm, so that only the snapshot has to grow
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, hard))
        try:
            with pytest.raises(RegistryDiskFailed):
                vacuum_into(registry, target)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert names_beside(target) == []


def test_target_without_a_folder(registry: Path, tmp_path: Path) -> None:
    """A folder that is not there is the caller's to make."""
    with pytest.raises(RegistryUnopenable):
        vacuum_into(registry, tmp_path / "none" / "r.db")


def test_killed_half_way(registry: Path, target: Path) -> None:
    """What a killed run left is never taken for a snapshot, by no one."""
    program = """
        from pathlib import Path
        from registry import vacuum
        vacuum.verify_file = lambda path: os.kill(os.getpid(), signal.SIGKILL)
        vacuum.vacuum_into(Path(sys.argv[1]), Path(sys.argv[2]))
    """
    killed(program, str(registry), str(target))
    with pytest.raises(TargetExists):
        vacuum_into(registry, target)
