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


def _rerun(deployment: NativeDeployment) -> None:
    """Run ``up`` again, and do what it says for as long as it says something."""
    for _ in range(4):
        done = deployment.launch("up", "--yes", "--skip-preview", check=False)
        if done.returncode == 0:
            return
        commands = sorted({*re.findall(r"take it up: (pulumi import .*?) --stack ", done.stdout)})
        assert commands, done.stdout + done.stderr
        for command in commands:
            words = shlex.split(command)[1:]
            deployment.run(*words, "--yes", "--skip-preview")
    raise AssertionError("it never ends")


def _remove_leftovers(deployment: NativeDeployment) -> None:
    """Remove the checks that the run says are left over."""
    told = deployment.run("preview").stdout
    for identifier in {*re.findall(r"delete-health-check --health-check-id (\S+)", told)}:
        del deployment.zone.health_checks[identifier]
