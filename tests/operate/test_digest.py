"""``digest``: what the next run would do, and the way past a refusal."""

from __future__ import annotations

import re

import pytest

from policy.guards import adoption_digest
from tests.operate.conftest import KNOWN, Desk
from tests.support.steering import shrunk
from tests.support.zones import ZONE


def test_a_converged_stack(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing to do, nothing refused: 0."""
    assert full.run("digest") == 0
    assert capsys.readouterr().out.splitlines() == [
        f"stack prod: zone {ZONE} (carlos-steering/)",
        "nothing to do",
        "nothing is refused",
    ]


def test_a_long_plan(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Every line of it is printed, however many; nothing is written."""
    desk.edge(0)
    for number in range(300):
        desk.host(f"h{number:03}")
    assert desk.run("digest") == 0
    out = capsys.readouterr().out
    assert len(re.findall(r"^\+ ", out, re.MULTILINE)) == 301 + 1
    assert "+301 ~0 -0 of 0 record sets" in out
    assert desk.account.writes() == []


def test_a_refused_plan(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Every change, every violation, and the line that lets exactly this through: 1."""
    for number in (1, 2, 3):
        full.bucket.delete(f"control/edges/b{number}.json")
    assert full.run("digest") == 1
    out = capsys.readouterr().out
    digest = shrunk().refused[0].digest
    assert len(re.findall(r"^- ", out, re.MULTILINE)) == 9 + 3
    assert "\nmandatory: steering-shrink: " in out
    line = rf"exactly this through: FAIRLEAD_ACKNOWLEDGE={digest}\.\d{{8}}T\d{{6}}Z pulumi up"
    assert re.search(line, out.splitlines()[-1])


def test_an_acknowledged_plan(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """An acknowledgement is left out of it: it lists what one would let through."""
    for number in (1, 2, 3):
        full.bucket.delete(f"control/edges/b{number}.json")
    assert full.run("digest", word=f"{shrunk().refused[0].digest}.29990101T000000Z") == 1
    assert "steering-shrink" in capsys.readouterr().out


@pytest.mark.parametrize("deployment", [None, {}, {"resources": KNOWN["resources"][:1]}])
def test_a_first_run_that_removes(
    full: Desk, capsys: pytest.CaptureFixture[str], deployment: object
) -> None:
    """The state decides whether removals are refused, and which digest lets them through."""
    full.answer("stack export", {"deployment": deployment})
    for number in (1, 2, 3):
        full.bucket.delete(f"control/edges/b{number}.json")
    assert full.run("digest") == 1
    out = capsys.readouterr().out
    assert "mandatory: steering-adoption: " in out
    assert f"through: FAIRLEAD_ACKNOWLEDGE={adoption_digest(shrunk().summary)}." in out


def test_a_plan_that_no_digest_lets_through(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It says so, instead of offering one."""
    full.configure(zoneLimit="3")
    full.host("c")
    assert full.run("digest") == 1
    out = capsys.readouterr().out
    assert "mandatory: steering-limits" in out
    assert out.splitlines()[-1].startswith("no digest lets all of this through")
    assert "FAIRLEAD_ACKNOWLEDGE" not in out


def test_advice(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """What only advises is listed, and refuses nothing."""
    full.configure(ttl="300")
    assert full.run("digest") == 0
    out = capsys.readouterr().out
    assert "\nadvisory: steering-ttl: " in out
    assert out.endswith("nothing is refused\n")


def test_what_is_left_out(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Refused records are listed with their reason, escaped."""
    full.host("c", steering="near\x1b[31m")
    assert full.run("digest") == 0
    assert "refused: c.bab.example.com (apps/bab/c/" in (out := capsys.readouterr().out)
    assert "near\\x1b[31m" in out


def test_a_dormant_stack(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is read."""
    desk.configure(zoneId="")
    assert desk.run("digest") == 0
    assert capsys.readouterr().out == "stack prod: dormant, nothing is read\n"
    assert desk.account.made() == {}


def test_a_read_that_fails(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, and 2: nobody knows what the next run would do."""
    full.bucket.put("control/edges/b0.json", b"{")
    assert full.run("digest") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("operate digest: steering: control/edges/b0.json: ")
