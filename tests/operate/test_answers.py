"""What the CLI answers, where it is not what was asked for: one line, 2, and no guess."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from operate.answers import EXPORTED, HISTORY, OUTPUTS, read
from operate.errors import PulumiFailed
from operate.stack import find
from tests.operate.conftest import Desk

NOISE = ["", "\n", "no JSON", "\x1b[31m", "warning: an upgrade\n{}", "{}\n[]", "{", "[" * 100_000]
ENDED = {"kind": "update", "result": "succeeded", "endTime": "2026-09-07T10:00:00.000Z"}


def failure(desk: Desk, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that a command ends with, and the exit code for what nobody knows."""
    assert desk.run(*words) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    return said.err


@pytest.mark.parametrize("answer", NOISE)
@pytest.mark.parametrize("question", ["stack history", "stack output"])
def test_no_json(
    desk: Desk, capsys: pytest.CaptureFixture[str], question: str, answer: str
) -> None:
    """Nothing, something else, something before or behind it: it names the question."""
    desk.answer(question, answer)
    said = failure(desk, capsys, "status")
    assert said.startswith(f"operate status: pulumi {question} --json ")
    expected = "not JSON: " if answer.strip() else "empty; "
    assert f": its answer is {expected}" in said
    assert said.endswith("; run it and see what answers\n")


@pytest.mark.parametrize(
    ("history", "place"),
    [
        ({}, "the whole"),
        (None, "the whole"),
        ([ENDED, "update"], "1"),
        ([{**ENDED, "kind": 1}], "0.kind"),
        ([{"kind": "update", "endTime": ENDED["endTime"]}], "0.result"),
        ([{**ENDED, "endTime": "yesterday"}], "0.endTime"),
        ([{**ENDED, "endTime": "2026-09-07T10:00:00"}], "0.endTime"),
        ([{**ENDED, "endTime": None}], "0: neither in progress nor ended"),
    ],
)
def test_a_history_of_another_form(history: Any, place: str) -> None:
    """It names the place, and never the value."""
    with pytest.raises(ValueError, match=rf"^of no known form: {place}"):
        read(HISTORY, json.dumps(history))


@pytest.mark.parametrize(
    ("exported", "place"),
    [
        ([], "the whole"),
        ({"deployment": []}, "deployment"),
        ({"deployment": {"resources": {}}}, r"deployment\.resources"),
        ({"deployment": {"resources": [{}]}}, r"deployment\.resources\.0\.type"),
        ({"deployment": {"resources": [{"type": "t", "outputs": []}]}}, r"\.0\.outputs"),
    ],
)
def test_a_state_of_another_form(desk: Desk, exported: Any, place: str) -> None:
    """Whether a zone is known decides about a first run: nothing is guessed."""
    desk.answer("stack export", exported)
    with pytest.raises(PulumiFailed, match=rf"stack export --stack prod: its answer .*{place}"):
        find("prod", "", os.environ).knows("Z1", "p/")


@pytest.mark.parametrize("exported", [{}, {"deployment": None}, {"deployment": {}}])
def test_a_state_with_nothing_in_it(desk: Desk, exported: dict[str, Any]) -> None:
    """A stack that was never updated knows no zone."""
    desk.answer("stack export", exported)
    assert not find("prod", "", os.environ).knows("Z1", "p/")


def test_a_configuration_of_another_form(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Its values may be secrets, and are not shown."""
    desk.answer("config", {"fairlead:zoneId": "s3cret"})
    said = failure(desk, capsys, "digest")
    assert "of no known form: fairlead:zoneId: " in said
    assert "s3cret" not in said


@pytest.mark.parametrize(
    ("outputs", "place"),
    [
        ({"state": "armed", "zone": 1}, "zone: "),
        ({"state": "armed", "refused": [{"host": "a"}]}, "refused.0.key: "),
        ({"state": "armed", "held": "[secret]"}, "held: "),
        ({"state": "armed", "recordSets": [{"region": "r"}]}, "recordSets.0.setIdentifier: "),
        ({"rows": 3}, "rows: "),
        ({"rows": [], "protected": ["a"]}, "protected.0: "),
        ({"fingerprint": "f"}, "key: "),
    ],
)
def test_outputs_of_another_form(
    desk: Desk, capsys: pytest.CaptureFixture[str], outputs: dict[str, Any], place: str
) -> None:
    """Another program's, or one's of before: it names the member and the way out."""
    desk.answer("stack history", [ENDED])
    desk.answer("stack output", outputs)
    said = failure(desk, capsys, "status")
    assert said.startswith(f"operate status: stack prod: its outputs are of no known form: {place}")
    assert said.endswith("the next good update writes them anew\n")


@pytest.mark.parametrize("said", ["", "\n", "prod\na newer pulumi is there\n"])
def test_a_selected_stack_that_is_none(desk: Desk, said: str) -> None:
    """Nothing is asked about a stack without a name, or with more than one."""
    desk.answer("stack", said)
    with pytest.raises(PulumiFailed, match="not 1; name one by --stack"):
        find("", "", os.environ)
    assert desk.asked() == [["stack", "--show-name"]]


def test_bytes_that_are_no_text(desk: Desk) -> None:
    """They are no JSON either, whatever the machine's own encoding is."""
    command = desk.folder / "pulumi"
    command.write_text('#!/bin/sh\nprintf \'{"a": "\\377"}\'\n')
    with pytest.raises(PulumiFailed, match="not JSON"):
        find("prod", "", os.environ).outputs()


def test_what_is_new_to_us() -> None:
    """Members that a later CLI adds are passed over."""
    assert [each.kind for each in read(HISTORY, json.dumps([{**ENDED, "more": {}}]))] == ["update"]
    assert read(EXPORTED, b'{"version": 4}').deployment is None
    assert read(OUTPUTS, '{"a": null}') == {"a": None}
