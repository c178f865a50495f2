"""The program of a steering stack, without an engine."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import datetime, timezone
from typing import Any

import pulumi
import pytest

from control.errors import ListingFailed
from providers.zone_inputs import parse
from route53.errors import AccessRefused
from stacks import observation, steering
from stacks.decision import decide
from stacks.errors import AcknowledgementInvalid, PlanRefused
from stacks.settings import SteeringSettings
from tests.stacks.conftest import Program
from tests.support.steering import ZONE, converged, observed, settings, shrunk

NOW = datetime(2026, 9, 7, 10, tzinfo=timezone.utc)


def run(made: SteeringSettings, acknowledge: str = "") -> None:
    """Run the program, and wait for what it registers."""

    def whole() -> None:
        steering.run(made, acknowledge=acknowledge, now=NOW)

    pulumi.runtime.test(whole)()  # type: ignore[no-untyped-call] # the SDK gives it no types


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the program observes, under the key ``seen``."""
    given: dict[str, Any] = {"seen": observed()}
    monkeypatch.setattr(steering, "observe", lambda *_: given["seen"])
    return given


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any read, and any client, is a failure."""

    def touched(*_: object, **__: object) -> None:
        raise AssertionError("something was read")

    for name in ("open_bucket", "make_client", "read_zone", "read_steering"):
        monkeypatch.setattr(observation, name, touched)


@pytest.mark.usefixtures("closed")
@pytest.mark.behaviour(26)
@pytest.mark.behaviour(33)
@pytest.mark.parametrize("zone_id", ["", "  "])
def test_a_stack_without_a_zone(program: Program, zone_id: str) -> None:
    """One line; nothing is read, no client built, no resource declared."""
    run(settings(zone_id=zone_id))
    assert program.said == [
        ("info", "steering: no zone id, so this stack is dormant; nothing is read")
    ]
    assert program.exports["state"] == "dormant"
    assert program.resources == []


@pytest.mark.usefixtures("closed")
@pytest.mark.behaviour(33)
def test_a_stack_with_a_malformed_zone(program: Program) -> None:
    """Dormant too, with a warning that shows what is wrong, escaped."""
    run(settings(zone_id="zone\x1b[31m"))
    [(level, text)] = program.said
    assert (level, program.resources) == ("warning", [])
    assert text == 'steering: zone id "zone\\x1b[31m" is malformed, so this stack is dormant'


@pytest.mark.usefixtures("seen")
def test_a_plan(program: Program) -> None:
    """One resource of a type of its own carries desired, plan and summary as known values."""
    run(settings())
    [resource] = program.resources
    decision = decide(settings(), observed())
    inputs = parse(resource.inputs)
    assert (resource.typ, resource.name) == ("pulumi-python:dynamic/steering:ZoneRecords", ZONE)
    assert (inputs.desired, inputs.plan) == (decision.desired, decision.plan.lines)
    assert inputs.summary == decision.summary


@pytest.mark.usefixtures("seen")
def test_the_lines_of_a_plan(program: Program) -> None:
    """The plan is told once: a summary, then a line per change."""
    run(settings())
    [(level, text)] = program.said
    assert (level, len(text.splitlines())) == ("info", 1 + 12 + 4)
    assert text.startswith("+12 ~0 -0 of 0 record sets, 3 hosts; +4 ~0 -0 health checks\n+ ")


@pytest.mark.parametrize(("left", "attached"), [(4, True), (3, False), (1, False)])
def test_where_a_plan_is_shown(
    program: Program, seen: dict[str, Any], left: int, *, attached: bool
) -> None:
    """Beside its resource, unless that may be refused: then it would never be shown."""
    seen["seen"] = observed(left, ("a", "b", "c"), converged())
    with pytest.raises(PlanRefused) if left == 1 else nullcontext():
        run(settings())
    assert program.attached == [attached]


@pytest.mark.usefixtures("seen")
def test_the_outputs(program: Program) -> None:
    """The outputs are the fold's, and the checks the resource's."""
    run(settings())
    assert program.exports["state"] == "armed"
    assert isinstance(program.exports["healthChecks"], pulumi.Output)


def test_a_converged_zone(program: Program, seen: dict[str, Any]) -> None:
    """Nothing is told; the resource is declared all the same."""
    seen["seen"] = observed(live=converged())
    run(settings())
    assert program.said == []
    assert parse(program.resources[0].inputs).plan == ()


def test_a_long_plan(program: Program, seen: dict[str, Any]) -> None:
    """200 lines at most, then the command that lists them all."""
    seen["seen"] = observed(4, [f"h{number:03}" for number in range(100)])
    run(settings())
    last = program.said[0][1].splitlines()[-1]
    assert last == "and 208 more: python -m operate digest --stack test"


def test_a_refused_plan(
    program: Program, seen: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """The way out goes to standard error; the resource is declared, for its check to refuse."""
    seen["seen"] = observed(1, live=converged())
    with pytest.raises(PlanRefused):
        run(settings())
    digest = shrunk().refused[0].digest
    assert f"FAIRLEAD_ACKNOWLEDGE={digest}.20260908T100000Z" in capsys.readouterr().err
    assert parse(program.resources[0].inputs).summary.acknowledged == ""


@pytest.mark.usefixtures("program")
def test_a_refused_plan_that_is_left_out(seen: dict[str, Any]) -> None:
    """No resource is asked then, so the program itself fails, with what the check would say."""
    seen["seen"] = observed(1, live=converged())
    with pytest.raises(PlanRefused, match=r"^steering: steering-shrink: .* acknowledge digest "):
        run(settings())


def test_an_acknowledged_plan(
    program: Program, seen: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the verdict goes into the inputs, never the time; there is nothing to let through."""
    seen["seen"] = observed(1, live=converged())
    digest = shrunk().refused[0].digest
    run(settings(), f"{digest}.20260908T100000Z")
    assert parse(program.resources[0].inputs).summary.acknowledged == digest
    assert "20260908" not in str(program.resources[0].inputs)
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("seen")
def test_an_expired_word(program: Program) -> None:
    """It is a warning, and counts for nothing."""
    run(settings(), "0123456789ab.20260907T100000Z")
    assert program.said[0] == (
        "warning",
        "steering: FAIRLEAD_ACKNOWLEDGE: 0123456789ab expired at 20260907T100000Z",
    )
    assert parse(program.resources[0].inputs).summary.acknowledged == ""


@pytest.mark.usefixtures("closed")
def test_a_word_of_another_form(program: Program) -> None:
    """It ends the program before anything is read."""
    with pytest.raises(AcknowledgementInvalid):
        steering.run(settings(), acknowledge="yes", now=NOW)
    assert program.resources == []


@pytest.mark.behaviour(41)
def test_no_apps_domain(program: Program, seen: dict[str, Any]) -> None:
    """One line says that no edge name is minted."""
    seen["seen"] = observed(0, ())
    run(settings(apps_domain=""))
    assert program.said == [
        ("info", "steering: no apps domain, so no edge.<apps domain> is minted")
    ]


@pytest.mark.behaviour(14)
@pytest.mark.behaviour(22)
@pytest.mark.parametrize(
    "error", [ListingFailed("apps/", "denied"), AccessRefused("zone Z1", "no")]
)
def test_a_read_that_fails(
    program: Program, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """It ends the program as it is, before anything is registered."""

    def failing(*_: object) -> None:
        raise error

    monkeypatch.setattr(steering, "observe", failing)
    with pytest.raises(type(error)):
        steering.run(settings(), acknowledge="", now=NOW)
    assert (program.resources, program.exports) == ([], {})
