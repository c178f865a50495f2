"""``status --max-age``: what the monitoring asks, and what CI asks before it updates."""

from __future__ import annotations

import json
from argparse import ArgumentTypeError
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from operate.errors import PreviewUnreadable
from operate.heartbeat import Watch, ailment, changes_in, duration
from operate.status import status_of
from tests.operate.conftest import Desk, updates

NOW = datetime(2026, 9, 7, 10, tzinfo=timezone.utc)
LIMIT = timedelta(hours=2)
GOING_ON = {"kind": "update", "result": "in-progress"}


def entry(ago: timedelta, result: str = "succeeded", kind: str = "update") -> dict[str, Any]:
    end = (NOW - ago).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    return {"kind": kind, "result": result, "endTime": end}


def minutes(number: int) -> timedelta:
    return timedelta(minutes=number)


def recent(ago: timedelta, result: str = "succeeded") -> dict[str, Any]:
    """An entry so long before the clock's own time."""
    return entry(ago - (datetime.now(timezone.utc) - NOW), result)


def preview(folder: Path, **changes: Any) -> Path:
    """What ``preview --json`` prints."""
    made = folder / "preview.json"
    made.write_text(json.dumps({"steps": [], "changeSummary": {"same": 2}, **changes}))
    return made


@pytest.mark.parametrize(
    ("history", "wrong"),
    [
        ([entry(minutes(119))], ""),
        ([entry(minutes(121))], "too old, limit 2 h"),
        ([], "never updated"),
        ([entry(minutes(5), kind="refresh")], "never updated"),
        ([entry(minutes(4), "failed"), entry(minutes(9))], "last update failed 4 min ago"),
        ([entry(minutes(4), kind="destroy"), entry(minutes(9))], "never updated"),
        ([entry(minutes(-4))], ""),
        ([entry(minutes(-6))], "of the future, see the clocks"),
        ([entry(minutes(-6), "failed")], "last update failed 6 min ahead"),
        ([GOING_ON, entry(minutes(9))], "last update in-progress and not ended"),
    ],
)
def test_what_is_wrong(history: list[dict[str, Any]], wrong: str) -> None:
    """Too old, never, failed, or of a clock that nobody can trust; nothing, if it is well."""
    assert ailment(status_of("prod", updates(history), {}), NOW, Watch(LIMIT)) == wrong


@pytest.mark.parametrize(
    ("changes", "wrong"), [(None, ""), (0, ""), (2, "the preview changes 2 of its resources")]
)
def test_a_preview(changes: int | None, wrong: str) -> None:
    """What it would change is wrong with a stack as well; what is worse comes first."""
    found = status_of("prod", updates([entry(minutes(1))]), {})
    assert ailment(found, NOW, Watch(LIMIT, changes)) == wrong
    old = status_of("prod", updates([entry(minutes(121))]), {})
    assert ailment(old, NOW, Watch(LIMIT, changes)).startswith("too old")


@pytest.mark.parametrize(
    ("summary", "count"),
    [({"same": 2}, 0), ({"same": 1, "update": 1}, 1), ({"create": 2, "delete": 1}, 3), ({}, 0)],
)
def test_changes_of_a_preview(tmp_path: Path, summary: dict[str, int], count: int) -> None:
    """All but what stays the same."""
    assert changes_in(preview(tmp_path, changeSummary=summary)) == count


@pytest.mark.parametrize(
    ("document", "why"),
    [
        ("", "empty; make it by preview --json"),
        (" \n", "empty"),
        ("\x00", "not JSON"),
        ('warning: x\n{"changeSummary": {}}', "not JSON"),
        ('{"changeSummary": {}}\n{}', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "of no known form: the whole"),
        ("null", "of no known form: the whole"),
        ("{}", "of no known form: changeSummary: Field required"),
        ('{"changeSummary": null}', "of no known form: changeSummary"),
        ('{"changeSummary": {"same": "2"}}', "of no known form: changeSummary.same"),
        ('{"changeSummary": {"same": true}}', "of no known form: changeSummary.same"),
        ('{"changeSummary": {}, "diagnostics": {"severity": "error"}}', "form: diagnostics"),
        ('{"changeSummary": {}, "diagnostics": "error"}', "form: diagnostics"),
        ('{"changeSummary": {}, "diagnostics": ["error"]}', r"form: diagnostics\.0"),
        ('{"changeSummary": {}, "diagnostics": [{"severity": 1}]}', r"diagnostics\.0\.severity"),
        ('{"changeSummary": {"same": 1}, "diagnostics": [{"severity": "error"}]}', "it failed"),
    ],
)
def test_what_is_no_preview(tmp_path: Path, document: str, why: str) -> None:
    """It never counts as one that has nothing to do: a failed one says ``same`` too."""
    file = tmp_path / "preview.json"
    file.write_text(document)
    with pytest.raises(PreviewUnreadable, match=why) as raised:
        changes_in(file)
    assert "\n" not in str(raised.value)


