"""A registry that fails part of the way: nothing half-written, and a run that goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from registry.errors import (
    ColumnsMissing,
    RegistryBusy,
    RegistryFull,
    RegistryMissing,
    RegistryReadOnly,
    WritesStopped,
)
from registry.operations import Mint
from registry.writes import apply
from tests.registry.samples import (
    dump,
    killed,
    locked,
    opened,
    registry_of,
    run,
    sidecar,
    without_rights,
)
from tests.registry.test_writes import routes

MINTS = [Mint(sidecar(f"m{number}")) for number in range(7)]
HOSTS = [mint.host for mint in MINTS]


def minted(path: Path) -> list[str]:
    return [host for host in HOSTS if host in routes(path)]


def stopped(path: Path, **options: float) -> WritesStopped:
    with pytest.raises(WritesStopped) as caught:
        apply(path, MINTS, batch=3, **options)  # type: ignore[arg-type] # only budget_seconds
    return caught.value


def test_missing_registry(tmp_path: Path) -> None:
    """Without a registry nothing is made, the file neither."""
    error = stopped(tmp_path / "r.db")
    assert isinstance(error.cause, RegistryMissing)
    assert error.left == tuple(HOSTS)
    assert not (tmp_path / "r.db").exists()


def test_column_that_is_missing(registry: Path) -> None:
    """A registry of another make is not written at all."""
    run(registry, "ALTER TABLE routes DROP COLUMN hold")
    before = dump(registry)
    assert isinstance(stopped(registry).cause, ColumnsMissing)
    assert dump(registry) == before


def test_locked(registry: Path) -> None:
    """A lock that outlasts the budget: nothing is made, all of it is named."""
    with locked(registry):
        error = stopped(registry, budget_seconds=0.05)
    assert isinstance(error.cause, RegistryBusy)
    assert "0 of 7 changes were dealt with" in str(error)
    assert all(host in str(error) for host in HOSTS)
    assert minted(registry) == []


def test_locked_part_of_the_way(registry: Path) -> None:
    """What was committed before the lock stays; the next run makes the rest."""
    with opened(registry) as platform:
        calls: list[None] = []

        def lock_at_the_second() -> None:
            calls.append(None)
            if len(calls) == 2:
                platform.execute("BEGIN IMMEDIATE")

        with pytest.raises(WritesStopped) as caught:
            apply(registry, MINTS, batch=3, before_write=lock_at_the_second, budget_seconds=0.05)
    assert [result.operation for result in caught.value.results] == MINTS[:3]
    assert caught.value.left == tuple(HOSTS[3:])
    assert minted(registry) == HOSTS[:3]
    assert [result.outcome for result in apply(registry, MINTS)] == ["refused"] * 3 + ["done"] * 4


def test_full_disk(registry: Path, full_disk: Callable[[int], None]) -> None:
    """No batch is half there, and the message says what to do."""
    wide = [Mint(sidecar(f"m{number}", caps="x" * 3000)) for number in range(7)]
    full_disk(5)
    with pytest.raises(WritesStopped, match="free disk space and run again") as caught:
        apply(registry, wide, batch=3)
    assert isinstance(caught.value.cause, RegistryFull)
    assert len(caught.value.results) == 3
    assert minted(registry) == HOSTS[:3]


def test_read_only(others_folder: Path) -> None:
    """A file that may only be read stays as it is."""
    path = registry_of(others_folder / "registry.db")
    run(path, "PRAGMA journal_mode = DELETE")
    path.chmod(0o444)
    with without_rights():
        assert isinstance(stopped(path).cause, RegistryReadOnly)
    assert minted(path) == []


class EngineGone(Exception):
    """What a caller's hook may raise."""


def test_caller_that_stops(registry: Path) -> None:
    """What the caller's hook raises passes through, before a transaction begins."""
    calls: list[None] = []

    def stop_at_the_second() -> None:
        calls.append(None)
        if len(calls) == 2:
            raise EngineGone

    with pytest.raises(EngineGone):
        apply(registry, MINTS, batch=3, before_write=stop_at_the_second)
    assert minted(registry) == HOSTS[:3]


KILLED_IN_A_BATCH = """
    from pathlib import Path
    from registry import writes
    from registry.operations import Mint
    from tests.registry.samples import sidecar
    perform, calls = writes.perform, []
    def counted(connection, operation):
        calls.append(operation)
        if len(calls) == 6:
            os.kill(os.getpid(), signal.SIGKILL)
        return perform(connection, operation)
    writes.perform = counted
    writes.apply(Path(sys.argv[1]), [Mint(sidecar(f"m{n}")) for n in range(7)], batch=3)
"""


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_killed_between_two_rows(registry: Path, mode: str) -> None:
    """The batch under way is gone whole, those before are there; the next run makes the rest."""
    run(registry, f"PRAGMA journal_mode = {mode}")
    killed(KILLED_IN_A_BATCH, str(registry))
    assert minted(registry) == HOSTS[:3]
    assert [result.outcome for result in apply(registry, MINTS)] == ["refused"] * 3 + ["done"] * 4
    with opened(registry) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_others_write_between_our_transactions(registry: Path) -> None:
    """Nobody waits for a whole run: the lock is free between two batches."""
    with opened(registry) as platform:
        platform.execute("PRAGMA busy_timeout = 0")

        def write() -> None:
            platform.execute("UPDATE routes SET version = 'v'")

        apply(registry, MINTS, batch=3, before_write=write)
    found = routes(registry)
    assert [found[host].version for host in HOSTS] == ["v"] * 6 + [""]
