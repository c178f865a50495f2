"""A registry as the fold sees it, and a plan's changes as the registry makes them."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from folds.sidecar_changes import ColumnsChange, Converge, Mint, Removal
from folds.sidecar_rows import Row, StrangeRow
from providers.sidecar_registry import operation_of, rows_in
from registry import operations
from registry.route import COLUMNS, Route
from tests.registry.samples import registry_of, run, sidecar
from tests.support.sidecar_box import host_of, key_of


def test_columns_of_a_row() -> None:
    """The fold's row has the first columns of the registry's, in the same order."""
    names = tuple(field.name for field in fields(Row))
    assert names == COLUMNS[: len(names)]


def test_rows(tmp_path: Path) -> None:
    """Each row by its columns; one that is none keeps its host and its reason."""
    path = registry_of(tmp_path / "r.db", sidecar("a", caps="x"), sidecar("b"))
    run(path, "UPDATE routes SET kind = x'00' WHERE slug = 'b'")
    found = rows_in(path)
    row = sidecar("a")
    assert found.rows == (Row(**{field.name: getattr(row, field.name) for field in fields(Row)}),)
    assert found.strange == (StrangeRow(host_of("b"), "kind is a blob or not UTF-8, not text"),)


def test_changes() -> None:
    """Each kind is one operation; a minted row has the defaults in the platform's columns."""
    row = Row(host_of("a"), "a", "sidecar", "eleven", "bab", provisioned=1, status="ready")
    route = Route(host_of("a"), "a", "sidecar", "eleven", "bab", provisioned=1, status="ready")
    change = ColumnsChange(("channel",), ("old",), ("edge",))
    assert operation_of(Mint(row)) == operations.Mint(route)
    assert operation_of(Converge(row.host, "eleven", "bab", (change,))) == operations.Converge(
        row.host, "eleven", "bab", (operations.Change(("channel",), ("old",), ("edge",)),)
    )
    assert operation_of(Removal(row.host, key_of("a"), "absent", "")) == operations.Remove(
        row.host, "eleven", "bab"
    )
