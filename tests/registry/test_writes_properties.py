"""Any operations on any rows: what is not ours, and what is not named, stays as it is."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from registry.operations import CONVERGED, Change, Converge, Mint, Operation, Remove, Result
from registry.route import COLUMNS
from registry.writes import apply
from tests.registry.samples import ACCOUNT, APP, insert, opened, registry_of, run, sidecar

NAMES = ["a", "b", "c", "d"]
WANTED: dict[str, str | int] = {
    "channel": "beta",
    "environment": "blue",
    "hibernate": 0,
    "args": "",
    "idle_seconds": 1,
    "max_run_seconds": 2,
}
FOREIGN: list[dict[str, str | int]] = [
    {},
    {"kind": "exec"},
    {"provisioned": 0},
    {"app": "x"},
    {"account": "x"},
]
Row = dict[str, Any]
Rows = dict[str, Row]

CHANGES = {
    columns: Change(columns, (), tuple(WANTED[each] for each in columns)) for columns in CONVERGED
}


def operations() -> st.SearchStrategy[list[Operation]]:
    """Up to one operation per host, in any order."""
    hosts = st.sampled_from([sidecar(name).host for name in NAMES])
    groups = st.lists(st.sampled_from(CONVERGED), unique=True, min_size=1)
    converge = st.builds(
        lambda host, columns: Converge(
            host, APP, ACCOUNT, tuple(CHANGES[each] for each in columns)
        ),
        hosts,
        groups,
    )
    remove = st.builds(lambda host: Remove(host, APP, ACCOUNT), hosts)
    mint = st.builds(lambda name: Mint(sidecar(name, seed="new")), st.sampled_from(NAMES))
    return st.lists(mint | converge | remove, unique_by=lambda each: each.host)


def rows(path: Path) -> Rows:
    """Return every row with all its columns, extra ones too."""
    with opened(path) as connection:
        found = connection.execute("SELECT * FROM routes")
        names = [column[0] for column in found.description]
        return {row[0]: dict(zip(names, row, strict=True)) for row in found}


def ours(row: Row) -> bool:
    return (row["kind"], row["provisioned"], row["app"], row["account"]) == (
        "sidecar",
        1,
        APP,
        ACCOUNT,
    )


def expected(before: Rows, operation: Operation) -> Row | None:
    """Return what the operation makes of its row, by the rules and nothing else."""
    row = before.get(operation.host)
    if isinstance(operation, Mint):
        minted = dict(zip(COLUMNS, operation.route, strict=True)) | {"note": "default"}
        return minted if row is None else row
    if row is None or not ours(row):
        return row
    if isinstance(operation, Remove):
        return None
    written = [column for change in operation.changes for column in change.columns]
    return row | {column: WANTED[column] for column in written}


@settings(deadline=None, max_examples=60)
@given(st.dictionaries(st.sampled_from(NAMES), st.sampled_from(FOREIGN)), operations())
def test_rows_and_columns_that_are_not_named(
    there: dict[str, dict[str, str | int]], wanted: list[Operation]
) -> None:
    """Each row is what the rules make of it; all others, and other tables, are untouched."""
    with tempfile.TemporaryDirectory() as folder:
        path = registry_of(Path(folder, "registry.db"))
        run(path, "ALTER TABLE routes ADD COLUMN note TEXT DEFAULT 'default'")
        insert(path, [sidecar(name, version="v", hold="h", **more) for name, more in there.items()])
        run(path, "UPDATE routes SET note = 'kept'", "CREATE TABLE grants AS SELECT * FROM routes")
        before = rows(path)
        results: tuple[Result, ...] = apply(path, wanted, batch=2)
        after = {operation.host: expected(before, operation) for operation in wanted}
        assert rows(path) == {host: row for host, row in (before | after).items() if row}
        assert [result.operation for result in results] == wanted
        with opened(path) as connection:
            assert len(connection.execute("SELECT * FROM grants").fetchall()) == len(before)
