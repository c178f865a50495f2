"""The fixture of every test that runs the real CLI."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from local.zone import ZoneEmulator
from tests.engine.cli import EngineRunner
from tests.engine.deployment import Deployment, deploy, fill, recall, remember
from tests.engine.native import NativeDeployment, deploy_native, recall_native
from tests.support.aws_process import aws_process
from tests.support.s3_bucket import S3Bucket, serve_s3
from tools.engine.locate import find


@pytest.fixture(scope="session")
def engine() -> EngineRunner:
    """The engine that `make setup` found or built."""
    found = find(os.environ)
    assert found is not None, "there is no engine: run `make setup`"
    environ = {key: value for key, value in os.environ.items() if not key.startswith("PULUMI_")}
    return EngineRunner(found, environ)


@pytest.fixture(scope="session")
def make_bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], S3Bucket]]:
    yield from serve_s3(tmp_path_factory.mktemp("s3"))


@pytest.fixture
def bucket(make_bucket: Callable[[], S3Bucket]) -> S3Bucket:
    return make_bucket()


@pytest.fixture
def zone() -> Iterator[ZoneEmulator]:
    with ZoneEmulator(insync_after=0) as emulator:
        yield emulator


@pytest.fixture
def fresh(engine: EngineRunner, tmp_path: Path, zone: ZoneEmulator, bucket: S3Bucket) -> Deployment:
    """A deployment with nothing in it."""
    return deploy(engine, tmp_path, zone, bucket)


@pytest.fixture(scope="session")
def kept(
    engine: EngineRunner,
    tmp_path_factory: pytest.TempPathFactory,
    make_bucket: Callable[[], S3Bucket],
) -> Path:
    """State and zone of a converged deployment: boxes b0 to b3 and hosts h000 to h002."""
    folder = tmp_path_factory.mktemp("converged")
    with ZoneEmulator(insync_after=0) as zone:
        made = deploy(engine, folder / "stack", zone, make_bucket())
        fill(made, boxes=range(4), hosts=3)
        made.up("--skip-preview")
        return remember(made, folder)


@pytest.fixture
def converged(
    engine: EngineRunner, kept: Path, tmp_path: Path, zone: ZoneEmulator, bucket: S3Bucket
) -> Deployment:
    """That deployment, with a bucket of its own; the zone's call log is empty."""
    made = recall(engine, kept, tmp_path, zone, bucket)
    fill(made, boxes=range(4), hosts=3)
    return made


@pytest.fixture(scope="session")
def attached() -> Iterator[dict[str, str]]:
    """The variable that leads the engine to a provider process in pulumi-aws's place."""
    with aws_process() as variable:
        yield variable


@pytest.fixture
def empty(
    engine: EngineRunner,
    tmp_path: Path,
    zone: ZoneEmulator,
    bucket: S3Bucket,
    attached: dict[str, str],
) -> NativeDeployment:
    """A native deployment with nothing in it."""
    return deploy_native(engine, tmp_path / "native", zone, bucket, attached)


@pytest.fixture(scope="session")
def kept_native(
    engine: EngineRunner,
    tmp_path_factory: pytest.TempPathFactory,
    make_bucket: Callable[[], S3Bucket],
    attached: dict[str, str],
) -> Path:
    """State and zone of a converged native deployment: boxes b0 to b3 and hosts h000 to h002."""
    folder = tmp_path_factory.mktemp("native")
    with ZoneEmulator(insync_after=0) as zone:
        made = deploy_native(engine, folder / "stack", zone, make_bucket(), attached)
        fill(made, boxes=range(4), hosts=3)
        made.up("--skip-preview")
        return remember(made, folder)


@pytest.fixture
def native(
    engine: EngineRunner,
    kept_native: Path,
    tmp_path: Path,
    zone: ZoneEmulator,
    bucket: S3Bucket,
    attached: dict[str, str],
) -> NativeDeployment:
    """That deployment, with a bucket of its own; the zone's call log is empty."""
    made = recall_native(engine, kept_native, tmp_path, zone, bucket, attached)
    fill(made, boxes=range(4), hosts=3)
    return made
