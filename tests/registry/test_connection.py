"""Looking leaves no trace; writing waits its turn."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from registry.connection import reading, writing
from registry.errors import (
    RegistryBusy,
    RegistryCorrupt,
    RegistryFailed,
    RegistryFull,
    RegistryReadOnly,
    RegistryUnopenable,
)
from tests.registry.samples import (
    dump,
    killed,
    locked,
    names_beside,
    opened,
    registry_of,
    run,
    sidecar,
    without_rights,
)

INSERT = "INSERT INTO routes (host) VALUES ('new')"
COUNT = "SELECT count(*) FROM routes"


def count(path: Path, budget_seconds: float = 5) -> int:
    with reading(path, budget_seconds=budget_seconds) as connection:
        return int(connection.execute(COUNT).fetchone()[0])


def write(path: Path, *statements: str, budget_seconds: float = 5) -> None:
    with (
        writing(path, budget_seconds=budget_seconds) as writer,
        writer.transaction() as connection,
    ):
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize("mode", ["WAL", "DELETE", "TRUNCATE"])
def test_look_at_a_closed_registry(registry: Path, mode: str) -> None:
    """Neither the file nor its folder changes, in WAL mode either."""
    run(registry, f"PRAGMA journal_mode = {mode}")
    before = registry.read_bytes(), registry.stat().st_mtime_ns, names_beside(registry)
    assert count(registry) == 3
    assert (registry.read_bytes(), registry.stat().st_mtime_ns, names_beside(registry)) == before


def test_look_at_an_open_registry(registry: Path) -> None:
    """What is committed in the -wal alone is seen, and stays there."""
    with opened(registry) as platform:
        platform.execute("PRAGMA wal_autocheckpoint = 0")
        platform.execute(INSERT)
        main, beside = registry.read_bytes(), names_beside(registry)
        assert count(registry) == 4
        assert (registry.read_bytes(), names_beside(registry)) == (main, beside)


def test_one_state_while_others_write(registry: Path) -> None:
    """All statements of one look see one state."""
    with opened(registry) as platform, reading(registry) as connection:
        before = connection.execute(COUNT).fetchone()
        platform.execute(INSERT)
        assert connection.execute(COUNT).fetchone() == before
    assert count(registry) == 4


def test_writing_through_a_look(registry: Path) -> None:
    """A look cannot write."""
    with reading(registry) as connection, pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute(INSERT)
    assert count(registry) == 3


@pytest.mark.parametrize("name", ["a b?mode=memory", "c#d%41", "\u00fc&cache=shared"])
def test_path_that_looks_like_a_uri(tmp_path: Path, name: str) -> None:
    """No character of a path is read as part of a URI."""
    path = registry_of(tmp_path / name, sidecar("a"))
    assert count(path) == 1
    assert names_beside(path) == [name]


HALF_WRITTEN = """
    connection = sqlite3.connect(sys.argv[1], isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN")
    connection.execute("UPDATE routes SET caps = hex(zeroblob(9000))")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_look_after_a_writer_was_killed(registry: Path, mode: str) -> None:
    """What it had not committed is not there, whatever it left beside the file."""
    run(registry, f"PRAGMA journal_mode = {mode}")
    before = dump(registry)
    killed(HALF_WRITTEN, str(registry))
    assert len(names_beside(registry)) > 1
    assert count(registry) == 3
    assert dump(registry) == before


def test_look_leaves_a_wal_to_its_writer(registry: Path) -> None:
    """What a killed writer left in its -wal stays there: a look moves nothing into the file."""
    killed(HALF_WRITTEN.replace("BEGIN", "SELECT 1"), str(registry))
    wal = registry.with_name("registry.db-wal")
    before = registry.read_bytes(), wal.read_bytes()
    assert len(before[1]) > 9000
    assert count(registry) == 3
    assert (registry.read_bytes(), wal.read_bytes()) == before


def test_transaction_is_all_or_nothing(registry: Path) -> None:
    """What raises inside a transaction takes all of it back."""
    with pytest.raises(RegistryFailed, match="no such table: gone"):
        write(registry, INSERT, "DELETE FROM gone")
    assert count(registry) == 3


def test_lock_from_the_beginning(registry: Path) -> None:
    """A transaction has the lock before it reads, so what it decides on cannot change."""
    with opened(registry) as platform, writing(registry) as writer, writer.transaction():
        platform.execute("PRAGMA busy_timeout = 0")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            platform.execute(INSERT)


def test_locked_for_longer_than_the_budget(registry: Path) -> None:
    """A busy registry is waited for, and then named with measure and limit."""
    with locked(registry), pytest.raises(RegistryBusy, match=r"limit 0\.05 s") as caught:
        write(registry, INSERT, budget_seconds=0.05)
    assert caught.value.waited_seconds >= 0.05


def test_lock_let_go_within_the_budget(registry: Path) -> None:
    """A lock that is let go in time only delays."""
    held = threading.Event()

    def hold() -> None:
        with locked(registry):
            held.set()
            time.sleep(0.1)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    write(registry, INSERT, budget_seconds=30)
    holder.join()
    assert count(registry) == 4


def test_look_at_a_registry_locked_exclusively(registry: Path) -> None:
    """In rollback mode a commit under way keeps readers out; they wait, then say so."""
    run(registry, "PRAGMA journal_mode = DELETE")
    with locked(registry, "EXCLUSIVE"), pytest.raises(RegistryBusy):
        count(registry, budget_seconds=0.05)


def test_commit_that_readers_hold_up(registry: Path) -> None:
    """In rollback mode a reader can hold up the commit: nothing is written then."""
    run(registry, "PRAGMA journal_mode = DELETE")
    with opened(registry) as platform:
        platform.execute("BEGIN")
        platform.execute(COUNT).fetchone()
        with pytest.raises(RegistryBusy):
            write(registry, INSERT, budget_seconds=0.05)
    assert count(registry) == 3


def test_file_without_write_permission(others_folder: Path) -> None:
    """A file that may only be read can be looked at, and not written."""
    path = registry_of(others_folder / "registry.db", sidecar("a"))
    run(path, "PRAGMA journal_mode = DELETE")
    path.chmod(0o444)
    with without_rights():
        assert count(path) == 1
        with pytest.raises(RegistryReadOnly, match="run as the user that owns the file"):
            write(path, INSERT)


def test_folder_without_write_permission(others_folder: Path) -> None:
    """In WAL mode even a look needs the side files, so a folder that can be written."""
    path = registry_of(others_folder / "registry.db", sidecar("a"))
    others_folder.chmod(0o555)
    with without_rights(), pytest.raises(RegistryReadOnly, match="the file and its folder"):
        count(path)


def test_file_without_read_permission(others_folder: Path) -> None:
    """A file of somebody else's cannot be opened."""
    path = registry_of(others_folder / "registry.db", sidecar("a"))
    path.chmod(0)
    with without_rights(), pytest.raises(RegistryUnopenable):
        count(path)


def test_no_room(registry: Path, full_disk: Callable[[int], None]) -> None:
    """A full disk takes the whole transaction back."""
    before = dump(registry)
    full_disk(1)
    with pytest.raises(RegistryFull, match="free disk space"):
        write(registry, INSERT, "UPDATE routes SET caps = hex(zeroblob(90000))")
    assert dump(registry) == before


def test_damaged_page(registry: Path) -> None:
    """A page that is not what its parent says is damage, not emptiness."""
    run(registry, "PRAGMA journal_mode = DELETE")
    body = registry.read_bytes()
    registry.write_bytes(body[:4096] + b"\xff" * (len(body) - 4096))
    with pytest.raises(RegistryCorrupt, match="restore the snapshot"):
        count(registry)


def test_what_else_sqlite_says(registry: Path) -> None:
    """An error of no kind of its own keeps SQLite's words and its cause."""
    with pytest.raises(RegistryFailed, match="no such table: gone") as caught:
        write(registry, "DELETE FROM gone")
    assert isinstance(caught.value.__cause__, sqlite3.OperationalError)


@pytest.mark.parametrize(
    ("mode", "how", "synchronous"),
    [("WAL", {}, 1), ("WAL", {"durable": True}, 2), ("DELETE", {}, 2)],
)
def test_when_a_commit_waits_for_the_disk(
    registry: Path, mode: str, how: dict[str, bool], synchronous: int
) -> None:
    """Only in WAL mode is a commit without a wait safe, and only where losing it is harmless."""
    run(registry, f"PRAGMA journal_mode = {mode}")
    with writing(registry, **how) as writer:
        found = writer.connection.execute("PRAGMA synchronous").fetchone()
    assert found == (synchronous,)
