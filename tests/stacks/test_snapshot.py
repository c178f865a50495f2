"""The program of a snapshot stack, without an engine."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import pulumi
import pytest

from control.errors import StoreUnavailable
from control.snapshot_keys import current_key, generation_prefix, meta_key
from policy.guards.snapshots import snapshot_violations
from providers.snapshot_inputs import parse
from registry.errors import RegistryMissing
from stacks import snapshot
from stacks.box_settings import SnapshotSettings
from stacks.errors import PlanRefused
from tests.stacks.conftest import Program
from tests.support.fake_store import WRITES, Call, Fault
from tests.support.snapshots import BUCKET, Machine, machine, quick_folder

NOW = datetime(2026, 9, 7, 10, tzinfo=timezone.utc)
UNTIL = "20260908T100000Z"


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as made:
        yield made


@pytest.fixture
def box(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A box of two routes that has no snapshot yet; whoever opens a bucket gets its store."""
    made = machine(folder, "a", "b")
    monkeypatch.setattr(snapshot, "open_writable", lambda _name: made.store)
    return made


@pytest.fixture
def standby(box: Machine, folder: Path) -> Machine:
    """Another machine of the same name and bucket, with a registry of its own."""
    box.pass_()
    return machine(folder, "x", store=box.store)


def run(made: Machine, acknowledge: str = "", *, fleet_box: bool = False) -> None:
    """Run the program, and wait for what it registers. It writes nothing."""
    settings = SnapshotSettings(
        bucket=BUCKET, box="a1", registry=str(made.registry), fleet_box=fleet_box
    )
    before = made.store.counted(WRITES)

    def whole() -> None:
        snapshot.run(settings, acknowledge=acknowledge, now=NOW)

    pulumi.runtime.test(whole)()  # type: ignore[no-untyped-call] # the SDK gives it no types
    assert made.store.counted(WRITES) == before


def test_a_plan(box: Machine, program: Program) -> None:
    """One resource of a type of its own carries desired, plan and summary as known values."""
    run(box)
    [resource] = program.resources
    decision, inputs = box.decided(), parse(resource.inputs)
    assert (resource.typ, resource.name) == ("pulumi-python:dynamic/box:RegistrySnapshot", "a1")
    assert inputs.desired.model_dump() == {
        "box": "a1",
        "bucket": BUCKET,
        "registry": str(box.registry),
    }
    assert (inputs.plan, inputs.summary) == (decision.plan.lines, decision.summary)
    assert program.said == [
        (
            "info",
            f"snapshot: {box.registry} to {BUCKET}\n{decision.plan.lines[0]}",
        )
    ]


def test_the_outputs(box: Machine, program: Program) -> None:
    """They are the resource's: only it knows what it wrote."""
    run(box)
    assert set(program.exports) == {"key", "fingerprint", "createdAt", "generations"}
    assert all(isinstance(each, pulumi.Output) for each in program.exports.values())


def test_an_unchanged_registry(
    box: Machine, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two reads, and nothing is told, but in a preview."""
    box.pass_()
    box.store.calls.clear()
    run(box)
    assert [call.op for call in box.store.calls] == ["get", "list"]
    assert (program.said, parse(program.resources[0].inputs).plan) == ([], ())
    monkeypatch.setattr(pulumi.runtime, "is_dry_run", lambda: True)
    run(box)
    assert program.said[0][1].endswith(f"= {current_key('a1')}: nothing to do")


def test_keys_that_are_no_generations(box: Machine, program: Program) -> None:
    """A warning names them."""
    box.store.place(f"{generation_prefix('a1')}README", b"")
    run(box)
    assert program.said[0][0] == "warning"
    assert "README" in program.said[0][1]


def test_a_standby_before_it_was_restored(
    standby: Machine, program: Program, capsys: pytest.CaptureFixture[str]
) -> None:
    """The way out goes to standard error; the resource is declared, for its check to refuse.

    The program fails too: --exclude and --target can leave the resource out.
    """
    with pytest.raises(PlanRefused, match=r"^snapshot: snapshot-lineage: box a1"):
        run(standby)
    [violation] = snapshot_violations(parse(program.resources[0].inputs).summary)
    assert violation.rule == "snapshot-lineage"
    assert capsys.readouterr().err == (
        "snapshot: to let exactly this through:"
        f" FAIRLEAD_ACKNOWLEDGE={violation.digest}.{UNTIL} pulumi up --stack test\n"
    )
    assert program.attached == [False]


def test_an_acknowledged_plan(
    standby: Machine, program: Program, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the verdict goes into the inputs; nothing is to be let through, or to be warned of."""
    [violation] = snapshot_violations(standby.decided().summary)
    run(standby, f"{violation.digest}.{UNTIL}")
    inputs = program.resources[0].inputs
    assert parse(inputs).summary.acknowledged == violation.digest
    assert "20260908" not in str(inputs)
    assert capsys.readouterr().err == ""
    assert [level for level, _ in program.said] == ["info"]


def test_a_word_for_something_else(box: Machine, program: Program) -> None:
    """It is a warning, and counts for nothing."""
    run(box, f"0123456789ab.{UNTIL}")
    assert program.said[0] == (
        "warning",
        "snapshot: FAIRLEAD_ACKNOWLEDGE: 0123456789ab answers nothing in this run",
    )


@pytest.mark.behaviour(73)
def test_a_box_of_a_fleet(box: Machine, program: Program) -> None:
    """Skipped with a line: nothing is read, no resource declared; the outputs are there, empty."""
    box.registry.unlink()
    run(box, fleet_box=True)
    assert box.store.calls == []
    assert program.resources == []
    assert program.exports == {"key": "", "fingerprint": "", "createdAt": "", "generations": []}
    [(level, text)] = program.said
    assert (level, text.split(";")[1]) == ("info", " nothing is read")


@pytest.mark.behaviour(67)
def test_a_bucket_that_cannot_be_read(box: Machine, program: Program) -> None:
    """The program ends, before anything is registered: unknown is never "changed"."""
    faults = {Call("get", meta_key("a1")): Fault("down")}
    box.store.faults = faults.get
    with pytest.raises(StoreUnavailable):
        run(box)
    assert (program.resources, program.exports) == ([], {})


def test_a_registry_that_is_missing(box: Machine, program: Program) -> None:
    """So it does without a registry."""
    box.registry.unlink()
    with pytest.raises(RegistryMissing):
        run(box)
    assert (program.resources, program.exports) == ([], {})
