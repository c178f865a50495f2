"""A CLI interrupted or killed at any of its calls: the next run ends what it began.

The change has three batches, three check creations, a check's update and a sweep.
"""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from folds.checks import owner
from local.zone import ZoneEmulator
from route53.regions import latency_regions
from tests.engine.cli import EngineRunner
from tests.engine.deployment import (
    PREFIX,
    WRITES,
    ZONE,
    Deployment,
    deploy,
    fill,
    recall,
    remember,
)
from tests.support.s3_bucket import S3Bucket

pytestmark = pytest.mark.engine

BOXES, MORE, HOSTS = 32, 3, 30
_HEARD = 0.3  # seconds that the answer waits, so that the signal gets where it goes
_TAKEN = {"eu-west-1", "eu-west-2", "us-east-1", "ap-southeast-2"}
_COMMERCIAL = sorted(each for each in latency_regions() if not each.startswith(("cn-", "us-gov")))

Picture = tuple[list[tuple[Any, ...]], list[str]]


@dataclass(frozen=True)
class Wide:
    """A converged deployment of many boxes, and a bucket that asks for the change."""

    kept: Path
    bucket: S3Bucket


@pytest.fixture(scope="module")
def wide(
    engine: EngineRunner,
    tmp_path_factory: pytest.TempPathFactory,
    make_bucket: Callable[[], S3Bucket],
) -> Wide:
    folder, bucket = tmp_path_factory.mktemp("wide"), make_bucket()
    with ZoneEmulator(insync_after=0) as zone:
        made = deploy(engine, folder / "stack", zone, bucket)
        fill(made, boxes=(), hosts=HOSTS)
        for number in range(BOXES):
            made.edge(number, aws_region=_COMMERCIAL[number])
        made.up("--skip-preview")
        _drift(zone)
        remember(made, folder)
        for number in range(BOXES, BOXES + MORE):
            made.edge(number, aws_region=_COMMERCIAL[number])
    return Wide(folder, bucket)


def _drift(zone: ZoneEmulator) -> None:
    """Change one check's path by hand, and leave a check of ours that nothing refers to."""
    state = zone.state()
    state["health_checks"][0]["HealthCheckConfig"]["ResourcePath"] = "/by-hand"
    left = {**state["health_checks"][0], "Id": "left-over"}
    left["CallerReference"] = owner(ZONE, PREFIX) + "0" * 20 + "/1"
    state["health_checks"].append(left)
    zone.seed(state)


def _start(engine: EngineRunner, wide: Wide, folder: Path, zone: ZoneEmulator) -> Deployment:
    made = recall(engine, wide.kept, folder, zone, wide.bucket)
    made.configure(ttl=59)
    return made


def _picture(deployment: Deployment) -> Picture:
    """What the zone answers, with addresses in place of the checks' ids."""
    checks = deployment.zone.health_checks
    config = {key: each["HealthCheckConfig"] for key, each in checks.items()}
    sets = [
        (
            each["Name"],
            each["SetIdentifier"],
            each["Region"],
            each["TTL"],
            each["ResourceRecords"][0]["Value"],
            config[each["HealthCheckId"]]["IPAddress"],
        )
        for each in deployment.sets()
    ]
    paths = sorted(f"{each['IPAddress']} {each['ResourcePath']}" for each in config.values())
    return sorted(sets), paths


@pytest.fixture(scope="module")
def undisturbed(
    engine: EngineRunner, wide: Wide, tmp_path_factory: pytest.TempPathFactory
) -> tuple[list[str], Picture]:
    """The calls of a run that nothing disturbs, and what it makes."""
    with ZoneEmulator(insync_after=0) as zone:
        made = _start(engine, wide, tmp_path_factory.mktemp("undisturbed"), zone)
        made.up("--skip-preview")
        operations = [call["op"] for call in zone.calls]
        return operations, _picture(made)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_at_each_call(
    engine: EngineRunner,
    wide: Wide,
    undisturbed: tuple[list[str], Picture],
    tmp_path: Path,
    how: signal.Signals,
) -> None:
    """At most one more write is made, no set points at a missing check, the next run converges."""
    operations, wanted = undisturbed
    assert operations.count("ChangeResourceRecordSets") >= 3
    assert operations.count("CreateHealthCheck") == MORE
    assert {"UpdateHealthCheck", "DeleteHealthCheck"} <= set(operations)
    interrupted, moments = 0, _moments(operations)
    for nth in moments:
        with ZoneEmulator(insync_after=0) as zone:
            made = _start(engine, wide, tmp_path / str(nth), zone)
            interrupted += _interrupt(made, nth, how)
            made.launch("up", "--yes", "--skip-preview")
            assert _picture(made) == wanted, f"after {how.name} at call {nth}"
            assert not zone.violations
        shutil.rmtree(tmp_path / str(nth))
    assert interrupted == len(moments)


def _moments(operations: list[str]) -> list[int]:
    """The calls to disturb: all but a listing's later pages, which leave what its first does."""
    pairs = enumerate(zip(["", *operations], operations, strict=False))
    return [nth for nth, (before, call) in pairs if call in WRITES or call != before]


def _interrupt(deployment: Deployment, nth: int, how: signal.Signals) -> int:
    """Run ``up`` and signal the CLI at its nth call. Return how often that was done: once."""
    zone, signalled = deployment.zone, []
    cli = deployment.start("up", "--yes", "--skip-preview")

    def disturb(call: dict[str, Any]) -> None:
        if call["index"] == nth:
            os.kill(cli.pid, how)
            signalled.append(nth)
            time.sleep(_HEARD)

    zone.on_call = disturb
    cli.wait(120)
    time.sleep(_HEARD)
    zone.on_call = None
    after = [call["op"] for call in zone.calls[nth + 1 :] if call["op"] in WRITES]
    assert len(after) <= 1, f"{how.name} at call {nth}: then {after}"
    return len(signalled)
