"""A file is verified before anybody relies on it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from registry.connection import reading
from registry.errors import NotSqlite, RegistryCorrupt, RegistryError, RegistryMissing
from registry.fingerprint import snapshot_fingerprint
from registry.lineage import Lineage, begin
from registry.verify import SnapshotFile, verify_file
from tests.registry.samples import names_beside, opened, run


def test_whole_file(registry: Path) -> None:
    """What is said of a file is of its bytes and of what it holds."""
    begin(registry, "f1", "line")
    body = registry.read_bytes()
    with reading(registry) as connection:
        fingerprint = snapshot_fingerprint(connection)
    digest = hashlib.sha256(body).hexdigest()
    assert verify_file(registry) == SnapshotFile(
        registry, digest, len(body), 3, fingerprint, Lineage("line", "", "f1")
    )
    assert registry.read_bytes() == body
    assert names_beside(registry) == [registry.name]


def test_missing_file(tmp_path: Path) -> None:
    """There is nothing to verify, and nothing is made."""
    with pytest.raises(RegistryMissing):
        verify_file(tmp_path / "r.db")
    assert names_beside(tmp_path / "r.db") == []


def test_index_that_misses_a_row(registry: Path) -> None:
    """Damage that a plain read passes over is found by the integrity check."""
    run(registry, "PRAGMA journal_mode = DELETE", "CREATE INDEX by_slug ON routes (slug)")
    with opened(registry) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_master SET sql = replace(sql, 'slug', 'status') WHERE name = 'by_slug'"
        )
    with pytest.raises(RegistryCorrupt, match="by_slug"):
        verify_file(registry)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_file_cut_short(registry: Path, share: float) -> None:
    """A part of a file is never a registry."""
    run(registry, "PRAGMA journal_mode = DELETE")
    body = registry.read_bytes()
    registry.write_bytes(body[: int(len(body) * share)])
    with pytest.raises(RegistryError):
        verify_file(registry)


def test_page_in_its_place(tmp_path: Path) -> None:
    """An error page that was stored under the snapshot's name is no registry."""
    path = tmp_path / "r.db"
    path.write_text("<html>" * 200)
    with pytest.raises(NotSqlite):
        verify_file(path)
