"""Fingerprints of any content: equal exactly when the content is."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from contextlib import closing
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from registry.fingerprint import snapshot_fingerprint

INTEGERS = st.integers(-(2**63), 2**63 - 1) | st.sampled_from([0, 1, 2**53])
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
FLOATS = st.floats(allow_nan=False)
VALUES = st.none() | INTEGERS | FLOATS | TEXTS | st.binary(max_size=3)
TABLES = {
    "plain": "CREATE TABLE plain (a, b)",
    "keyed": "CREATE TABLE keyed (a, b, PRIMARY KEY (b))",
    "rowless": "CREATE TABLE rowless (a NOT NULL PRIMARY KEY, b) WITHOUT ROWID",
}
Content = dict[str, list[tuple[Any, Any]]]


def contents(least: int = 0) -> st.SearchStrategy[Content]:
    """Rows of each table; a key is text, which SQLite compares by its bytes alone."""
    of: dict[str, st.SearchStrategy[list[tuple[Any, Any]]]] = {
        "plain": st.lists(st.tuples(VALUES, VALUES), min_size=least, max_size=4),
        "keyed": st.lists(st.tuples(VALUES, TEXTS), max_size=4, unique_by=lambda row: row[1]),
        "rowless": st.lists(st.tuples(TEXTS, VALUES), max_size=4, unique_by=lambda row: row[0]),
    }
    return st.fixed_dictionaries(of)


def meaning(content: Content) -> dict[str, Counter[tuple[tuple[str, str], ...]]]:
    """Return what a content says: its rows, counted, each value with its type."""
    return {
        table: Counter(tuple((type(each).__name__, repr(each)) for each in row) for row in rows)
        for table, rows in content.items()
    }


def fingerprint(content: Content, *more: str) -> str:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for table, statement in TABLES.items():
            connection.execute(statement)
            connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", content[table])  # noqa: S608
        for statement in more:
            connection.execute(statement)
        return snapshot_fingerprint(connection)


@settings(deadline=None)
@given(contents(), contents())
def test_any_two_contents(one: Content, other: Content) -> None:
    """Two contents have one fingerprint exactly when they say the same."""
    assert (fingerprint(one) == fingerprint(other)) == (meaning(one) == meaning(other))


@settings(deadline=None)
@given(contents(least=1), VALUES)
def test_one_value_changed(content: Content, value: object) -> None:
    """A change of one value, however small, is another fingerprint."""
    rows = content["plain"]
    changed = {**content, "plain": [(value, rows[0][1]), *rows[1:]]}
    same = meaning(changed) == meaning(content)
    assert (fingerprint(changed) == fingerprint(content)) == same


@settings(deadline=None)
@given(contents(), st.integers())
def test_any_order_of_insertion(content: Content, seed: int) -> None:
    """The order in which rows were inserted does not show."""
    mixed = {table: random.Random(seed).sample(rows, len(rows)) for table, rows in content.items()}
    assert fingerprint(mixed) == fingerprint(content)


@settings(deadline=None)
@given(contents())
def test_vacuum_and_rows_that_came_and_went(content: Content) -> None:
    """Neither VACUUM nor rows that are gone again show."""
    visit = [
        "INSERT INTO plain VALUES ('x', zeroblob(5000))",
        "DELETE FROM plain WHERE b IS zeroblob(5000)",
    ]
    assert fingerprint(content, *visit, "VACUUM") == fingerprint(content)