def test_a_preview_of_other_bytes(tmp_path: Path) -> None:
    """What is no text is no preview either."""
    (tmp_path / "preview.json").write_bytes(b'{"changeSummary": {"\xff": 1}}')
    with pytest.raises(PreviewUnreadable, match="not JSON"):
        changes_in(tmp_path / "preview.json")


def test_a_preview_that_is_not_there(tmp_path: Path) -> None:
    """Neither does one that was never made."""
    with pytest.raises(PreviewUnreadable, match="No such file"):
        changes_in(tmp_path / "preview.json")


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("90s", timedelta(seconds=90)),
        ("30m", timedelta(minutes=30)),
        ("2h", timedelta(hours=2)),
        ("1d", timedelta(days=1)),
    ],
)
def test_a_duration(text: str, length: timedelta) -> None:
    """A number and its unit."""
    assert duration(text) == length


@pytest.mark.parametrize("text", ["", "2", "h", "0h", "-1h", "1.5h", "2 h", "2w", "²h", "9999999d"])
def test_no_duration(text: str) -> None:
    """Anything else is a mistake."""
    with pytest.raises(ArgumentTypeError, match="not a duration"):
        duration(text)


def test_a_stack_that_is_well(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """One line: 0. Only the history is asked for."""
    desk.answer("stack history", [recent(minutes(12))])
    assert desk.run("status", "--max-age") == 0
    assert capsys.readouterr().out == "stack prod: well; last successful update 12 min ago\n"
    [words] = desk.asked()
    assert words[:2] == ["stack", "history"]
    assert words[words.index("--page-size") + 1] == "20"


def test_a_stack_that_is_late(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """One line: 1. The limit is two hours unless another is given."""
    desk.answer("stack history", [recent(minutes(90))])
    assert desk.run("status", "--max-age") == 0
    assert desk.run("status", "--max-age", "1h") == 1
    assert capsys.readouterr().out.splitlines()[1] == (
        "stack prod: too old, limit 60 min; last successful update 90 min ago"
    )


def test_a_stack_that_failed(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """1, with the last good one."""
    desk.answer("stack history", [recent(minutes(3), "failed"), recent(minutes(8))])
    assert desk.run("status", "--max-age") == 1
    assert capsys.readouterr().out == (
        "stack prod: last update failed 3 min ago; last successful update 8 min ago\n"
    )


def test_a_stack_that_never_was(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """1."""
    assert desk.run("status", "--max-age") == 1
    assert capsys.readouterr().out == "stack prod: never updated\n"


def test_a_stack_with_something_to_do(
    desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """1 where a preview finds it, 0 where it finds nothing, 2 where it cannot be read."""
    desk.answer("stack history", [recent(minutes(12))])
    words = ("status", "--max-age", "1h", "--preview")
    assert desk.run(*words, str(preview(tmp_path, changeSummary={"same": 1, "update": 1}))) == 1
    assert capsys.readouterr().out == (
        "stack prod: the preview changes 1 of its resources; last successful update 12 min ago\n"
    )
    assert desk.run(*words, str(preview(tmp_path))) == 0
    assert desk.run(*words, str(tmp_path / "none")) == 2
    assert desk.run("status", "--preview", str(tmp_path / "none")) == 2  # never ignored


def test_a_cli_that_does_not_answer(desk: Desk) -> None:
    """2: nobody knows."""
    desk.answer("stack history", None)
    assert desk.run("status", "--max-age") == 2
