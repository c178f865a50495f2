"""Live sets under our prefix that a native stack's state does not have, in the real engine."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.deployment import PREFIX
from tests.engine.native import COMPONENT, RECORD, NativeDeployment

pytestmark = pytest.mark.engine

UP = ("up", "--yes", "--skip-preview")


def _take_out(native: NativeDeployment, name: str, box: str) -> None:
    """Delete a set by hand."""
    state: dict[str, Any] = native.zone.state()
    zone = state["zones"][0]
    zone["record_sets"] = [
        each
        for each in zone["record_sets"]
        if (each["Name"].rstrip("."), each.get("SetIdentifier")) != (name, f"{PREFIX}{box}")
    ]
    native.zone.seed(state)


def test_a_record_forgotten_whose_host_goes(native: NativeDeployment) -> None:
    """The engine removes the others; the run fails for this one, in a preview too, until it is out.

    Nothing of it is in the state, so that no hook is ever asked.
    """
    host = native.host("h000", steering="")
    urn = f"urn:pulumi:test::fairlead::{COMPONENT}${RECORD}::{host}/A/b2"
    native.stack.run("state", "delete", urn, "--yes")
    for words, sets in ((("preview",), 16), (UP, 13), (UP, 13)):
        ended = native.run(*words, check=False)
        assert ended.returncode != 0
        assert (
            f'zone Z0STEERING: 1 differences stay, limit 0 (the first: "- {host} A {PREFIX}b2 '
            in ended.stdout
        )
        assert len(native.sets()) == sets
    _take_out(native, host, "b2")
    native.up("--skip-preview", "--expect-no-changes")


def test_a_set_made_by_hand(native: NativeDeployment) -> None:
    """It is under our prefix, and no armed box has it: the run is red until it is taken out."""
    state = native.zone.state()
    foreign = {**native.sets()[0], "SetIdentifier": f"{PREFIX}gone", "Region": "sa-east-1"}
    state["zones"][0]["record_sets"].append(foreign)
    native.zone.seed(state)
    for words in (("preview",), UP):
        ended = native.run(*words, check=False)
        assert ended.returncode != 0
        assert f" A {PREFIX}gone sa-east-1 " in ended.stdout.partition(" 1 differences stay")[2]
    assert not native.writes
    _take_out(native, foreign["Name"].rstrip("."), "gone")
    native.up("--skip-preview", "--expect-no-changes")


def test_a_check_that_a_run_left_behind(native: NativeDeployment) -> None:
    """Its box retires and the state's own goes: the run is red, and says what deletes the other."""
    state = native.zone.state()
    checks = state["health_checks"]
    [own] = [each for each in checks if each["HealthCheckConfig"]["IPAddress"] == "192.0.2.4"]
    double = {**own, "Id": "left-behind", "CallerReference": f"{own['CallerReference']}0"}
    native.zone.seed({**state, "health_checks": [*checks, double]})
    native.bucket.delete("control/edges/b3.json")
    for words in (("preview",), UP, ("preview",)):
        ended = native.run(*words, check=False)
        assert ended.returncode != 0
        said = ended.stdout.partition("1 differences stay, limit 0 (the first: ")[2]
        assert "aws route53 delete-health-check --health-check-id " in said
    assert len(native.sets()) == 12
    assert "delete-health-check --health-check-id left-behind;" in said
    del native.zone.health_checks["left-behind"]
    native.up("--skip-preview", "--expect-no-changes")
