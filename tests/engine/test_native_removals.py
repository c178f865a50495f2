"""What a native stack does not take out of its zone, and what it forgets, in the real engine."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.engine.cli import EngineRunner
from tests.engine.deployment import PACK, PREFIX, Deployment, digest_of, word
from tests.engine.native import COMPONENT, PLAN, RECORD, NativeDeployment

pytestmark = pytest.mark.engine

HEAD = f"urn:pulumi:test::fairlead::{COMPONENT}$"
SKIP = ("up", "--yes", "--skip-preview")


def _remove(deployment: Deployment, *boxes: int) -> None:
    for number in boxes:
        deployment.bucket.delete(f"control/edges/b{number}.json")


@pytest.mark.parametrize(
    "words",
    [
        (*SKIP, "--refresh"),
        (*SKIP, "--target", f"{HEAD}{RECORD}::edge.apps.example.com/A/b0"),
        (*SKIP, *PACK, "--exclude", f"{HEAD}{PLAN}::steering"),
    ],
    ids=["refresh", "target", "left out"],
)
def test_three_of_four_boxes_go(native: NativeDeployment, words: tuple[str, ...]) -> None:
    """More than half at once is refused on every way to run, and nothing is written."""
    _remove(native, 1, 2, 3)
    refused = native.run(*words, check=False)
    assert refused.returncode != 0
    assert "removes 12 of 16 managed sets, limit half (8)" in refused.stdout
    assert not native.writes


def test_the_pack(native: NativeDeployment) -> None:
    """It reports by the policy's name on the plan, before any record; the way out is one line."""
    _remove(native, 1, 2, 3)
    refused = native.run("preview", *PACK, check=False)
    assert refused.returncode != 0
    assert "removes 12 of 16 managed sets, limit half (8)" in refused.stdout
    assert re.search(
        rf"- \[mandatory\] \[severity: high\]  steering-shrink  \({re.escape(PLAN)}: steering\)",
        refused.stdout,
    )
    told = rf"FAIRLEAD_ACKNOWLEDGE={digest_of(refused.stdout)}\.\S+"
    offered = rf"to let exactly this through: {told} pulumi up --stack test$"
    assert re.search(offered, refused.stdout, re.MULTILINE)
    assert not native.writes


def test_a_run_that_goes_on_after_an_error(native: NativeDeployment) -> None:
    """Nothing is taken away while anything that comes first has failed; the next run ends it."""
    _remove(native, 0, 1, 2, 3)
    native.edge(4, aws_region="eu-north-1")
    acknowledged = word(digest_of(native.run("preview", check=False).stdout))
    native.zone.set_faults([{"op": "ChangeResourceRecordSets", "nth": 1, "do": "denied"}])
    failed = native.up("--skip-preview", "--continue-on-error", check=False, env=acknowledged)
    assert failed.returncode != 0
    assert {"b0", "b1", "b2", "b3"} <= native.boxes()
    assert len(native.sets()) >= 16
    assert len(native.zone.health_checks) >= 4
    assert not native.zone.violations
    native.zone.set_faults([])
    again = native.run("preview", check=False).stdout
    native.up(env=word(digest_of(again)))
    assert native.boxes() == {"b4"}
    assert native.checked_addresses() == ["192.0.2.5"]
    assert not native.zone.violations
    native.up("--skip-preview", "--expect-no-changes")


def test_everything_goes(native: NativeDeployment) -> None:
    """The way out of a zone: no box is armed, under the digest."""
    for number in range(4):
        native.edge(number, armed=False)
    refused = native.up("--skip-preview", check=False)
    assert "nothing is desired and nothing is held while 16 managed sets exist" in refused.stdout
    native.up(env=word(digest_of(refused.stdout)))
    assert (native.sets(), native.checked_addresses()) == ([], [])
    assert native.urns() == set()
    native.configure(zoneId="")
    native.up("--skip-preview")


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        (("preview",), {"zoneId": ""}),
        (SKIP, {"zoneId": ""}),
        (("destroy", "--yes", "--skip-preview", "--run-program"), {}),
    ],
    ids=["dormant preview", "dormant up", "destroy"],
)
def test_a_stack_that_would_be_emptied(
    native: NativeDeployment, words: tuple[str, ...], settings: Mapping[str, str]
) -> None:
    """Deletions are refused, with the command that forgets; all stays, live and in the state."""
    before = native.urns()
    native.configure(**settings)
    refused = native.run(*words, check=False)
    assert refused.returncode != 0
    said = r"(\S+) is no removal of this run's plan, so it stays live; if .*?; to forget it: (.*?);"
    commands = dict(re.findall(said, refused.stdout))
    assert commands
    for name, command in commands.items():
        assert command == f"pulumi state delete '{HEAD}{RECORD}::{name}' --stack test"
    assert not native.writes
    assert native.urns() == before
    native.configure(zoneId="Z0STEERING")
    native.up("--skip-preview", "--expect-no-changes")


