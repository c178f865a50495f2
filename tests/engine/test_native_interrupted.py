"""A native run that is interrupted or killed at its writes, and the run after it."""

from __future__ import annotations

import os
import re
import shlex
import signal
import time
from typing import Any

import pytest

from tests.engine.deployment import WRITES, fill
from tests.engine.native import NativeDeployment

pytestmark = pytest.mark.engine

SETTLED = ("--skip-preview", "--expect-no-changes")
_HEARD = 0.3  # seconds that the answer waits, so that the signal gets where it goes


def _begin(deployment: NativeDeployment) -> None:
    """Ask for two boxes and two hosts: two checks and six records."""
    fill(deployment, boxes=range(2), hosts=2)


def _disturb(deployment: NativeDeployment, nth: int, how: signal.Signals) -> None:
    """Run ``up`` and signal the CLI at its nth write."""
    zone = deployment.zone
    cli = deployment.start("up", "--yes", "--skip-preview")
    writes = 0

    def disturb(call: dict[str, Any]) -> None:
        nonlocal writes
        writes += call["op"] in WRITES
        if writes == nth and call["op"] in WRITES:
            os.kill(cli.pid, how)
            time.sleep(_HEARD)

    zone.on_call = disturb
    cli.wait(120)
    time.sleep(_HEARD)
    zone.on_call = None
    assert writes >= nth


def _settled(deployment: NativeDeployment) -> None:
    """All is as if nothing had happened, but for checks that no state knows."""
    deployment.up(*SETTLED)
    assert len(deployment.sets()) == 6
    assert set(deployment.checked_addresses()) == {"192.0.2.1", "192.0.2.2"}
    assert not deployment.zone.violations


@pytest.mark.parametrize("nth", [1, 4, 6])
def test_interrupted(empty: NativeDeployment, nth: int) -> None:
    """The engine ends what it has begun and writes it down; the next run makes the rest."""
    _begin(empty)
    _disturb(empty, nth, signal.SIGINT)
    empty.launch("up", "--yes", "--skip-preview")
    _settled(empty)
    assert len(empty.checked_addresses()) == 2


@pytest.mark.parametrize("nth", [1, 5, 7])
def test_killed(empty: NativeDeployment, nth: int) -> None:
    """What was made and not written down is told of: records are taken up, checks removed."""
    _begin(empty)
    _disturb(empty, nth, signal.SIGKILL)
    _rerun(empty)
    _settled(empty)
    _remove_leftovers(empty)
    assert empty.checked_addresses() == ["192.0.2.1", "192.0.2.2"]
    empty.up(*SETTLED)


def test_killed_while_a_region_changes_hands(native: NativeDeployment) -> None:
    """The state knows the old set, the zone the new one: it is taken up, and the old one let go."""
    native.bucket.delete("control/edges/b1.json")
    native.edge(9, aws_region="eu-west-2", eip="192.0.2.99")
    _disturb(native, 3, signal.SIGKILL)
    _rerun(native)
    native.up(*SETTLED)
    assert native.boxes() == {"b0", "b2", "b3", "b9"}
    assert not {each for each in native.urns() if each.endswith("/b1")}
    assert not native.zone.violations


@pytest.mark.parametrize(
    ("refresh", "said"),
    [
        ((), "/b1 still answers in its region, for a run could not exchange them"),
        (("--refresh",), "/b1, which is live in zone Z0STEERING and not in this stack's state"),
    ],
    ids=["plain", "refresh"],
)
def test_a_region_that_cannot_change_hands(
    native: NativeDeployment, refresh: tuple[str, ...], said: str
) -> None:
    """Both stay as they were; the state has the new set for the old one, and is put right."""
    native.bucket.delete("control/edges/b1.json")
    native.edge(9, aws_region="eu-west-2", eip="192.0.2.99")
    native.zone.set_faults([{"op": "ChangeResourceRecordSets", "do": "denied"}])
    native.up("--skip-preview", check=False)
    native.zone.set_faults([])
    assert native.boxes() == {"b0", "b1", "b2", "b3"}
    native.zone.reset()
    refused = native.run("preview", *refresh, check=False)
    assert said in refused.stdout
    _rerun(native, *refresh)
    native.up(*SETTLED)
    assert native.boxes() == {"b0", "b2", "b3", "b9"}
    assert [call["changes"] for call in native.writes if call["changes"]] == [2] * 4
    assert not {each for each in native.urns() if each.endswith("/b1")}
    assert not native.zone.violations


@pytest.mark.parametrize("call", ["ChangeResourceRecordSets", "GetChange"])
def test_a_change_that_fails(native: NativeDeployment, call: str) -> None:
    """The next run makes it, whether it was made and not waited for or not made at all."""
    native.configure(ttl=30)
    native.zone.set_faults([{"op": call, "do": "denied"}])
    assert native.up("--skip-preview", check=False).returncode != 0
    native.zone.set_faults([])
    native.up("--skip-preview")
    assert {each["TTL"] for each in native.sets()} == {30}
    native.up(*SETTLED)


def test_a_check_whose_change_fails(native: NativeDeployment) -> None:
    """The next run does no more than find it out, and fails; the one after makes it."""
    native.configure(healthCheck={"path": "/up"})
    native.zone.set_faults([{"op": "UpdateHealthCheck", "do": "denied"}])
    assert native.up("--skip-preview", check=False).returncode != 0
    native.zone.set_faults([])
    ended = native.up("--skip-preview", check=False)
    assert ended.returncode != 0
    assert '4 differences stay, limit 0 (the first: "~ health check' in ended.stdout
    assert _paths(native) == {"/"}
    native.up("--skip-preview")
    assert _paths(native) == {"/up"}
    native.up(*SETTLED)


def _paths(deployment: NativeDeployment) -> set[str]:
    checks = deployment.zone.health_checks.values()
    return {each["HealthCheckConfig"]["ResourcePath"] for each in checks}


@pytest.mark.parametrize("call", ["GetChange", "ChangeTagsForResource"])
def test_a_creation_that_fails_when_it_is_made(empty: NativeDeployment, call: str) -> None:
    """The state has it all the same: nothing is left over, and the next run ends it."""
    _begin(empty)
    empty.zone.set_faults([{"op": call, "do": "denied"}])
    assert empty.up("--skip-preview", check=False).returncode != 0
    empty.zone.set_faults([])
    empty.up("--skip-preview")
    empty.up("--skip-preview")
    _settled(empty)
    assert empty.checked_addresses() == ["192.0.2.1", "192.0.2.2"]


def _rerun(deployment: NativeDeployment, *more: str) -> None:
    """Run ``up`` again, and do what it says for as long as it says something."""
    for _ in range(6):
        done = deployment.launch("up", "--yes", "--skip-preview", *more, check=False)
        if done.returncode == 0:
            return
        said = r": (pulumi (?:state delete|import) .*?) --stack "
        commands = dict.fromkeys(re.findall(said, done.stdout))
        assert commands, done.stdout + done.stderr
        for command in commands:
            words = shlex.split(command)[1:]
            skip = ("--skip-preview",) if words[0] == "import" else ()
            deployment.run(*words, "--yes", *skip)
    raise AssertionError("it never ends")


def _remove_leftovers(deployment: NativeDeployment) -> None:
    """Remove the checks that the run says are left over."""
    told = deployment.run("preview").stdout
    for identifier in {*re.findall(r"delete-health-check --health-check-id (\S+)", told)}:
        del deployment.zone.health_checks[identifier]
