"""What one operation does to its row, and to nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from registry.connection import reading
from registry.operations import Change, Converge, Mint, Operation, Remove, Result
from registry.route import Route
from registry.rows import read_rows
from registry.writes import apply
from tests.registry.samples import ACCOUNT, APP, dump, insert, opened, run, sidecar

CHANNEL = Change(("channel",), ("edge",), ("beta",))
CEILINGS = Change(("idle_seconds", "max_run_seconds"), (300, 3600), (60, 600))
EVERY = (
    CHANNEL,
    Change(("environment",), ("",), ("blue",)),
    Change(("hibernate",), (1,), (0,)),
    Change(("args",), ('["bot","run"]',), ("",)),
    CEILINGS,
)


def converge(name: str, *changes: Change) -> Converge:
    return Converge(sidecar(name).host, APP, ACCOUNT, changes)


def remove(name: str) -> Remove:
    return Remove(sidecar(name).host, APP, ACCOUNT)


def routes(path: Path) -> dict[str, Route]:
    with reading(path) as connection:
        return {route.host: route for route in read_rows(connection).routes}


def one(path: Path, operation: Operation) -> Result:
    (result,) = apply(path, [operation])
    assert result.operation is operation
    return result


def route_of(path: Path, name: str) -> Route:
    return routes(path)[sidecar(name).host]


def test_mint(registry: Path) -> None:
    """A minted row has every known column, and the default in every other."""
    run(registry, "ALTER TABLE routes ADD COLUMN note TEXT NOT NULL DEFAULT 'none'")
    new = sidecar("new", claim_key="k", claim_stamp=7, seed="s")
    assert one(registry, Mint(new)).outcome == "done"
    assert route_of(registry, "new") == new
    with opened(registry) as connection:
        notes = connection.execute("SELECT DISTINCT note FROM routes").fetchall()
    assert notes == [("none",)]


@pytest.mark.behaviour(121)
@pytest.mark.parametrize("there", [{"kind": "exec"}, {"provisioned": 0}, {"app": "x"}, {}])
def test_mint_where_a_row_is(registry: Path, there: dict[str, str | int]) -> None:
    """A row at the host, by hand or not, is never adopted nor written over."""
    insert(registry, [sidecar("new", channel="mine", **there)])
    before = dump(registry)
    assert one(registry, Mint(sidecar("new"))).outcome == "refused"
    assert dump(registry) == before


def test_mint_into_a_table_that_replaces(registry: Path) -> None:
    """Not even a table whose key says ON CONFLICT REPLACE loses a row."""
    with opened(registry) as connection:
        (made,) = connection.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'routes'"
        ).fetchone()
        connection.execute("DROP TABLE routes")
        connection.execute(made.replace("PRIMARY KEY", "PRIMARY KEY ON CONFLICT REPLACE"))
    insert(registry, [sidecar("a", kind="exec")])
    assert one(registry, Mint(sidecar("a"))).outcome == "refused"
    assert route_of(registry, "a").kind == "exec"


@pytest.mark.parametrize("wrong", [{"kind": "exec"}, {"provisioned": 0}])
def test_mint_of_a_row_that_nobody_would_own(wrong: dict[str, str | int]) -> None:
    """Only rows that a later pass can converge and retire are minted."""
    with pytest.raises(ValueError, match="only provisioned sidecar rows"):
        Mint(sidecar("new", **wrong))


@pytest.mark.behaviour(145)
def test_converge_every_column(registry: Path) -> None:
    """Each column is written by itself; what others write meanwhile stays."""
    run(registry, "UPDATE routes SET version = 'v9', next_due = 99, claim_stamp = 5, caps = 'all'")
    result = one(registry, converge("b", *EVERY))
    assert result.written == (
        "channel",
        "environment",
        "hibernate",
        "args",
        "idle_seconds",
        "max_run_seconds",
    )
    kept: dict[str, str | int] = {"version": "v9", "next_due": 99, "claim_stamp": 5, "caps": "all"}
    wanted: dict[str, str | int] = {
        "channel": "beta",
        "environment": "blue",
        "hibernate": 0,
        "args": "",
    }
    wanted |= {"idle_seconds": 60, "max_run_seconds": 600}
    assert route_of(registry, "b") == sidecar("b", **kept, **wanted)
    assert route_of(registry, "a") == sidecar("a", **kept)


@pytest.mark.behaviour(144)
@pytest.mark.behaviour(145)
def test_one_update_per_group(registry: Path) -> None:
    """Both ceilings are one UPDATE, the channel another."""
    run(
        registry,
        "CREATE TABLE seen (idle, longest, channel)",
        "CREATE TRIGGER see AFTER UPDATE ON routes BEGIN INSERT INTO seen"
        " VALUES (NEW.idle_seconds, NEW.max_run_seconds, NEW.channel); END",
    )
    one(registry, converge("b", CEILINGS, CHANNEL))
    with opened(registry) as connection:
        assert connection.execute("SELECT * FROM seen").fetchall() == [
            (60, 600, "edge"),
            (60, 600, "beta"),
        ]


@pytest.mark.parametrize(
    "columns", [("version",), ("host",), ("idle_seconds",), ("channel", "environment"), ()]
)
def test_columns_that_do_not_converge(columns: tuple[str, ...]) -> None:
    """No other column can be written, nor one ceiling without the other."""
    with pytest.raises(ValueError, match="is not a group that converges"):
        Change(columns, ("",) * len(columns), ("",) * len(columns))


OTHERS = [{"kind": "exec"}, {"provisioned": 0}, {"app": "twelve"}, {"account": "bdf"}]


@pytest.mark.behaviour(120)
@pytest.mark.parametrize("other", OTHERS)
def test_converge_of_a_row_that_changed_hands(registry: Path, other: dict[str, str | int]) -> None:
    """A row that is not ours by the time of the write is left, and said so."""
    insert(registry, [sidecar("new", **other)])
    before = dump(registry)
    result = one(registry, converge("new", *EVERY))
    assert (result.outcome, result.written) == ("refused", ())
    assert "not ours meanwhile" in result.reason
    assert dump(registry) == before


def test_converge_of_a_row_that_is_gone(registry: Path) -> None:
    """A row that went meanwhile is not made again."""
    before = dump(registry)
    assert one(registry, converge("gone", CHANNEL)).outcome == "refused"
    assert dump(registry) == before


def test_remove(registry: Path) -> None:
    """The row goes; rows of other tables stay, those that name it as well."""
    run(
        registry, "CREATE TABLE grants (host, cap)", "INSERT INTO grants SELECT host, 1 FROM routes"
    )
    before = [line for line in dump(registry) if "grants" in line]
    assert one(registry, remove("b")).outcome == "done"
    assert set(routes(registry)) == {sidecar("a").host, sidecar("c").host}
    assert [line for line in dump(registry) if "grants" in line] == before


@pytest.mark.behaviour(127)
@pytest.mark.parametrize("other", OTHERS)
def test_remove_of_a_row_that_is_not_ours(registry: Path, other: dict[str, str | int]) -> None:
    """Only provisioned rows of kind sidecar are removed, and of the app and account named."""
    insert(registry, [sidecar("new", **other)])
    before = dump(registry)
    assert one(registry, remove("new")).outcome == "refused"
    assert dump(registry) == before


def test_remove_of_a_row_that_is_gone(registry: Path) -> None:
    """Gone is what was wanted."""
    assert one(registry, remove("gone")).outcome == "nothing to do"


def test_text_like_a_statement(registry: Path) -> None:
    """Values are bound, never read as SQL."""
    evil = "x'); DROP TABLE routes; --"
    one(registry, Mint(sidecar("new", args=evil)))
    one(registry, converge("a", Change(("channel",), ("edge",), (evil,))))
    assert route_of(registry, "new").args == route_of(registry, "a").channel == evil


def test_no_operation(registry: Path) -> None:
    """Nothing to do writes nothing."""
    before = registry.read_bytes()
    assert apply(registry, []) == ()
    assert registry.read_bytes() == before
