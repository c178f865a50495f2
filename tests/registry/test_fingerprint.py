"""What the fingerprint of a registry tells apart, and what not."""

from __future__ import annotations

from pathlib import Path

import pytest

from registry.connection import reading
from registry.fingerprint import snapshot_fingerprint
from registry.lineage import begin, confirm
from registry.route import COLUMNS, TYPES
from tests.registry.samples import fingerprint, insert, opened, run, sidecar


def after(path: Path, *statements: str) -> str:
    run(path, *statements)
    return fingerprint(path)


@pytest.fixture
def extended(registry: Path) -> Path:
    """A registry with tables of the platform's: keyed, without a key, without rowid, counted."""
    run(
        registry,
        "CREATE TABLE grants (host TEXT, cap, PRIMARY KEY (cap, host))",
        "INSERT INTO grants VALUES ('a', 'read'), ('b', 'write')",
        "CREATE TABLE log (said)",
        "INSERT INTO log VALUES ('x'), ('x'), (NULL)",
        "CREATE TABLE labels (name TEXT PRIMARY KEY COLLATE NOCASE, n) WITHOUT ROWID",
        "INSERT INTO labels VALUES ('B', 1), ('a', 2)",
        "CREATE TABLE jobs (id INTEGER PRIMARY KEY AUTOINCREMENT, said)",
        "INSERT INTO jobs (said) VALUES ('x'), ('y')",
    )
    return registry


@pytest.mark.parametrize(("column", "kind"), tuple(zip(COLUMNS, TYPES, strict=True)))
def test_every_column_counts(registry: Path, column: str, kind: type) -> None:
    """A change in any column of one row is another fingerprint."""
    before = fingerprint(registry)
    value = "'changed'" if kind is str else "123"
    assert after(registry, f"UPDATE routes SET {column} = {value} WHERE slug = 'b'") != before  # noqa: S608


@pytest.mark.behaviour(46)
@pytest.mark.parametrize(
    "change",
    [
        "caps = 'x'",
        "unit = 'x'",
        "replication = 'x'",
        "environment = 'x'",
        "account = 'x'",
        "canary = 1",
        "provisioned = 0",
    ],
)
def test_columns_that_the_edge_does_not_read(registry: Path, change: str) -> None:
    """A change in a column that only a snapshot can bring back counts on its own."""
    before = fingerprint(registry)
    assert after(registry, f"UPDATE routes SET {change} WHERE slug = 'b'") != before  # noqa: S608


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE grants SET cap = 'admin' WHERE host = 'a'",
        "INSERT INTO log VALUES ('x')",
        "UPDATE labels SET n = 3 WHERE name = 'a'",
        "UPDATE labels SET name = 'A' WHERE name = 'a'",
        "DELETE FROM jobs WHERE id = 1",
        "ALTER TABLE log ADD COLUMN more",
        "CREATE TABLE new (x)",
        "CREATE INDEX by_app ON routes (app)",
        "CREATE VIEW running AS SELECT host FROM routes",
        "CREATE TRIGGER t AFTER DELETE ON routes BEGIN SELECT 1; END",
        "PRAGMA user_version = 8",
        "PRAGMA application_id = 8",
    ],
)
def test_other_tables_and_the_schema_count(extended: Path, statement: str) -> None:
    """Whatever else the platform keeps in the file counts, and so does the schema."""
    before = fingerprint(extended)
    assert after(extended, statement) != before


VALUES = [
    "NULL",
    "''",
    "'0'",
    "0",
    "0.5",
    "1",
    "1.0",
    "'1'",
    "x'31'",
    "'a'||char(0)||'b'",
    "'a'",
    "'a'||char(0)||'c'",
    "x''",
    "'NULL'",
    "-1",
    "9007199254740993",
    "9007199254740992.0",
]


def test_types_are_told_apart(extended: Path) -> None:
    """NULL, '', 1, 1.0, '1', a blob and a text cut by NUL are each their own."""
    made = {after(extended, f"UPDATE log SET said = {value}") for value in VALUES}  # noqa: S608
    assert len(made) == len(VALUES)


def test_not_a_number_is_null(extended: Path) -> None:
    """SQLite stores NaN as NULL, so NULL is what a snapshot of it holds."""
    null = after(extended, "UPDATE log SET said = NULL")
    with opened(extended) as connection:
        connection.execute("UPDATE log SET said = ?", (float("nan"),))
    assert fingerprint(extended) == null


def test_values_do_not_run_together(extended: Path) -> None:
    """What leaves one column does not look the same in the next, or in the next row."""
    run(extended, "CREATE TABLE pair (x, y)")
    rows = [
        "('ab', 'c'), ('', '')",
        "('a', 'bc'), ('', '')",
        "('a', ''), ('bc', '')",
        "('atb', 'c'), ('', '')",
        "('a', 'btc'), ('', '')",
    ]
    made = {
        after(extended, "DELETE FROM pair", f"INSERT INTO pair VALUES {each}")  # noqa: S608
        for each in rows
    }
    assert len(made) == len(rows)


