"""The tables of a box: its rows, and its snapshot."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

from folds.sidecar_changes import Verdict
from folds.sidecar_rows import Row, Rows, StrangeRow
from local.box_table import Shown, render_rows, render_snapshot

SNAPSHOT = Shown(
    "registry-snapshot/a.db", "2026-09-07T10:00:00Z", "3 s old", generations=2, routes=6
)


def test_rows_and_what_happened() -> None:
    """Each record and each row has a line by its host: the row as it is, what happened and why."""
    rows = Rows(
        (Row("c", kind="exec"), Row("a", kind="sidecar", channel="edge")),
        (StrangeRow("d", "canary is text"),),
    )
    verdicts = [Verdict("b", "k2", "protect", "no channel"), Verdict("a", "k1", "mint")]
    expected = """\
        host  row           what happened  why
        a     sidecar edge  minted
        b     -             protected      no channel
        c     exec          left alone     no sidecar of Fairlead's
        d     strange       left alone     no sidecar of Fairlead's"""
    assert render_rows(rows, verdicts) == dedent(expected)
    assert render_rows(rows, reversed(verdicts)) == dedent(expected)


def test_two_records_of_one_host() -> None:
    """Each has its line."""
    verdicts = [Verdict("a", "k1", "keep"), Verdict("a", "k2", "decline", "k1 has it")]
    lines = render_rows(Rows((Row("a", kind="sidecar"),)), verdicts).splitlines()
    assert [line.split()[2] for line in lines[1:]] == ["declined", "kept"]


def test_snapshot() -> None:
    """How old, how many generations, and what is in the file that was verified."""
    expected = """\
        snapshot                taken                 age      generations  verified
        registry-snapshot/a.db  2026-09-07T10:00:00Z  3 s old  2            whole, 6 routes"""
    assert render_snapshot(SNAPSHOT) == dedent(expected)


def test_snapshot_that_is_not_current() -> None:
    """What was passed over for it is told, escaped."""
    text = render_snapshot(replace(SNAPSHOT, passed_over=("k: is \x1b 3 bytes",)))
    assert text.splitlines()[-1] == "passed over: k: is \\x1b 3 bytes"


def test_text_of_others_is_escaped() -> None:
    """A host with a terminal escape stays one harmless cell."""
    text = render_rows(Rows((Row("\x1b[31m", kind="exec"),)), [])
    assert "\\x1b[31m" in text
    assert "\x1b" not in text
