"""A row that the registry refuses fails alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from registry.operations import Converge, Mint, Remove
from registry.writes import apply
from tests.registry.samples import dump, opened, run, sidecar
from tests.registry.test_writes import CEILINGS, CHANNEL, converge, one, remove, routes

NAMES = [f"m{number}" for number in range(7)]
MINTS = [Mint(sidecar(name)) for name in NAMES]
BAD = sidecar("m3").host
GRANT_B = f"INSERT INTO grants VALUES ('{sidecar('b').host}')"  # noqa: S608

TRIGGER = "CREATE TRIGGER t BEFORE {on} ON routes WHEN {row}.slug = '{slug}' BEGIN {does}; END"


def trigger(on: str, does: str, slug: str = "m3") -> str:
    row = "OLD" if on == "DELETE" else "NEW"
    return TRIGGER.format(on=on, row=row, slug=slug, does=does)


@pytest.mark.parametrize("batch", [1, 3, 100])
@pytest.mark.parametrize("how", ["ABORT", "FAIL", "ROLLBACK"])
def test_trigger_that_refuses_one_row(registry: Path, how: str, batch: int) -> None:
    """However a trigger refuses, that row fails in its words; the others are there."""
    run(registry, trigger("INSERT", f"SELECT RAISE({how}, 'not this one')"))
    results = apply(registry, MINTS, batch=batch)
    failed = [result for result in results if result.outcome != "done"]
    assert [result.operation for result in results] == MINTS
    assert [(each.operation.host, each.outcome, each.reason) for each in failed] == [
        (BAD, "failed", "not this one")
    ]
    assert {mint.host for mint in MINTS} - set(routes(registry)) == {BAD}


def test_trigger_that_ignores_a_row(registry: Path) -> None:
    """A row that a trigger passes over in silence is not called done."""
    run(registry, trigger("INSERT", "SELECT RAISE(IGNORE)"))
    run(registry, trigger("UPDATE", "SELECT RAISE(IGNORE)", "a").replace("TRIGGER t", "TRIGGER u"))
    run(registry, trigger("DELETE", "SELECT RAISE(IGNORE)", "a").replace("TRIGGER t", "TRIGGER d"))
    attempts = (MINTS[3], converge("a", CHANNEL), remove("a"))
    assert [result.outcome for result in apply(registry, attempts)] == ["failed"] * 3


def test_what_a_failed_row_left(registry: Path) -> None:
    """Nothing that a trigger wrote for a row stays when that row fails."""
    does = "INSERT INTO log VALUES ('half'); SELECT RAISE(FAIL, 'no')"
    run(registry, "CREATE TABLE log (said)", trigger("INSERT", does))
    apply(registry, MINTS)
    with opened(registry) as connection:
        assert connection.execute("SELECT * FROM log").fetchall() == []


def test_column_that_fails(registry: Path) -> None:
    """A column that the registry refuses does not stop the next, and is named."""
    does = "SELECT RAISE(FAIL, 'frozen')"
    run(registry, trigger("UPDATE OF channel", does, "b"))
    result = one(registry, converge("b", CHANNEL, CEILINGS))
    assert (result.outcome, result.reason) == ("failed", "channel: frozen")
    assert result.written == ("idle_seconds", "max_run_seconds")
    changed = routes(registry)[sidecar("b").host]
    assert (changed.channel, changed.idle_seconds, changed.max_run_seconds) == ("edge", 60, 600)


def test_every_column_fails(registry: Path) -> None:
    """A row of which nothing can be written fails with every reason."""
    run(registry, trigger("UPDATE", "SELECT RAISE(ABORT, 'frozen')", "b"))
    result = one(registry, converge("b", CHANNEL, CEILINGS))
    assert result.written == ()
    assert result.reason == "channel: frozen; idle_seconds and max_run_seconds: frozen"


def test_row_that_another_table_refers_to(registry: Path) -> None:
    """A foreign key that forbids a removal is heard, and that row stays."""
    run(
        registry,
        "CREATE TABLE grants (host TEXT REFERENCES routes (host))",
        GRANT_B,
    )
    results = apply(registry, [remove("a"), remove("b"), remove("c")])
    assert [result.outcome for result in results] == ["done", "failed", "done"]
    assert results[1].reason == "FOREIGN KEY constraint failed"


@pytest.mark.parametrize("action", ["CASCADE", "SET NULL"])
def test_row_that_would_take_others_along(registry: Path, action: str) -> None:
    """A removal that would write another table is not made, and says which."""
    run(
        registry,
        f"CREATE TABLE grants (host TEXT REFERENCES routes (host) ON DELETE {action})",
        GRANT_B,
    )
    before = [line for line in dump(registry) if "grants" in line]
    results = apply(registry, [remove("a"), remove("b"), remove("c")])
    assert [result.outcome for result in results] == ["done", "failed", "done"]
    assert "1 rows of grants" in results[1].reason
    assert [line for line in dump(registry) if "grants" in line] == before


def test_trigger_that_keeps_a_log(registry: Path) -> None:
    """What the platform's own triggers write is the platform's business."""
    run(registry, "CREATE TABLE log (said)", trigger("DELETE", "INSERT INTO log VALUES (1)", "b"))
    assert one(registry, remove("b")).outcome == "done"
    with opened(registry) as connection:
        assert connection.execute("SELECT * FROM log").fetchall() == [(1,)]


def test_foreign_key_that_is_checked_at_commit(registry: Path) -> None:
    """A key that only the commit checks fails its row, not the batch."""
    run(
        registry,
        "CREATE TABLE grants (host TEXT REFERENCES routes (host) DEFERRABLE INITIALLY DEFERRED)",
        GRANT_B,
    )
    results = apply(registry, [remove("a"), remove("b"), remove("c")])
    assert [result.outcome for result in results] == ["done", "failed", "done"]
    assert set(routes(registry)) == {sidecar("b").host}


def test_value_that_cannot_be_stored(registry: Path) -> None:
    """Text that is not Unicode and a number beyond 64 bits fail their row alone."""
    odd = [Mint(sidecar("m1", args="\ud800")), Mint(sidecar("m2", claim_stamp=2**63)), MINTS[0]]
    assert [each.outcome for each in apply(registry, odd)] == ["failed", "failed", "done"]


def test_column_that_only_the_platform_fills(registry: Path) -> None:
    """A table that wants a value we do not have refuses a mint; the rest goes on."""
    with opened(registry) as connection:
        (made,) = connection.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'routes'"
        ).fetchone()
        connection.execute("ALTER TABLE routes RENAME TO old")
        connection.execute(made.replace("(host", "(owner TEXT NOT NULL, host"))
        connection.execute("INSERT INTO routes SELECT 'me', * FROM old")
        connection.execute("DROP TABLE old")
    operations: list[Mint | Converge | Remove] = [MINTS[0], remove("a"), converge("b", CHANNEL)]
    results = apply(registry, operations)
    assert [result.outcome for result in results] == ["failed", "done", "done"]
    assert "routes.owner" in results[0].reason
