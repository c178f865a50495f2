"""``SidecarRoutes`` and the rows that it mints and converges."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from providers.errors import ApplyFailed
from registry.route import Route
from tests.registry.samples import dump, insert, sidecar
from tests.support.engine_stub import EngineStub
from tests.support.sidecar_box import BUCKET, SidecarBox, host_of, sidecar_box


@pytest.fixture
def box(tmp_path: Path) -> Iterator[SidecarBox]:
    """A box with an empty registry whose bucket asks for two sidecars."""
    with sidecar_box(tmp_path, "ab") as made:
        yield made


@pytest.mark.behaviour(86)
@pytest.mark.behaviour(87)
@pytest.mark.behaviour(88)
@pytest.mark.behaviour(89)
@pytest.mark.behaviour(90)
def test_a_row(box: SidecarBox) -> None:
    """Record, manifest and box each give their columns; nothing gives a socket or address."""
    box.manifest(args=["<run>"], idle="90.9s", hibernate=False, channel="console")
    box.record("a", environment="blue")
    box.create()
    assert box.rows()[host_of("a")] == Route(
        host=host_of("a"),
        slug="a",
        kind="sidecar",
        app="eleven",
        account="bab",
        channel="edge",
        environment="blue",
        db_path=f"{box.folder}/{host_of('a')}.db",
        args='["\\u003crun\\u003e"]',
        idle_seconds=90,
        max_run_seconds=3600,
        provisioned=1,
        status="ready",
    )


@pytest.mark.behaviour(125)
def test_what_is_made_and_said(box: SidecarBox, engine: EngineStub) -> None:
    """Id and outputs name the box; each row is told of."""
    result = box.create()
    assert result.id == f"{BUCKET}/a1"
    assert result.outs == {"bucket": BUCKET, "box": "a1", "registry": str(box.registry)}
    [said] = engine.said
    assert said.splitlines() == [
        f'sidecars: minted {host_of(name)}: bab/eleven channel "edge" args ["bot","run"]'
        for name in "ab"
    ]


@pytest.mark.behaviour(140)
@pytest.mark.behaviour(148)
def test_the_second_run(box: SidecarBox, engine: EngineStub) -> None:
    """Nothing is planned, written or said."""
    box.create()
    before, engine.said[:] = dump(box.registry), []
    assert box.decided().plan.empty
    box.update()
    assert (dump(box.registry), engine.said) == (before, [])


@pytest.mark.behaviour(119)
@pytest.mark.behaviour(121)
def test_a_row_by_hand_meanwhile(box: SidecarBox) -> None:
    """It is never adopted, and the fresh read sees it."""
    news = box.props()
    insert(box.registry, [sidecar("a", provisioned=0, channel="mine")])
    box.create(news)
    assert box.rows()[host_of("a")].channel == "mine"
    assert box.names() == "a b"


@pytest.mark.behaviour(116)
def test_a_file_staged_later(box: SidecarBox) -> None:
    """The row converges as before."""
    box.create()
    (box.folder / f"{host_of('a')}-sidecar.env").touch()
    box.record("a", channel="beta")
    box.update()
    assert box.rows()[host_of("a")].channel == "beta"


@pytest.mark.behaviour(115)
def test_a_file_staged_meanwhile(box: SidecarBox, engine: EngineStub) -> None:
    """What the box has against a mint is found out again; the rest goes on."""
    news = box.props()
    (box.folder / f"{host_of('a')}-sidecar.env").touch()
    box.create(news)
    assert box.names() == "b"
    assert f"sidecars: {host_of('a')} is not minted: {host_of('a')}-sidecar" in engine.said[0]


@pytest.mark.behaviour(117)
def test_a_gate_that_refuses(box: SidecarBox) -> None:
    """No row, and no failure of the run."""
    gate = "import json, sys; sys.exit('sealed' if json.load(sys.stdin)['slug'] == 'a' else 0)"
    box.changes["config_gate"] = (sys.executable, "-c", gate)
    box.create()
    assert box.names() == "b"
    [declined] = box.decided().plan.verdicts[:1]
    assert declined.reason == "refused by the configuration gate: sealed"


@pytest.mark.behaviour(141)
@pytest.mark.behaviour(142)
@pytest.mark.behaviour(143)
@pytest.mark.behaviour(144)
@pytest.mark.behaviour(145)
def test_columns(box: SidecarBox) -> None:
    """The bucket's columns are written, and no other, whoever wrote those."""
    drift: dict[str, str | int] = {
        "channel": "old",
        "environment": "blue",
        "hibernate": 0,
        "args": "",
        "unit": "u",
    }
    theirs: dict[str, str | int] = {
        "version": "7",
        "next_due": 9,
        "caps": "x",
        "socket": "/s",
        "db_path": "/d",
    }
    own = sidecar("a", idle_seconds=1, claim_stamp=3, **drift, **theirs)
    insert(box.registry, [own])
    news = box.props()
    box.sql("UPDATE routes SET version = '8'")
    box.create(news)
    assert box.rows()[host_of("a")] == own._replace(
        channel="edge",
        environment="",
        hibernate=1,
        args='["bot","run"]',
        idle_seconds=300,
        version="8",
    )


@pytest.mark.behaviour(146)
def test_a_column_that_fails(box: SidecarBox, engine: EngineStub) -> None:
    """It stops neither the row's others nor other rows; the run fails and names it."""
    insert(box.registry, [sidecar("a", channel="old", args=""), sidecar("b", channel="old")])
    refuse = "BEGIN SELECT RAISE(FAIL, 'no args'); END"
    box.sql(f"CREATE TRIGGER t BEFORE UPDATE OF args ON routes {refuse}")
    with pytest.raises(ApplyFailed, match=rf"{host_of('a')}: args: no args; run it again"):
        box.create()
    assert [row.channel for row in box.rows().values()] == ["edge", "edge"]
    assert engine.said[0].splitlines() == [
        f"sidecars: converge {host_of('a')} failed: args: no args; written: channel",
        f'sidecars: converged {host_of("b")}: channel "old" -> "edge"',
    ]


@pytest.mark.behaviour(120)
@pytest.mark.parametrize(
    "other", [{"kind": "exec"}, {"provisioned": 0}, {"app": "x"}, {"account": "jam"}]
)
def test_a_row_of_somebody_else(box: SidecarBox, other: dict[str, str | int]) -> None:
    """One column of four that differs, and the row is left alone."""
    row = sidecar("a", channel="old", **other)
    insert(box.registry, [row])
    box.create()
    assert box.rows()[host_of("a")] == row
