"""Reading rows, whatever their values are."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from registry.connection import reading
from registry.route import COLUMNS, DEFAULTS, TYPES, Route
from registry.rows import Rows, StrangeRow, read_route, read_rows
from tests.registry.samples import ACCOUNT, APP, opened, registry_of, run, sidecar

_KINDS = tuple(zip(COLUMNS, TYPES, strict=True))
LOOSE = f"CREATE TABLE routes ({', '.join(COLUMNS)})"


def rows_of(path: Path) -> Rows:
    with reading(path) as connection:
        return read_rows(connection)


def strange_of(path: Path) -> tuple[StrangeRow, ...]:
    rows = rows_of(path)
    assert rows.routes == ()
    return rows.strange


def test_every_column(tmp_path: Path) -> None:
    """Each column comes back as the value and type it was written with."""
    values = [f"{name} \u00e9\x00" if kind is str else 7 for name, kind in _KINDS]
    route = Route._make(values)
    assert rows_of(registry_of(tmp_path / "r.db", route)) == Rows((route,), ())


def test_order(tmp_path: Path) -> None:
    """Rows come by host, whatever the order in the file."""
    routes = [sidecar(f"s{number:02}") for number in range(20)]
    shuffled = random.Random(1).sample(routes, len(routes))
    assert rows_of(registry_of(tmp_path / "r.db", *shuffled)).routes == tuple(routes)


def test_defaults(registry: Path) -> None:
    """A row that only has a host is a route of defaults."""
    run(registry, "DELETE FROM routes", "INSERT INTO routes (host) VALUES ('h')")
    assert rows_of(registry).routes == (Route("h"),)
    assert Route("") == DEFAULTS


def test_extra_columns(registry: Path) -> None:
    """A column that nobody here knows changes nothing."""
    before = rows_of(registry)
    run(registry, "ALTER TABLE routes ADD COLUMN note TEXT DEFAULT 'x'")
    assert rows_of(registry) == before


def test_null(tmp_path: Path) -> None:
    """Where the platform's table allows NULL, it reads as the column's default."""
    path = tmp_path / "r.db"
    run(path, LOOSE, "INSERT INTO routes (host, kind) VALUES ('h', 'exec')")
    assert rows_of(path).routes == (Route("h", kind="exec"),)


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("canary", "'yes'", "canary is text, not an integer"),
        ("idle_seconds", "1.5", "idle_seconds is a real, not an integer"),
        ("kind", "x'00'", "kind is a blob or not UTF-8, not text"),
        ("version", "CAST(x'ff' AS TEXT)", "version is a blob or not UTF-8, not text"),
    ],
)
def test_value_of_an_unexpected_type(registry: Path, column: str, value: str, reason: str) -> None:
    """A row that no route can stand for is set apart by name; the others are read."""
    run(registry, f"UPDATE routes SET {column} = {value} WHERE slug = 'b'")  # noqa: S608
    rows = rows_of(registry)
    assert [route.slug for route in rows.routes] == ["a", "c"]
    assert rows.strange == (StrangeRow(sidecar("b").host, reason),)


def test_row_without_a_host(tmp_path: Path) -> None:
    """A key that is not text is shown as Python writes it."""
    path = tmp_path / "r.db"
    run(path, LOOSE, "INSERT INTO routes (host) VALUES (NULL), (1), (x'61')")
    assert [row.host for row in strange_of(path)] == ["1", "None", "b'a'"]


def test_text_factory_stays(registry: Path) -> None:
    """Reading odd text leaves the connection as it was."""
    run(registry, "UPDATE routes SET version = CAST(x'ff' AS TEXT)")
    with reading(registry) as connection:
        read_rows(connection)
        assert connection.text_factory is str


@pytest.mark.behaviour(120)
@pytest.mark.parametrize(
    "other", [{"kind": "exec"}, {"provisioned": 0}, {"app": "twelve"}, {"account": "bdf"}]
)
def test_owned_row(other: dict[str, str | int]) -> None:
    """Owned means kind sidecar, provisioned, same app and same account: all four."""
    assert sidecar("a").owned_by(APP, ACCOUNT)
    assert not sidecar("a", **other).owned_by(APP, ACCOUNT)


def test_affinity_of_a_number(registry: Path) -> None:
    """SQLite itself stores a number as text in a text column, so it reads as text."""
    with opened(registry) as connection:
        connection.execute("UPDATE routes SET caps = 5")
    assert {route.caps for route in rows_of(registry).routes} == {"5"}


def one_of(path: Path, host: str) -> Route | None:
    with reading(path) as connection:
        return read_route(connection, host)


def test_one_row(registry: Path) -> None:
    """It is the same as among all, and none where there is none."""
    run(registry, "ALTER TABLE routes ADD COLUMN note TEXT DEFAULT 'x'")
    assert one_of(registry, sidecar("b").host) == sidecar("b")
    assert one_of(registry, "none.example") is None


def test_one_row_of_nulls_and_a_strange_one(tmp_path: Path) -> None:
    """NULLs read as defaults; a row that no route stands for is none."""
    path = tmp_path / "r.db"
    with opened(path) as connection:
        connection.execute(LOOSE)
        connection.execute("INSERT INTO routes (host) VALUES ('h'), ('text'), ('bytes'), ('raw')")
        connection.execute("UPDATE routes SET next_due = 'soon' WHERE host = 'text'")
        connection.execute("UPDATE routes SET args = x'ff' WHERE host = 'bytes'")
        connection.execute("UPDATE routes SET args = CAST(x'ff' AS TEXT) WHERE host = 'raw'")
    assert one_of(path, "h") == Route("h")
    assert [one_of(path, host) for host in ("text", "bytes", "raw")] == [None] * 3
