"""What a file must be to be a registry."""

from __future__ import annotations

from pathlib import Path

import pytest

from registry.connection import reading, writing
from registry.errors import (
    ColumnsMissing,
    NoRoutesTable,
    NoTables,
    NotARegistry,
    NotSqlite,
    OtherApplication,
    RegistryEmpty,
    RegistryError,
    RegistryMissing,
    RegistryUnopenable,
)
from registry.route import COLUMNS
from registry.schema import create
from tests.registry.samples import names_beside, run


def refusal(path: Path) -> RegistryError:
    """Return the error of a look, and hold that a write gets the same."""
    with pytest.raises(RegistryError) as writer, writing(path):
        pass
    with pytest.raises(RegistryError) as reader, reading(path):
        pass
    assert type(writer.value) is type(reader.value)
    assert str(writer.value) == str(reader.value)
    return reader.value


def test_missing_file(tmp_path: Path) -> None:
    """A missing file is said to be missing, and looking does not create it."""
    path = tmp_path / "registry.db"
    assert isinstance(refusal(path), RegistryMissing)
    assert names_beside(path) == []


def test_zero_bytes(tmp_path: Path) -> None:
    """A file without a byte, which SQLite calls a healthy database, is refused and left so."""
    path = tmp_path / "registry.db"
    path.touch()
    assert isinstance(refusal(path), RegistryEmpty)
    assert names_beside(path) == ["registry.db"]
    assert path.stat().st_size == 0


def test_no_table_at_all(tmp_path: Path) -> None:
    """A database without a table, which passes the integrity check, is a broken copy."""
    path = tmp_path / "registry.db"
    run(path, "PRAGMA user_version = 3")
    assert isinstance(refusal(path), NoTables)


def test_residue_of_a_copy_that_broke_off(tmp_path: Path) -> None:
    """A file that begins with zero bytes is no registry, whatever SQLite makes of it."""
    path = tmp_path / "registry.db"
    path.write_bytes(bytes(8192))
    assert isinstance(refusal(path), NotARegistry)


def test_no_routes_among_the_tables(tmp_path: Path) -> None:
    """Tables, none of them `routes`: they are named."""
    path = tmp_path / "registry.db"
    run(path, "CREATE TABLE grants (host)", "CREATE VIEW routes AS SELECT host FROM grants")
    error = refusal(path)
    assert isinstance(error, NoRoutesTable)
    assert "grants" in str(error)


def test_application_id_of_another_program(tmp_path: Path) -> None:
    """A database that says whose it is, and has no `routes`, is another application's."""
    path = tmp_path / "registry.db"
    run(path, "PRAGMA application_id = 0x0f055112", "CREATE TABLE event (id)")
    error = refusal(path)
    assert isinstance(error, OtherApplication)
    assert "0x0f055112" in str(error)


def test_routes_of_another_program(tmp_path: Path) -> None:
    """A `routes` that has no host is another application's, not an old registry."""
    path = tmp_path / "registry.db"
    run(path, "CREATE TABLE routes (route_id, agency_id, route_type)")
    assert isinstance(refusal(path), OtherApplication)


@pytest.mark.parametrize("body", [b"<html>502</html>" * 100, b"\x1f\x8b" + bytes(600)])
def test_not_sqlite(tmp_path: Path, body: bytes) -> None:
    """A page or an archive in its place is not an SQLite database."""
    path = tmp_path / "registry.db"
    path.write_bytes(body)
    assert isinstance(refusal(path), NotSqlite)
    assert path.read_bytes() == body


def test_missing_columns(registry: Path) -> None:
    """Every missing column is named."""
    run(registry, "ALTER TABLE routes DROP COLUMN hold", "ALTER TABLE routes DROP COLUMN caps")
    error = refusal(registry)
    assert isinstance(error, ColumnsMissing)
    assert error.columns == ("caps", "hold")
    assert "lacks 2 columns: caps, hold" in str(error)


def test_other_letters_in_a_column_name(registry: Path) -> None:
    """SQLite's names know no case."""
    run(registry, "ALTER TABLE routes RENAME COLUMN hold TO Hold")
    with reading(registry) as connection:
        assert connection.execute("SELECT count(hold) FROM routes").fetchone() == (3,)


def test_folder_in_its_place(tmp_path: Path) -> None:
    """What is not a file is not even tried: a pipe could have us wait for ever."""
    error = refusal(tmp_path)
    assert isinstance(error, RegistryUnopenable)
    assert "not a file" in str(error)


def test_file_in_place_of_its_folder(registry: Path) -> None:
    """A path through a file cannot be opened."""
    assert isinstance(refusal(registry / "registry.db"), RegistryUnopenable)


def test_text_of_the_file_in_a_message(tmp_path: Path) -> None:
    """What stands in the file is escaped: one line, no command for a terminal."""
    path = tmp_path / "registry.db"
    run(path, 'CREATE TABLE "a\x1b[2J\n::error::b" (x)')
    assert "a\\x1b[2J\\n::error::b" in str(refusal(path))


def test_created_registry(tmp_path: Path) -> None:
    """A new registry has every known column, in order, and no row."""
    path = tmp_path / "registry.db"
    create(path)
    with reading(path) as connection:
        rows = connection.execute("SELECT * FROM routes")
        assert tuple(column[0] for column in rows.description) == COLUMNS
        assert rows.fetchall() == []
