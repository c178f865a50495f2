"""A registry as the fold sees it, and a plan's changes as the registry makes them."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from folds.sidecar_changes import ColumnsChange, Converge, Mint, Removal
from folds.sidecar_rows import Row, StrangeRow
from providers.sidecar_registry import operation_of, rows_in
from registry import operations
from registry.route import COLUMNS, DEFAULTS, Route
from tests.registry.samples import registry_of, run, sidecar
from tests.support.sidecar_box import host_of, key_of

_NAMES = tuple(field.name for field in fields(Row))


def test_columns_of_a_row() -> None:
    """The fold's row has the registry's, in the same order, but for those that are others'."""
    others = ("steering", "caps", "unit", "replication", "canary", "seed", "version", "next_due")
    assert (*_NAMES[:18], *others, *_NAMES[18:]) == COLUMNS


def test_every_column_of_a_row(tmp_path: Path) -> None:
    """Each comes from the column of its name and goes back there: no two are alike."""
    distinct: dict[str, Any] = {
        name: f"{name}!" if isinstance(default, str) else number
        for number, (name, default) in enumerate(zip(COLUMNS, DEFAULTS, strict=True), 1)
    }
    route = Route(**distinct | {"kind": "sidecar", "provisioned": 1})
    (row,) = rows_in(registry_of(tmp_path / "r.db", route)).rows
    assert asdict(row) == {name: getattr(route, name) for name in _NAMES}
    made = operation_of(Mint(row))
    assert isinstance(made, operations.Mint)
    of_others: dict[str, Any] = dict(zip(COLUMNS, DEFAULTS, strict=True))
    assert made.route == Route(**of_others | asdict(row))


def test_rows(tmp_path: Path) -> None:
    """Each row by its columns; one that is none keeps its host and its reason."""
    path = registry_of(tmp_path / "r.db", sidecar("a", caps="x"), sidecar("b"))
    run(path, "UPDATE routes SET kind = x'00' WHERE slug = 'b'")
    found = rows_in(path)
    assert found.rows == (Row(**{name: getattr(sidecar("a"), name) for name in _NAMES}),)
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
