"""``report``: a stack's plan in three forms, whatever its kind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from local.environment import CHECKOUT
from operate.reports.markdown import marker
from operate.reports.value import State
from stacks import snapshot
from tests.operate.conftest import Desk
from tests.support.sidecar_box import BUCKET, SidecarBox, host_of, sidecar_box
from tests.support.snapshots import machine
from tests.support.steering import shrunk
from tests.support.zones import ZONE


@pytest.fixture
def box(desk: Desk, tmp_path: Path) -> Iterator[SidecarBox]:
    """A box that has the rows of its three records."""
    with sidecar_box(tmp_path, "abc") as made:
        settings = {"bucket": BUCKET, "box": "a1", "registry": made.registry, "dataDir": tmp_path}
        configure(desk, kind="sidecars", **settings)
        made.create()
        yield made


def configure(desk: Desk, **settings: object) -> None:
    desk.answer("config", {f"fairlead:{key}": {"value": str(v)} for key, v in settings.items()})


def as_json(desk: Desk, capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, Any]:
    assert desk.run("report", "--format", "json") == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def shrink(desk: Desk) -> None:
    """Delete three boxes of four: refused."""
    for number in (1, 2, 3):
        desk.bucket.delete(f"control/edges/b{number}.json")


@pytest.mark.usefixtures("box")
def test_keys(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The page about formats has every key, and each state."""
    page = (CHECKOUT / "docs" / "formats.md").read_text().partition("## What `operate report`")[2]
    keys = {
        key
        for row in re.findall(r"^\| (`.+?) \|", page, re.MULTILINE)
        for key in re.findall(r"`(\w+)`", row)
    }
    found = set(as_json(full, capsys))
    full.configure()
    assert found | set(as_json(full, capsys)) == keys
    assert all(f"`{state}`" in page for state in get_args(State))


def test_as_text(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It is what ``digest`` prints, with its exit code."""
    shrink(full)
    told = []
    for command in ("digest", "report"):
        assert full.run(command) == 1
        told.append(capsys.readouterr().out.splitlines()[:-1])
    assert told[0] == told[1]
    assert len(told[0]) > 12


def test_a_converged_zone_as_json(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing to do: 0, with what the guards read."""
    found = as_json(full, capsys)
    assert (found["version"], found["stack"], found["kind"]) == (1, "prod", "steering")
    assert (found["zone"], found["prefix"]) == (ZONE, "carlos-steering/")
    assert (found["state"], found["changes"], found["digest"]) == ("nothing to do", [], "")
    assert (found["error"], found["summary"]["managed"]) == ("", 12)


def test_a_refused_zone_as_json(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Every change with its action, removals first, the violation, and the way out: 1."""
    shrink(full)
    full.host("c", steering="nearest")
    found = as_json(full, capsys, 1)
    digest = shrunk().refused[0].digest
    assert found["state"] == "refused"
    assert {each["action"] for each in found["changes"]} == {"remove"}
    assert found["changes"][0]["what"].startswith("a.bab.")
    [violation] = found["violations"]
    assert (violation["rule"], violation["level"]) == ("steering-shrink", "mandatory")
    assert (violation["digest"], found["digest"]) == (digest, digest)
    assert found["acknowledge"].startswith(f"{digest}.")
    assert [each["host"] for each in found["refused"]] == ["c.bab.example.com"]


def test_additions_as_json(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """They are told as such."""
    desk.edge(0)
    found = as_json(desk, capsys)
    assert [each["action"] for each in found["changes"]] == ["add", "add"]
    assert found["changes"][1]["what"].startswith("health check ")
    assert found["state"] == "changes"


def test_as_markdown(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The comment of a refused plan, found by its first line: 1."""
    shrink(full)
    assert full.run("report", "--format", "markdown") == 1
    out = capsys.readouterr().out
    assert out.startswith(f"{marker('prod')}\n### Plan of `prod`\n")
    assert "\nFAIRLEAD_ACKNOWLEDGE=" in out
    assert "\n- a.bab." in out


def test_a_dormant_stack(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is read: 0."""
    desk.configure(zoneId="")
    assert as_json(desk, capsys)["state"] == "not read"
    assert desk.account.made() == {}


@pytest.mark.parametrize("form", ["markdown", "json"])
def test_a_read_that_fails(full: Desk, capsys: pytest.CaptureFixture[str], form: str) -> None:
    """A report of what is not known, so that no earlier one stays; 2, and the line as ever."""
    full.bucket.put("control/edges/b0.json", b"{")
    assert full.run("report", "--format", form) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("operate report: steering: control/edges/b0.json: ")
    assert "control/edges/b0.json" in captured.out
    assert marker("prod") in captured.out if form == "markdown" else json.loads(captured.out)


def test_a_read_that_fails_as_text(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """People get the one line."""
    full.bucket.put("control/edges/b0.json", b"{")
    assert full.run("report") == 2
    assert capsys.readouterr().out == ""


def test_a_cli_that_does_not_answer(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It is a report, too."""
    desk.answer("config", None)
    found = as_json(desk, capsys, 2)
    assert (found["stack"], found["state"]) == ("prod", "unknown")
    assert "no such stack" in found["error"]


def test_rows_of_a_box(desk: Desk, box: SidecarBox, capsys: pytest.CaptureFixture[str]) -> None:
    """Its changes, what it leaves as it is, and what the fuse holds back, which fails the run."""
    box.forget("a", "b")
    box.record("d")
    found = as_json(desk, capsys, 1)
    assert (found["kind"], found["state"]) == ("sidecars", "fails")
    assert [each["action"] for each in found["changes"]] == ["add"]
    assert [each["host"] for each in found["heldBack"]] == [host_of("a"), host_of("b")]
    assert found["digest"] == box.decided().plan.digest
    assert found["summary"]["owned"] == 3
    assert desk.run("report", "--format", "markdown") == 1
    out = capsys.readouterr().out
    assert "**The run would fail at its end**" in out
    assert f"\n= {host_of('a')} held back: " in out


def test_snapshot_of_a_box(
    desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What would be uploaded."""
    made = machine(folder, "a")
    monkeypatch.setattr(snapshot, "open_writable", lambda _name: made.store)
    configure(desk, kind="snapshot", bucket="control", box="a1", registry=made.registry)
    found = as_json(desk, capsys)
    assert (found["kind"], found["state"]) == ("snapshot", "changes")
    assert [each["action"] for each in found["changes"]] == ["add"]
    assert found["summary"]["box"] == "a1"
