"""The program of a sidecars stack, without an engine."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import pulumi
import pytest

from control.errors import ListingFailed
from policy.guards import Violation
from providers.sidecar_inputs import parse
from registry.errors import RegistryMissing
from stacks import sidecar_decision, sidecars
from stacks.errors import AcknowledgementInvalid, PlanRefused
from tests.registry.samples import sidecar
from tests.stacks.conftest import Program
from tests.support.sidecar_box import SidecarBox, host_of, sidecar_box

NOW = datetime(2026, 9, 7, 10, tzinfo=timezone.utc)
UNTIL = "20260908T100000Z"


@pytest.fixture
def box(tmp_path: Path) -> Iterator[SidecarBox]:
    """A box whose bucket asks for two sidecars; ``a`` is there, on another channel."""
    row = sidecar("a", channel="old", db_path=f"{tmp_path}/{host_of('a')}.db")
    with sidecar_box(tmp_path, "ab", [row]) as made:
        yield made


@pytest.fixture
def preview(monkeypatch: pytest.MonkeyPatch) -> None:
    """The run is a preview."""
    monkeypatch.setattr(pulumi.runtime, "is_dry_run", lambda: True)


def run(box: SidecarBox, acknowledge: str = "", *, strict: bool = False) -> None:
    """Run the program, and wait for what it registers."""

    def whole() -> None:
        sidecars.run(box.settings, acknowledge=acknowledge, now=NOW, strict=strict)

    pulumi.runtime.test(whole)()  # type: ignore[no-untyped-call] # the SDK gives it no types


def test_a_plan(box: SidecarBox, program: Program) -> None:
    """One resource of a type of its own carries desired, plan and summary as known values."""
    box.changes["config_gate"] = ("true",)
    decision = box.decided()
    run(box)
    [resource] = program.resources
    inputs = parse(resource.inputs)
    assert (resource.typ, resource.name) == ("pulumi-python:dynamic/box:SidecarRoutes", "a1")
    assert inputs.desired.asked == decision.seen.desired
    assert (inputs.desired.registry, inputs.desired.config_gate) == (str(box.registry), ("true",))
    assert (inputs.plan, inputs.summary) == (decision.plan.lines, decision.plan.summary)


def test_records_of_other_boxes(box: SidecarBox, program: Program) -> None:
    """They are no inputs, unless one has a row here."""
    box.record("far", region="uk")
    box.record("a", region="uk")
    run(box)
    standings = parse(program.resources[0].inputs).desired.asked.standings
    assert [each.host for each in standings] == [host_of("a")]


def test_the_lines_of_an_update(box: SidecarBox, program: Program) -> None:
    """The changes alone, once, beside the resource."""
    run(box)
    [(level, text)] = program.said
    assert (level, program.attached) == ("info", [True])
    assert text.splitlines() == [
        "sidecars: +1 ~1 -0 of 1 row",
        f'~ {host_of("a")} channel "old" -> "edge"',
        f'+ {host_of("b")} bab/eleven channel "edge" args ["bot","run"]',
    ]


@pytest.mark.usefixtures("preview")
@pytest.mark.behaviour(124)
@pytest.mark.behaviour(132)
def test_the_lines_of_a_preview(box: SidecarBox, program: Program) -> None:
    """Every record and every row has a line with its reason, and nothing is written."""
    box.record("far", region="uk")
    box.record("bad", channel="")
    run(box)
    lines = program.said[-1][1].splitlines()
    assert lines[1:3] == [
        f'~ {host_of("a")} channel "old" -> "edge"',
        f'+ {host_of("b")} bab/eleven channel "edge" args ["bot","run"]',
    ]
    assert [line.split(" ")[1] for line in lines[3:]] == [host_of("bad"), host_of("far")]
    assert all(": " in line for line in lines[3:])
    assert box.names() == "a"


@pytest.mark.usefixtures("preview")
def test_a_long_preview(box: SidecarBox, program: Program) -> None:
    """200 lines at most, then the command that lists them all."""
    for number in range(300):
        box.record(f"n{number}")
    run(box)
    last = program.said[-1][1].splitlines()[-1]
    assert last == "and 102 more: python -m operate digest --stack test"


@pytest.mark.behaviour(148)
def test_a_converged_box(box: SidecarBox, program: Program) -> None:
    """Nothing is told; the resource is declared all the same, and nothing else."""
    box.create()
    run(box)
    assert program.said == []
    assert [parse(each.inputs).plan for each in program.resources] == [()]


def test_the_outputs(box: SidecarBox, program: Program) -> None:
    """Rows as they are going to be, and what is left out."""
    box.record("bad", channel="")
    run(box)
    assert program.exports["rows"] == [host_of("a"), host_of("b")]
    assert [each["host"] for each in program.exports["protected"]] == [host_of("bad")]
    assert (program.exports["declined"], program.exports["heldBack"]) == ([], [])


@pytest.mark.behaviour(147)
@pytest.mark.behaviour(130)
def test_what_is_left_out(box: SidecarBox, program: Program) -> None:
    """A warning, one line each, in every run."""
    box.sql("UPDATE routes SET socket = '/run/a.sock', channel = 'edge'")
    box.record("bad", channel="")
    run(box)
    [(level, text), _] = program.said
    first, second = text.splitlines()
    assert level == "warning"
    assert first.startswith(f"sidecars: {host_of('a')} (apps/bab/eleven/sidecars/a.json) keep: not")
    assert second.startswith(f"{host_of('bad')} (apps/bab/eleven/sidecars/bad.json) protect: ")


class TestFuse:
    """Most rows would go: held back, and the run fails after the rest."""

    @pytest.fixture
    def box(self, box: SidecarBox) -> SidecarBox:
        box.create()
        box.forget("a", "b")
        return box

    def test_nothing_else_to_do(self, box: SidecarBox, program: Program) -> None:
        """A last resource fails in place of one that has nothing to do."""
        run(box)
        routes, outcome = program.resources
        assert outcome.typ == "pulumi-python:dynamic/fairlead:Outcome"
        [failure] = outcome.inputs["failures"]
        assert failure.startswith("sidecars: held back: ")
        assert parse(routes.inputs).plan == ()

    def test_something_else_to_do(self, box: SidecarBox, program: Program) -> None:
        """Then the resource itself fails at its end."""
        box.record("new")
        run(box)
        assert len(program.resources) == 1

    def test_the_way_out(
        self, box: SidecarBox, program: Program, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """On standard error, before anything is registered."""
        run(box)
        digest = box.decided().plan.digest
        assert capsys.readouterr().err == (
            f"sidecars: to let exactly this through: FAIRLEAD_ACKNOWLEDGE={digest}.{UNTIL}"
            " pulumi up --stack test\n"
        )
        assert program.exports["heldBack"]

    def test_an_acknowledged_plan(
        self, box: SidecarBox, program: Program, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Only the verdict goes into the inputs, never the time; nothing is to be let through."""
        digest = box.decided().plan.digest
        run(box, f"{digest}.{UNTIL}")
        [resource] = program.resources
        inputs = parse(resource.inputs)
        assert (inputs.summary.acknowledged, len(inputs.removals)) == (digest, 2)
        assert "20260908" not in str(resource.inputs)
        assert capsys.readouterr().err == ""
        assert [level for level, _ in program.said] == ["info"]

    @pytest.mark.usefixtures("preview")
    def test_a_preview(self, box: SidecarBox, program: Program) -> None:
        """A preview makes nothing, so nothing fails there: it says what is going to."""
        run(box)
        assert "the run is going to fail: held back: " in program.said[0][1]

    @pytest.mark.usefixtures("preview")
    def test_a_strict_preview(self, box: SidecarBox, program: Program) -> None:
        """It shows the plan, and then fails as the run would; the reason stands there once."""
        with pytest.raises(PlanRefused, match=r"^sidecars: the run is going to fail: held back: "):
            run(box, strict=True)
        assert "the run is going to fail" not in str(program.said)
        assert program.said[-1][1].startswith("sidecars: +0 ~0 -0 of 2 rows, 2 held back")

    def test_a_strict_run(self, box: SidecarBox, program: Program) -> None:
        """A run that is no preview does what it may, and fails at its end."""
        box.record("new")
        run(box, strict=True)
        assert len(program.resources) == 1

    def test_a_word_for_something_else(self, box: SidecarBox, program: Program) -> None:
        """It is a warning, and counts for nothing."""
        run(box, f"0123456789ab.{UNTIL}")
        [(_, warning)] = [each for each in program.said if each[0] == "warning"]
        assert warning.endswith("FAIRLEAD_ACKNOWLEDGE: 0123456789ab answers nothing in this run")


