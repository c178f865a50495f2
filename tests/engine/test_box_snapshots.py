"""Whose snapshot may take whose place, in the real engine: a dead box, its standby, another box."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from control.snapshot_keys import CURRENT_PREFIX, GENERATIONS_PREFIX
from tests.engine.boxes import BoxDeployment, deploy_box, fill
from tests.engine.cli import EngineRunner
from tests.engine.deployment import PACK
from tests.registry.samples import dump, run, sidecar
from tests.support.checkout import CHECKOUT
from tests.support.s3_bucket import S3Bucket

pytestmark = pytest.mark.engine

URN = "urn:pulumi:a1-snapshot::fairlead::pulumi-python:dynamic/box:RegistrySnapshot::a1"
_ROUTES = [f"r{number:02}" for number in range(40)]


@dataclass(frozen=True)
class Pair:
    """A box ``a1`` with a snapshot of 40 routes, dead by now, and ``b2`` with one of its own."""

    dead: BoxDeployment
    other: BoxDeployment


@pytest.fixture(scope="module")
def pair(
    engine: EngineRunner,
    tmp_path_factory: pytest.TempPathFactory,
    make_bucket: Callable[[], S3Bucket],
) -> Pair:
    folder, bucket = tmp_path_factory.mktemp("pair"), make_bucket()
    rows = [sidecar(name) for name in _ROUTES]
    made = Pair(
        deploy_box(engine, folder, bucket, "a1", *rows),
        deploy_box(engine, folder, bucket, "b2", sidecar("x")),
    )
    made.dead.take()
    made.other.take()
    return made


@pytest.fixture
def standby(engine: EngineRunner, pair: Pair, tmp_path: Path) -> BoxDeployment:
    """A machine that was given the dead box's label, with a fresh registry."""
    return deploy_box(engine, tmp_path, pair.dead.bucket, "a1")


def _stored(bucket: S3Bucket) -> dict[str, str]:
    """Every object of the snapshots, and its ETag."""
    found = bucket.client.list_objects_v2(Bucket=bucket.name)["Contents"]
    prefixes = (CURRENT_PREFIX, GENERATIONS_PREFIX)
    return {each["Key"]: each["ETag"] for each in found if each["Key"].startswith(prefixes)}


@pytest.mark.parametrize(
    "words",
    [
        ("preview",),
        ("preview", *PACK),
        ("up", "--yes"),
        ("up", "--yes", "--skip-preview"),
        ("up", "--yes", "--skip-preview", "--target", URN),
        ("up", "--yes", "--skip-preview", "--exclude", URN),
    ],
    ids=["preview", "with the pack", "up", "without a preview", "target", "exclude"],
)
def test_standby_on_every_way_to_write(
    standby: BoxDeployment, pair: Pair, words: tuple[str, ...]
) -> None:
    """It writes nothing, whichever way: the label is the same, and the registry is another one."""
    before, registry = _stored(pair.dead.bucket), dump(standby.registry)
    refused = standby.snapshot.run(*words, check=False, env=standby.env)
    assert refused.returncode != 0
    said = refused.stdout
    assert "snapshot-lineage: box a1 (bucket" in said
    assert re.search(r"\(of 20\S+Z, 40 routes, lineage [0-9a-f]{12}\)", said)
    assert f"is not the past of {standby.registry} (0 routes, no lineage)" in said
    assert f"operate restore --bucket {pair.dead.bucket.name} --box a1 --to" in said
    assert (_stored(pair.dead.bucket), dump(standby.registry)) == (before, registry)


def test_refused_snapshot_stops_no_sidecar(standby: BoxDeployment, pair: Pair) -> None:
    """The stacks are independent; what the refusal says to run makes the standby the box's heir."""
    fill(standby, *_ROUTES)
    refused = standby.take(check=False)
    assert refused.returncode != 0
    standby.up()
    assert standby.names() == _ROUTES
    assert standby.take(check=False).returncode != 0
    restored = _run_what_is_said(refused.stdout, standby)
    assert restored.returncode == 0, restored.stderr
    before = _stored(pair.dead.bucket)
    standby.take()
    assert _stored(pair.dead.bucket) == before
    assert standby.names() == _ROUTES


def _run_what_is_said(said: str, box: BoxDeployment) -> subprocess.CompletedProcess[str]:
    """Run the command that a refusal names."""
    found = re.search(r"python -m (operate restore [^;]*--replace)", said)
    assert found, said
    return subprocess.run(
        [sys.executable, "-m", *shlex.split(found[1])],
        cwd=CHECKOUT,
        env={**box.sidecars.environ, **box.env},
        capture_output=True,
        text=True,
        check=False,
    )


def test_bucket_that_cannot_be_reached(standby: BoxDeployment, pair: Pair) -> None:
    """Unknown stays unknown: neither a snapshot nor a restore comes of it."""
    before, registry = _stored(pair.dead.bucket), dump(standby.registry)
    standby.s3_url = "http://127.0.0.1:1"
    refused = standby.take(check=False)
    assert refused.returncode != 0
    assert "read control/registry-snapshot/a1.json: " in refused.stdout
    assert "restore" not in refused.stdout
    standby.s3_url = ""
    assert (_stored(pair.dead.bucket), dump(standby.registry)) == (before, registry)


def test_box_that_removes_most_of_its_routes(pair: Pair) -> None:
    """Its own past allows it, and the bigger snapshot stays among the generations."""
    before = _stored(pair.other.bucket)
    run(pair.other.registry, "DELETE FROM routes")
    pair.other.take()
    after = _stored(pair.other.bucket)
    changed = {key for key in after if after[key] != before.get(key)}
    assert before.keys() < after.keys()
    assert {key.partition("b2")[1] for key in changed} == {"b2"}
    assert len(changed) == 3
