from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest

from policy.guards import SummaryUnreadableError, read_steering
from tests.policy.summaries import QUIET, fields, shrinking, summary


def test_numbers_as_the_engine_sends_them() -> None:
    """Every number arrives as a float."""
    floats = {key: float(value) if type(value) is int else value for key, value in QUIET.items()}
    assert read_steering(MappingProxyType(floats)) == summary()


@pytest.mark.parametrize("key", QUIET)
def test_missing_key(key: str) -> None:
    """No key has a default: its absence is said by its name."""
    with pytest.raises(SummaryUnreadableError, match=f"^{key}: Field required$"):
        read_steering({name: value for name, value in QUIET.items() if name != key})


@pytest.mark.parametrize(
    "wrong",
    [
        {"managed": 1.5},
        {"managed": -1},
        {"managed": None},
        {"managed": "many"},
        {"managed": float("nan")},
        {"more": 1},
        {"vanished": "a"},
        {"shrinking": [{**shrinking("a", 1), "removed": -1}]},
        {"shrinking": [{"name": "a"}]},
        {"end": []},
    ],
)
def test_wrong_value(wrong: dict[str, Any]) -> None:
    """It is unreadable, whatever the rest says; the message names where."""
    with pytest.raises(SummaryUnreadableError, match=f"^{next(iter(wrong))}"):
        read_steering(fields(wrong))


@pytest.mark.parametrize("raw", [None, "text", 1, [], [QUIET]])
def test_no_object(raw: object) -> None:
    """A summary is an object."""
    with pytest.raises(SummaryUnreadableError, match=f"is a {type(raw).__name__}, not an object"):
        read_steering(raw)


def test_all_mistakes_at_once() -> None:
    """Sorted, in one line."""
    with pytest.raises(SummaryUnreadableError, match=r"^held: .*; ttl: [^\n]*$"):
        read_steering(fields(ttl="x", held="y"))
