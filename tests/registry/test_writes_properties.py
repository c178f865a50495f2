"""Any operations on any rows: what is not ours, and what is not named, stays as it is."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from registry.operations import (
    CLAIM_COLUMNS,
    CONVERGED,
    Change,
    Converge,
    Hold,
    Mint,
    Operation,
    Ownership,
    Remove,
    Result,
)
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
    {"hold": "op-1"},
    {"hold": "op-2"},
    {"claim_stamp": 6, "claim_incarnation": "old"},
    {"claim_stamp": 7},
    {"claim_stamp": 7, "claim_incarnation": "mine"},
    {"claim_stamp": 7, "claim_incarnation": "other"},
    {"claim_stamp": 8, "claim_incarnation": "mine"},
]
CLAIM = Ownership("key", "mine", "sidecar", 7)
Row = dict[str, Any]
Rows = dict[str, Row]

CHANGES = {
    columns: Change(columns, (), tuple(WANTED[each] for each in columns)) for columns in CONVERGED
}


def operations() -> st.SearchStrategy[list[Operation]]:
    """Up to one operation per host, in any order."""
    hosts = st.sampled_from([sidecar(name).host for name in NAMES])
    groups = st.lists(st.sampled_from(CONVERGED), unique=True, min_size=1)
    claims = st.sampled_from([None, CLAIM])
    converge = st.builds(
        lambda host, columns, claim: Converge(
            host, APP, ACCOUNT, tuple(CHANGES[each] for each in columns), claim
        ),
        hosts,
        groups,
        claims,
    )
    remove = st.builds(lambda host, claim: Remove(host, APP, ACCOUNT, claim), hosts, claims)
    hold = st.builds(lambda host, claim: Hold(host, APP, ACCOUNT, "op-1", claim), hosts, claims)
    names = st.sampled_from(NAMES)
    mint = st.builds(lambda name, claim: Mint(sidecar(name, seed="new"), claim), names, claims)
    return st.lists(mint | converge | remove | hold, unique_by=lambda each: each.host)


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


def claimed(claim: Ownership | None) -> Row:
    return dict(zip(CLAIM_COLUMNS, claim.columns, strict=True)) if claim else {}


def writable(row: Row, claim: Ownership | None) -> bool:
    """Say whether a row is ours, nobody's to hold, and of no newer claim."""
    stamp, incarnation = row["claim_stamp"], row["claim_incarnation"]
    newer = claim and (
        stamp > claim.stamp or (stamp == claim.stamp and incarnation not in ("", claim.incarnation))
    )
    return ours(row) and not row["hold"] and not newer


def expected(before: Rows, operation: Operation) -> Row | None:
    """Return what the operation makes of its row, by the rules and nothing else."""
    row, claim = before.get(operation.host), operation.ownership
    if isinstance(operation, Mint):
        minted = dict(zip(COLUMNS, operation.route, strict=True)) | {"note": "default"}
        return minted | claimed(claim) if row is None else row
    if row is None or not writable(row, claim):
        return row
    if isinstance(operation, Remove):
        return None
    if isinstance(operation, Hold):
        return row | {"hold": operation.op}
    written = [column for change in operation.changes for column in change.columns]
    return row | {column: WANTED[column] for column in written} | claimed(claim)


@settings(deadline=None, max_examples=150)
@given(st.dictionaries(st.sampled_from(NAMES), st.sampled_from(FOREIGN)), operations())
def test_rows_and_columns_that_are_not_named(
    there: dict[str, dict[str, str | int]], wanted: list[Operation]
) -> None:
    """Each row is what the rules make of it; all others, and other tables, are untouched."""
    with tempfile.TemporaryDirectory() as folder:
        path = registry_of(Path(folder, "registry.db"))
        run(path, "ALTER TABLE routes ADD COLUMN note TEXT DEFAULT 'default'")
        insert(path, [sidecar(name, version="v", **more) for name, more in there.items()])
        run(path, "UPDATE routes SET note = 'kept'", "CREATE TABLE grants AS SELECT * FROM routes")
        before = rows(path)
        results: tuple[Result, ...] = apply(path, wanted, batch=2)
        after = {operation.host: expected(before, operation) for operation in wanted}
        assert rows(path) == {host: row for host, row in (before | after).items() if row}
        assert [result.operation for result in results] == wanted
        with opened(path) as connection:
            assert len(connection.execute("SELECT * FROM grants").fetchall()) == len(before)
