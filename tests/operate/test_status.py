"""``status``: whether a stack is converged, since when, and what it leaves out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from operate.status import status_of
from tests.operate.conftest import Desk, updates

OUTPUTS: dict[str, Any] = {
    "state": "armed",
    "zone": "Z1",
    "recordSets": [
        {"setIdentifier": "p/b0", "type": "A", "region": "eu-west-1", "address": "192.0.2.1"}
    ],
    "refused": [{"host": "c.example.com", "key": "apps/bab/c", "reason": "pool-scoped"}],
    "held": ["d.example.com"],
    "standby": [{"box": "b4", "region": "eu-west-1", "address": "192.0.2.5"}],
}


def entry(hour: int, result: str = "succeeded", kind: str = "update") -> dict[str, Any]:
    return {"kind": kind, "result": result, "endTime": f"2026-09-07T{hour:02}:00:00.000Z"}


def test_a_converged_stack(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """State, time, and what is refused, held or standing by: 0."""
    desk.answer("stack history", [entry(10), entry(9)])
    desk.answer("stack output", OUTPUTS)
    assert desk.run("status") == 0
    assert capsys.readouterr().out.splitlines() == [
        "stack prod: armed, zone Z1",
        "last converged: 2026-09-07T10:00:00.000Z",
        "refused: c.example.com (apps/bab/c): pool-scoped",
        "held: d.example.com: its record is refused, its live sets stay",
        "standby: b4 (192.0.2.5): b0 answers in eu-west-1, which takes one A set",
    ]


def test_a_stack_that_was_never_updated(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Never converged: 1."""
    assert desk.run("status") == 1
    assert capsys.readouterr().out == "stack prod: never converged\nlast converged: never\n"


def test_a_failed_update(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """1, with the time of the last good one and of the failure."""
    desk.answer("stack history", [entry(11, "failed"), entry(10)])
    desk.answer("stack output", {**OUTPUTS, "refused": [], "held": [], "standby": []})
    assert desk.run("status") == 1
    assert capsys.readouterr().out.splitlines() == [
        "stack prod: armed, zone Z1",
        "last converged: 2026-09-07T10:00:00.000Z",
        "last update: failed at 2026-09-07T11:00:00.000Z",
    ]


def test_as_json(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The same for machines, with the same exit code."""
    desk.answer("stack history", [entry(10)])
    desk.answer("stack output", OUTPUTS)
    assert desk.run("status", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "stack": "prod",
        "state": "armed",
        "lastConverged": "2026-09-07T10:00:00.000Z",
        "lastUpdate": "2026-09-07T10:00:00.000Z",
        "lastResult": "succeeded",
        **{name: OUTPUTS[name] for name in ("zone", "refused", "held", "standby")},
    }


ROWS: dict[str, Any] = {
    "rows": ["a.eleven.bab.sidecar.internal"],
    "declined": [],
    "protected": [{"host": "b.example", "key": "apps/b", "reason": "channel is empty"}],
    "heldBack": [{"host": "c.example", "key": "", "reason": "most would go"}],
}
SNAPSHOT: dict[str, Any] = {
    "key": "control/registry-snapshot/a1.db",
    "fingerprint": "f1",
    "createdAt": "2026-09-07T09:00:00Z",
    "generations": ["g1", "g2"],
}
FLEET: dict[str, Any] = {"key": "", "fingerprint": "", "createdAt": "", "generations": []}


@pytest.mark.parametrize(
    ("outputs", "lines"),
    [
        (
            ROWS,
            [
                "stack prod: armed, 1 row",
                "protected: b.example (apps/b): channel is empty",
                "held back: c.example: most would go",
            ],
        ),
        (
            SNAPSHOT,
            [
                "stack prod: armed, control/registry-snapshot/a1.db taken 2026-09-07T09:00:00Z,"
                " 2 generations"
            ],
        ),
        (FLEET, ["stack prod: dormant, a box of a fleet"]),
    ],
    ids=["sidecars", "snapshot", "fleet box"],
)
def test_a_stack_of_a_box(
    desk: Desk, capsys: pytest.CaptureFixture[str], outputs: dict[str, Any], lines: list[str]
) -> None:
    """What it holds, and what is left out or held back; the outputs themselves for machines."""
    desk.answer("stack history", [entry(10)])
    desk.answer("stack output", outputs)
    assert desk.run("status") == 0
    last = "last converged: 2026-09-07T10:00:00.000Z"
    assert capsys.readouterr().out.splitlines() == [lines[0], last, *lines[1:]]
    assert desk.run("status", "--json") == 0
    assert json.loads(capsys.readouterr().out).items() >= outputs.items()


def test_a_dormant_stack(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Dormant is converged: there is nothing to do."""
    desk.answer("stack history", [entry(10)])
    desk.answer("stack output", {"state": "dormant", "zone": ""})
    assert desk.run("status") == 0
    assert capsys.readouterr().out.startswith("stack prod: dormant\n")


@pytest.mark.parametrize("kind", ["refresh", "import", "preview"])
def test_what_is_no_update(kind: str) -> None:
    """It neither converges a stack nor takes its convergence back."""
    found = status_of("prod", updates([entry(11, "failed", kind), entry(10)]), OUTPUTS)
    assert (found.converged, found.last_converged) == (True, entry(10)["endTime"])
    assert not status_of("prod", updates([entry(11, kind=kind)]), {}).converged


def test_a_stack_that_was_destroyed() -> None:
    """What was before does not count; a destroy that failed has destroyed nothing."""
    history = [entry(11, kind="destroy"), entry(10)]
    found = status_of("prod", updates(history), {})
    assert (found.state, found.last_converged) == ("never converged", "")
    assert not found.converged
    failed = [entry(11, "failed", "destroy"), entry(10)]
    assert status_of("prod", updates(failed), OUTPUTS).state == "armed"


def test_outputs_of_a_run_that_never_succeeded() -> None:
    """They are of no converged state."""
    found = status_of("prod", updates([entry(10, "failed")]), OUTPUTS)
    assert (found.state, found.refused) == ("never converged", ())


def test_the_question_to_the_cli(desk: Desk) -> None:
    """The history is asked for page by page: it grows with every run."""
    desk.run("status")
    [history, output] = desk.asked()
    assert history[:3] == ["stack", "history", "--json"]
    assert history[-2:] == ["--stack", "prod"]
    assert "--page-size" in history
    assert output == ["stack", "output", "--json", "--stack", "prod"]