def test_an_expired_word(box: SidecarBox, program: Program) -> None:
    """It is a warning."""
    run(box, "0123456789ab.20260907T100000Z")
    assert "expired at 20260907T100000Z" in program.said[0][1]


def test_a_word_of_another_form(box: SidecarBox, program: Program) -> None:
    """It ends the program before anything is read."""
    box.registry.unlink()
    with pytest.raises(AcknowledgementInvalid):
        sidecars.run(box.settings, acknowledge="yes", now=NOW)
    assert program.resources == []


@pytest.mark.behaviour(93)
def test_accounts_that_cannot_be_listed(box: SidecarBox, program: Program) -> None:
    """The program ends, before anything is registered."""
    box.unlisted.add("accounts/")
    with pytest.raises(ListingFailed, match=r"^sidecars: list accounts/: access denied"):
        sidecars.run(box.settings, acknowledge="", now=NOW)
    assert (program.resources, program.exports) == ([], {})


@pytest.mark.behaviour(114)
def test_a_registry_that_cannot_be_read(box: SidecarBox, program: Program) -> None:
    """So it does where the rows are not to be had."""
    box.registry.unlink()
    with pytest.raises(RegistryMissing):
        sidecars.run(box.settings, acknowledge="", now=NOW)
    assert (program.resources, program.exports) == ([], {})


def test_a_plan_that_a_guard_refuses(
    box: SidecarBox, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The resource is declared for its check to refuse; left out of the run, the program fails."""
    broken = Violation("sidecar-reachability", "mandatory", "sidecar-reachability: box a1: no")
    monkeypatch.setattr(sidecar_decision, "sidecar_violations", lambda _: (broken,))
    with pytest.raises(PlanRefused, match=r"^sidecars: sidecar-reachability: box a1: no$"):
        run(box)
    assert len(program.resources) == 1
    assert program.attached == [False]
