from __future__ import annotations

from dataclasses import replace
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from folds.changes import HostChange, SetChange, WantedSet
from folds.steering import plan
from folds.summary import removed_names
from folds.zone import LiveCheck, LiveSet
from tests.folds.model import IE, PREFIX, UK, converged, desired, empty_zone, host

_LIVE = LiveSet(host("a"), "A", f"{PREFIX}ie-1", "eu-west-1", 60, ("3.80.0.1",), "check")
_WANTED = WantedSet(*_LIVE.key, "eu-west-1", 60, "3.80.0.1")


def test_lines_of_every_kind() -> None:
    """Removals first, those of sets before those of checks, then replacements, then additions."""
    zone = converged(desired("ab", [IE, UK], domain=""))
    moved = UK.model_copy(update={"address": "18.130.0.9"})
    work = plan(desired("bc", [moved], domain=""), zone)
    assert [line.split(" ")[:3] for line in work.lines] == [
        ["-", host("a"), "A"],
        ["-", host("a"), "A"],
        ["-", host("b"), "A"],
        ["-", "health", "check"],
        ["-", "health", "check"],
        ["~", host("b"), "A"],
        ["+", host("c"), "A"],
        ["+", "health", "check"],
    ]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (SetChange(None, _WANTED), "+ {} eu-west-1 3.80.0.1 ttl=60"),
        (SetChange(_LIVE, None), "- {} eu-west-1 3.80.0.1 ttl=60"),
        (SetChange(_LIVE, _WANTED), "~ {} eu-west-1 3.80.0.1 ttl=60 (health check)"),
        (
            SetChange(_LIVE, replace(_WANTED, region="us-east-1", ttl=30)),
            "~ {} eu-west-1 3.80.0.1 ttl=60 -> us-east-1 3.80.0.1 ttl=30",
        ),
    ],
)
def test_line_of_a_set(change: SetChange, line: str) -> None:
    """Name, type and identifier, then what it is and what it becomes."""
    assert change.line == line.format("a.bab.example.com A carlos-steering/ie-1")


def test_change_of_nothing() -> None:
    """A change has at least one side."""
    with pytest.raises(ValueError, match="nothing"):
        _ = SetChange(None, None).key


def test_host_that_only_loses() -> None:
    """Batches that add come before those that only remove."""
    assert HostChange("a", (SetChange(_LIVE, None), SetChange(_LIVE, _WANTED))).adds
    assert not HostChange("a", (SetChange(_LIVE, None),)).adds


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(st.characters(codec="utf-8")))
def test_line_of_any_identifier(name: str, identifier: str) -> None:
    """Others' text stays one word of printable ASCII, and the key reads back from the line."""
    gone = replace(_LIVE, name=name, set_identifier=PREFIX + identifier, values=(name,))
    line = SetChange(gone, None).line
    assert line.isascii()
    assert line.isprintable()
    assert removed_names([line]) == {gone.key}
    assert unquote(line).startswith(f"- {name} A {PREFIX}{identifier} ")


def test_lines_that_remove_no_set() -> None:
    """Neither a check that goes nor a set that is replaced or added is a removal."""
    stray = LiveCheck("1f-2", "fairlead/x/1", address="3.80.0.1")
    work = plan(desired("a", [IE]), empty_zone(replace(_LIVE, ttl=5)))
    lines = replace(work, sweeps=(stray,)).lines
    assert lines[0] == "- health check 1f-2 3.80.0.1"
    assert removed_names(lines) == frozenset()
