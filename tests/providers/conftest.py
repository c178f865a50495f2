"""A provider as its process has it: an emulated account, and an engine that listens."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from providers.claim_files import HostFiles
from providers.zone_records import ZoneRecordsProvider
from tests.support.claim_contract import Ports, fake_ports, real_ports
from tests.support.claims_bucket import ClaimsBucket, claims_bucket
from tests.support.claims_jobs import JobBox, Jobs, jobs
from tests.support.engine_stub import EngineStub, engine_stub
from tests.support.s3_bucket import S3Bucket, point_at, serve_s3
from tests.support.snapshots import Machine, machine, quick_folder
from tests.support.zones import Account, emulated_account, environment


@pytest.fixture(scope="session")
def emulated() -> Iterator[Account]:
    with emulated_account() as account:
        yield account


@pytest.fixture
def account(emulated: Account, monkeypatch: pytest.MonkeyPatch) -> Account:
    """An account with one empty zone, which every client of this process finds."""
    emulated.clear()
    for name, value in environment(emulated.emulator.url).items():
        monkeypatch.setenv(name, value)
    return emulated


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[EngineStub]:
    """The engine that started this process."""
    with engine_stub() as stub:
        monkeypatch.setattr(sys, "argv", ["pulumi-resource-pulumi-python", stub.address])
        yield stub


@pytest.fixture
def provider() -> Iterator[ZoneRecordsProvider]:
    """A provider; the frames that it hides are given back afterwards."""
    yield ZoneRecordsProvider()
    vars(sys).pop("tracebacklimit", None)


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as made:
        yield made


@pytest.fixture
def box(folder: Path) -> Machine:
    """A box with two routes, and no snapshot yet."""
    return machine(folder, "a", "b")


@pytest.fixture
def settled(box: Machine) -> Machine:
    """A box with its first snapshot; the log of calls is empty."""
    box.pass_()
    box.store.calls.clear()
    return box


@pytest.fixture(scope="session")
def make_bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], S3Bucket]]:
    yield from serve_s3(tmp_path_factory.mktemp("s3"))


@pytest.fixture
def control(
    make_bucket: Callable[[], S3Bucket], monkeypatch: pytest.MonkeyPatch
) -> Iterator[ClaimsBucket]:
    """A control bucket at a real endpoint, which this process finds."""
    with claims_bucket(make_bucket(), monkeypatch) as made:
        yield made


@pytest.fixture
def uk(folder: Path, control: ClaimsBucket) -> JobBox:
    """Another box on the bucket."""
    return JobBox("uk-1", folder / "uk-1", control.bucket.name)


@pytest.fixture
def files(tmp_path: Path) -> HostFiles:
    """The files of a data directory with nothing in it."""
    (tmp_path / "data").mkdir()
    return HostFiles(tmp_path / "data")


@pytest.fixture(params=["fakes", "bucket, files and registry"])
def ports(request: pytest.FixtureRequest, tmp_path: Path) -> Ports:
    """Every port of a claimed write, in each make."""
    return fake_ports() if request.param == "fakes" else real_ports(tmp_path)


@pytest.fixture
def running(control: ClaimsBucket, monkeypatch: pytest.MonkeyPatch) -> Iterator[Jobs]:
    """Jobs in processes of their own, on the bucket."""
    point_at(monkeypatch, control.bucket.url)  # past the proxy, which is slow
    with jobs() as started:
        yield started


@pytest.fixture
def ie(folder: Path, control: ClaimsBucket) -> JobBox:
    """The box ie-1, on the bucket."""
    return JobBox("ie-1", folder / "ie-1", control.bucket.name)