def test_same_rows_in_another_order(extended: Path) -> None:
    """Rows that went and came back in another order are the same rows."""
    before = fingerprint(extended)
    run(extended, "DELETE FROM routes", "DELETE FROM log", "DELETE FROM grants")
    insert(extended, [sidecar(name) for name in ("c", "a", "b")])
    run(extended, "INSERT INTO grants VALUES ('b', 'write'), ('a', 'read')")
    assert after(extended, "INSERT INTO log VALUES (NULL), ('x'), ('x')") == before


def test_vacuum(extended: Path) -> None:
    """VACUUM rewrites every page and changes nothing."""
    run(extended, "DELETE FROM routes WHERE slug = 'a'")
    before = fingerprint(extended)
    assert after(extended, "VACUUM") == before


def test_checkpoint_and_journal_mode(extended: Path) -> None:
    """Where a row stands, in the file or its -wal, is not what it says."""
    before = fingerprint(extended)
    assert after(extended, "PRAGMA journal_mode = DELETE") == before


def test_row_that_came_and_went(extended: Path) -> None:
    """A row that is gone again left no trace, except that an id was given away."""
    before = fingerprint(extended)
    insert(extended, [sidecar("d")])
    assert after(extended, "DELETE FROM routes WHERE slug = 'd'") == before
    run(extended, "INSERT INTO jobs (said) VALUES ('z')")
    assert after(extended, "DELETE FROM jobs WHERE said = 'z'") != before


def test_lineage_does_not_count(extended: Path) -> None:
    """Neither making the lineage table nor writing it changes the fingerprint."""
    before = fingerprint(extended)
    begin(extended, "f1", "line")
    assert fingerprint(extended) == before
    confirm(extended, "f1")
    assert fingerprint(extended) == before


def test_null_in_a_key(registry: Path) -> None:
    """SQLite lets many rows have NULL in their key: their order is still nobody's business."""
    run(registry, "CREATE TABLE odd (k TEXT PRIMARY KEY, v)")
    first = after(registry, "INSERT INTO odd VALUES (NULL, 1), (NULL, 2), ('a', 3)")
    run(registry, "DELETE FROM odd")
    assert after(registry, "INSERT INTO odd VALUES ('a', 3), (NULL, 2), (NULL, 1)") == first


def test_collation_of_the_platform(registry: Path) -> None:
    """A key may be ordered by a rule that only the platform knows."""
    with opened(registry) as platform:
        platform.create_collation("odd", lambda one, other: (one < other) - (one > other))
        platform.execute("CREATE TABLE words (said TEXT PRIMARY KEY COLLATE odd)")
        platform.execute("INSERT INTO words VALUES ('a'), ('b')")
        first = fingerprint(registry)
        platform.execute("DELETE FROM words")
        platform.execute("INSERT INTO words VALUES ('b'), ('a')")
    assert fingerprint(registry) == first


def test_odd_names(registry: Path) -> None:
    """Tables and columns may be called anything."""
    run(registry, 'CREATE TABLE "a""b;--" ("select" PRIMARY KEY, "x y")')
    before = fingerprint(registry)
    assert after(registry, """INSERT INTO "a""b;--" VALUES (1, 2)""") != before


def test_text_that_is_not_utf8(registry: Path) -> None:
    """Any bytes have a fingerprint, and the connection reads text as before."""
    run(registry, "UPDATE routes SET version = CAST(x'ff' AS TEXT)")
    with reading(registry) as connection:
        snapshot_fingerprint(connection)
        assert connection.execute("SELECT 'a'").fetchone() == ("a",)


def test_generated_and_virtual(registry: Path) -> None:
    """A virtual table counts by its shadow tables, a generated column by what it is made of."""
    run(registry, "CREATE VIRTUAL TABLE words USING fts5 (said)")
    run(registry, "CREATE TABLE made (x, y AS (x + 1))")
    before = fingerprint(registry)
    assert after(registry, "INSERT INTO words VALUES ('hello')") != before


def test_virtual_table_of_the_platform(registry: Path) -> None:
    """A virtual table whose module only the platform has is in the schema, and stops nothing."""
    before = fingerprint(registry)
    made = "'CREATE VIRTUAL TABLE near USING platform_geo (x)'"
    entry = f"INSERT INTO sqlite_master VALUES ('table', 'near', 'near', 0, {made})"  # noqa: S608
    assert after(registry, "PRAGMA writable_schema = ON", entry) != before
