"""Operators' commands on a stack whose realizer is native."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.operate.conftest import Desk
from tests.support.native import native_live
from tests.support.steering import PREFIX, REGIONS, ZONE, converged

PLAN = "pulumi-python:dynamic/steering:Plan"


@pytest.fixture
def full(desk: Desk) -> Desk:
    """A converged native stack of four boxes and two hosts."""
    desk.configure(realizer="native")
    desk.account.seed(native_live())
    known = {"type": PLAN, "outputs": {"zone": ZONE, "prefix": PREFIX}}
    desk.answer("stack export", {"deployment": {"resources": [known]}})
    for number in range(4):
        desk.edge(number)
    for name in "ab":
        desk.host(name)
    return desk


def test_a_converged_stack(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Its checks are known though no reference says which address they are for."""
    assert full.run("digest") == 0
    assert "nothing to do\nnothing is refused" in capsys.readouterr().out


def test_a_box_that_goes(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The state knows the zone by its plan, so this is no first run."""
    full.bucket.delete("control/edges/b3.json")
    assert full.run("digest") == 0
    assert "+0 ~0 -3 of 12 record sets, 3 hosts" in capsys.readouterr().out


def test_a_check_left_over(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told of."""
    live = native_live()
    spare = replace(
        live.checks[0], id="spare", caller_reference=f"{live.checks[0].caller_reference}2"
    )
    full.account.seed(replace(live, checks=(*live.checks, spare)))
    assert full.run("digest") == 0
    assert "left over: health check spare of 192.0.2.1" in capsys.readouterr().out


def test_the_other_realizers_zone(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It cannot be reported: a run would refuse it before it plans."""
    full.account.clear()
    full.account.seed(converged())
    assert full.run("digest") == 2
    assert "12 managed sets are kept by the realizer batch" in capsys.readouterr().err


def test_withdraw(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It is refused: the state would still hold what it removes."""
    assert full.run("withdraw") == 2
    said = capsys.readouterr().err
    assert "stack prod: the realizer native takes its records out itself: disarm every box" in said
    assert full.account.writes() == []


def test_withdraw_where_the_state_is_lost(
    full: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody else takes the sets out; the checks that no state knows are told of."""
    full.answer("stack export", {"deployment": {"resources": []}})
    assert full.run("withdraw") == 1
    offer = re.search(r"FAIRLEAD_ACKNOWLEDGE=(\S+)", capsys.readouterr().out)
    assert offer
    monkeypatch.setenv("FAIRLEAD_ACKNOWLEDGE", offer[1])
    assert full.run("withdraw") == 0
    said = capsys.readouterr().out
    for check in native_live().checks:
        assert f"delete-health-check --health-check-id {check.id}\n" in said
    assert full.run("withdraw") == 0
    assert "nothing is managed" in capsys.readouterr().out


def test_a_state_that_is_lost(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is to do, and yet the run would fail: no digest lets a first run take sets up."""
    full.answer("stack export", {"deployment": {"resources": []}})
    for gone in ((), ("b3",)):
        for box in gone:
            full.bucket.delete(f"control/edges/{box}.json")
        assert full.run("digest") == 1
        said = capsys.readouterr().out
        assert "the run would fail: steering: zone" in said
        assert "has no such zone in its state, and 12 managed sets are live, limit 0: " in said
        assert "FAIRLEAD_ACKNOWLEDGE" not in said


def test_boxes_that_swap_regions(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The run would be stopped before anything is registered."""
    full.edge(0, region=REGIONS[1])
    full.edge(1, region=REGIONS[0])
    assert full.run("digest") == 1
    said = capsys.readouterr().out
    assert "the run would fail: steering: 6 sets move into a region while another" in said
