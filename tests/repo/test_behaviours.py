"""The numbered behaviours: each that is claimed is held by a test that names it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.repo.sources import CHECKOUT, project

PAGE = (CHECKOUT / "docs" / "behaviours.md").read_text()
ROWS = re.findall(r"^\| (\d+) \| (.+) \| ([a-z ]+) \| (.*)\|$", PAGE, re.MULTILINE)
STATES = {int(number): state for number, _, state, _ in ROWS}
HELD, LATER, NOT_YET = {"now", "as"}, "later", "not yet"
STEERING = range(1, 42)


def marks() -> Iterator[tuple[str, ast.Call]]:
    """Yield every ``pytest.mark.behaviour(...)`` of the tests, with its place."""
    for source in project().values():
        if source.name.startswith("tests."):
            for node in ast.walk(source.tree):
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.behaviour":
                    yield f"{source.name}:{node.lineno}", node


def number_of(call: ast.Call) -> int | None:
    """Return the one literal number of a mark, or None for anything else."""
    match call:
        case ast.Call(args=[ast.Constant(value=int() as number)], keywords=[]):
            return number
    return None


MARKED = {number_of(call) for _, call in marks()}


def test_the_marks() -> None:
    """Each has one literal number, which the page knows."""
    wrong = [place for place, call in marks() if number_of(call) not in STATES]
    assert wrong == []


@pytest.mark.parametrize("text", ["1, 2", "", "*range(3)", "number", "True and 1", "n=1", "'1'"])
def test_a_mark_of_another_form(text: str) -> None:
    """It would be counted for what it does not hold."""
    call = ast.parse(f"behaviour({text})", mode="eval").body
    assert isinstance(call, ast.Call)
    assert number_of(call) is None


def test_the_list() -> None:
    """Every number from 1 to 191 once, in order, with a behaviour and a known state."""
    assert [int(number) for number, *_ in ROWS] == [*range(1, 192)]
    assert all(text.endswith(".") for _, text, _, _ in ROWS)
    assert set(STATES.values()) <= HELD | {LATER, NOT_YET}


def test_what_is_held() -> None:
    """A number that is claimed is named by a test."""
    claimed = {number for number, state in STATES.items() if state in HELD}
    assert claimed - MARKED == set()


def test_what_comes_later() -> None:
    """No test pretends to hold it."""
    assert {number for number, state in STATES.items() if state == LATER} & MARKED == set()


def test_steering() -> None:
    """Nothing of it is left open: held, or put off with a reason."""
    assert {STATES[number] for number in STEERING} == {*HELD, LATER}


def test_reasons() -> None:
    """What departs and what is put off says how or why; what is held as it stands says nothing."""
    said = {int(number): reason.strip() for number, _, _, reason in ROWS}
    assert {number for number, reason in said.items() if reason} == {
        number for number, state in STATES.items() if state in ("as", LATER)
    }


def test_the_words() -> None:
    """It says what is done, without line references or codes of messages."""
    assert re.findall(r"\bS\d:\d|\b[EL]\d+\b|\(\d+-\d+", PAGE) == []
