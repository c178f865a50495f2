from __future__ import annotations

import random
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from control.snapshot_keys import (
    boxes,
    current_key,
    generation_key,
    generation_prefix,
    generations,
    meta_key,
)

_PREFIX = "control/registry-snapshots/a1/"
_STAMP = f"{_PREFIX}20260907T100000Z.db"


@pytest.mark.behaviour(42)
def test_keys() -> None:
    """The three keys of a box are these and no others."""
    assert current_key("a1") == "control/registry-snapshot/a1.db"
    assert meta_key("a1") == "control/registry-snapshot/a1.json"
    assert generation_prefix("a1") == _PREFIX


@pytest.mark.behaviour(43)
def test_two_boxes() -> None:
    """They share no key, and neither has the fixed keys from before there were several boxes."""
    now = datetime(2026, 9, 7, 10, tzinfo=timezone.utc)
    a, b = ({current_key(x), meta_key(x), generation_key(x, now)} for x in ("a", "a-b"))

    assert not a & b
    assert not (a | b) & {"control/registry-snapshot.db", "control/registry-snapshot.json"}
    assert not generation_key("a-b", now).startswith(generation_prefix("a"))


@pytest.mark.behaviour(50)
def test_generation() -> None:
    """It is named after its moment, to the second."""
    now = datetime(2026, 9, 7, 10, 0, 0, 999_999, tzinfo=timezone.utc)

    assert generation_key("a1", now) == _STAMP


@pytest.mark.behaviour(51)
def test_generation_of_a_local_time() -> None:
    """Its stamp is UTC."""
    now = datetime(2026, 9, 7, 12, tzinfo=timezone(timedelta(hours=2)))

    assert generation_key("a1", now) == _STAMP


@pytest.mark.behaviour(60)
@pytest.mark.parametrize(
    "name",
    [
        *("README", "20260907T100000Z", "20260907T100000Z.json", "20260907T100000Z.db.tmp"),
        *("20260907t100000z.db", "20260907T100000.db", "2026-09-07T10:00:00Z.db", ".db"),
        *("99999999T999999Z.db", "20260230T000000Z.db", "x/20260907T100000Z.db", " .db"),
        *("\u0662\u0660260907T100000Z.db", "20260907T100000Z.db\n", "20260907T100000Z.db/"),
    ],
)
def test_foreign_key(name: str) -> None:
    """What is not exactly a stamp of a real moment and .db is none of our generations."""
    found = generations("a1", [_PREFIX + name, _STAMP])

    assert found.keys == (_STAMP,)
    assert found.foreign == (_PREFIX + name,)


@given(st.lists(st.integers(0, 4_000_000_000), max_size=20), st.randoms())
def test_order(seconds: list[int], chance: random.Random) -> None:
    """Generations come in the order of their times, whatever the order they were listed in."""
    moments = [datetime.fromtimestamp(each, timezone.utc) for each in sorted(seconds)]
    keys = [generation_key("a1", moment) for moment in moments]
    shuffled = chance.sample(keys, len(keys))

    assert list(generations("a1", shuffled).keys) == keys


def test_boxes() -> None:
    """A box is known by either of its current objects, or by its generations; strays are not."""
    listing = [
        *(current_key("a1"), meta_key("a1"), meta_key("b2"), current_key("c3")),
        *("control/registry-snapshot/x.txt", "control/registry-snapshot/Not A Box.db"),
        "control/registry-snapshot/deep/x.db",
    ]

    assert boxes(listing, ["d4", "c3", "NOT"]) == ("a1", "b2", "c3", "d4")
