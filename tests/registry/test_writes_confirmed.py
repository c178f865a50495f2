"""One change that is asked about once more before it is committed."""

from __future__ import annotations

from pathlib import Path

import pytest

from registry.errors import RegistryBusy, RegistryMissing
from registry.operations import Hold, Mint, Operation, Result
from registry.writes import apply_confirmed
from tests.registry.samples import ACCOUNT, APP, dump, killed, locked, opened, run, sidecar
from tests.registry.test_writes import CHANNEL, converge, remove, routes

B = sidecar("b").host
CHANGES: list[Operation] = [
    Mint(sidecar("new")),
    converge("b", CHANNEL),
    remove("b"),
    Hold(B, APP, ACCOUNT, "op-41"),
]


class Moved(Exception):
    """What a caller's check may raise."""


def confirmed(path: Path, operation: Operation, budget_seconds: float = 5) -> tuple[Result, int]:
    """Do a change, and count how often it was asked about."""
    asked: list[None] = []
    result = apply_confirmed(
        path, operation, lambda: asked.append(None), budget_seconds=budget_seconds
    )
    return result, len(asked)


@pytest.mark.parametrize("change", CHANGES)
def test_confirmed_change(registry: Path, change: Operation) -> None:
    """It is asked about once, and made."""
    before = dump(registry)
    assert confirmed(registry, change) == (Result(change, "done", "", _written(change)), 1)
    assert dump(registry) != before


def _written(change: Operation) -> tuple[str, ...]:
    return ("channel",) if change is CHANGES[1] else ()


@pytest.mark.parametrize("change", CHANGES)
def test_change_that_is_not_confirmed(registry: Path, change: Operation) -> None:
    """What the check raises passes through, nothing is written, and nothing stays locked."""

    def moved() -> None:
        raise Moved

    before = dump(registry)
    with pytest.raises(Moved):
        apply_confirmed(registry, change, moved)
    assert dump(registry) == before
    assert confirmed(registry, change)[0].outcome == "done"


@pytest.mark.parametrize("change", CHANGES)
def test_check_while_the_registry_is_locked(registry: Path, change: Operation) -> None:
    """Between the check and the commit nobody else can write the registry."""
    seen: list[tuple[int]] = []

    def tried() -> None:
        with opened(registry) as platform:
            platform.execute("PRAGMA busy_timeout = 0")
            seen.append(platform.execute("SELECT count(*) FROM routes WHERE slug = 'b'").fetchone())
            with pytest.raises(Exception, match="locked"):
                platform.execute("UPDATE routes SET version = 'v'")

    apply_confirmed(registry, change, tried)
    assert seen == [(1,)]


def test_change_that_finds_nothing_to_write(registry: Path) -> None:
    """Nobody is asked about what is not written."""
    run(registry, "UPDATE routes SET hold = 'op-40' WHERE slug = 'b'")
    for change in CHANGES[1:]:
        result, asked = confirmed(registry, change)
        assert (result.outcome, asked) == ("refused", 0)


def test_column_that_fails_beside_one_that_does_not(registry: Path) -> None:
    """What was written of a row is asked about, too."""
    run(
        registry,
        "CREATE TRIGGER t BEFORE UPDATE OF args ON routes BEGIN SELECT RAISE(FAIL, 'no'); END",
    )
    args = CHANNEL.__class__(("args",), ("",), ("x",))
    result, asked = confirmed(registry, converge("b", CHANNEL, args))
    assert (result.outcome, result.written, asked) == ("failed", ("channel",), 1)


@pytest.mark.parametrize("how", ["ROLLBACK", "DEFERRED"])
def test_transaction_that_falls(registry: Path, how: str) -> None:
    """A registry that takes all of it back has refused the one row."""
    if how == "ROLLBACK":
        does = "BEGIN SELECT RAISE(ROLLBACK, 'no'); END"
        run(registry, f"CREATE TRIGGER t BEFORE DELETE ON routes {does}")
    else:
        key = "host TEXT REFERENCES routes (host) DEFERRABLE INITIALLY DEFERRED"
        run(registry, f"CREATE TABLE grants ({key})", f"INSERT INTO grants VALUES ('{B}')")  # noqa: S608
    assert confirmed(registry, remove("b"))[0].outcome == "failed"
    assert B in routes(registry)


def test_registry_that_fails(registry: Path, tmp_path: Path) -> None:
    """A file that cannot be written is its own error, and nobody is asked."""
    with locked(registry), pytest.raises(RegistryBusy):
        confirmed(registry, remove("b"), budget_seconds=0.05)
    with pytest.raises(RegistryMissing):
        confirmed(tmp_path / "none.db", remove("b"))


KILLED_BEFORE_THE_COMMIT = """
    from pathlib import Path
    from registry.operations import Remove
    from registry.writes import apply_confirmed
    end = lambda: os.kill(os.getpid(), signal.SIGKILL)
    apply_confirmed(Path(sys.argv[1]), Remove(sys.argv[2], "eleven", "bab"), end)
"""


def test_killed_between_check_and_commit(registry: Path) -> None:
    """Nothing of it is there, and the next run makes it."""
    killed(KILLED_BEFORE_THE_COMMIT, str(registry), B)
    assert B in routes(registry)
    assert confirmed(registry, remove("b"))[0].outcome == "done"