def test_destroy_alone(native: NativeDeployment) -> None:
    """The engine does not even begin: it has no hooks without the program."""
    refused = native.run("destroy", "--yes", "--skip-preview", check=False)
    assert refused.returncode != 0
    assert "Resource has delete hooks registered" in refused.stdout
    assert not native.writes


def test_another_program(native: NativeDeployment) -> None:
    """A program without the hooks cannot delete what has them in the state."""
    native.stack.configure(
        {"fairlead:kind": "snapshot", "fairlead:fleetBox": True}
        | {"fairlead:box": "b0", "fairlead:registry": "r.db", "fairlead:bucket": "x"}
    )
    refused = native.run(*SKIP, check=False)
    assert refused.returncode != 0
    assert not native.writes


def test_one_record_forgotten(native: NativeDeployment) -> None:
    """It stays live; the next run does not make what exists, and says how to take it up again."""
    urn = f"{HEAD}{RECORD}::edge.apps.example.com/A/b0"
    native.stack.run("state", "delete", urn, "--yes")
    refused = native.run("preview", check=False)
    assert refused.returncode != 0
    assert "edge.apps.example.com/A/b0 is live in zone Z0STEERING and not in" in refused.stdout
    assert not native.writes


def test_a_record_forgotten_whose_box_retires(native: NativeDeployment) -> None:
    """It stays live, so its check stays too, and the run fails until it is gone."""
    urn = f"{HEAD}{RECORD}::edge.apps.example.com/A/b2"
    native.stack.run("state", "delete", urn, "--yes")
    _remove(native, 2)
    for words in (("preview",), SKIP):
        refused = native.run(*words, check=False)
        assert refused.returncode != 0
        said = "192.0.2.3/HTTPS/30 stays: 1 live sets refer to it, limit 0 (the first: edge.apps."
        assert said in refused.stdout
    assert not native.zone.violations
    state = native.zone.state()
    of_zone = state["zones"][0]
    forgotten = f"{PREFIX}b2"
    of_zone["record_sets"] = [
        each for each in of_zone["record_sets"] if each.get("SetIdentifier") != forgotten
    ]
    native.zone.seed(state)
    native.up()
    assert native.checked_addresses() == ["192.0.2.1", "192.0.2.2", "192.0.2.4"]
    native.up("--skip-preview", "--expect-no-changes")


def test_all_forgotten(native: NativeDeployment) -> None:
    """The stack is dormant then without complaint, and a zone that it does not know is not its."""
    native.stack.run("state", "delete", "--all", "--yes")
    native.configure(zoneId="")
    native.up("--skip-preview")
    native.configure(zoneId="Z0STEERING")
    refused = native.up("--skip-preview", check=False)
    assert refused.returncode != 0
    assert "no such zone in its state, and 16 managed sets are live, limit 0" in refused.stdout
    assert not native.writes


def test_another_zone(native: NativeDeployment) -> None:
    """The records of the old one would all go: it is refused before anything is made."""
    native.zone.seed({"zones": [{"id": "Z0OTHER", "name": "example.com"}]})
    native.configure(zoneId="Z0OTHER")
    refused = native.up("--skip-preview", check=False)
    assert refused.returncode != 0
    assert "the stack's state is that of zone Z0STEERING" in refused.stdout
    assert not native.writes


def test_a_zone_that_batch_keeps(
    converged: Deployment, engine: EngineRunner, tmp_path: Path, attached: dict[str, str]
) -> None:
    """It is refused before anything is registered, in a stack of its own too."""
    stack = engine.program(tmp_path / "native", {})
    made = NativeDeployment(stack, converged.zone, converged.bucket, attached=attached)
    made.configure()
    refused = made.up("--skip-preview", check=False)
    assert refused.returncode != 0
    assert "16 managed sets are kept by the realizer batch, limit 0 for native" in refused.stdout
    assert made.urns() == set()
    assert not converged.writes


def test_without_the_plugin(empty: NativeDeployment) -> None:
    """The message says what to install, and nothing is read or registered."""
    empty.edge(0)
    empty.attached = {}
    refused = empty.run("preview", check=False)
    assert refused.returncode != 0
    assert "pulumi plugin install resource aws v7.51.1" in refused.stdout
    assert "fairlead:steering:Zone" not in refused.stdout
    assert empty.zone.calls == []
