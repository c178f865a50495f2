from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from control.bucket import open_bucket
from control.store import ObjectStore
from tests.support.s3_bucket import S3Bucket, point_at, serve_s3
from tests.support.s3_faults import FaultProxy, fault_proxy


@pytest.fixture(scope="session")
def make_bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], S3Bucket]]:
    yield from serve_s3(tmp_path_factory.mktemp("s3"))


@pytest.fixture
def bucket(make_bucket: Callable[[], S3Bucket]) -> S3Bucket:
    return make_bucket()


@pytest.fixture
def proxy(bucket: S3Bucket) -> Iterator[FaultProxy]:
    with fault_proxy(bucket.url) as running:
        yield running


@pytest.fixture
def store(bucket: S3Bucket, proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch) -> ObjectStore:
    """The bucket as the program opens it, behind the proxy."""
    point_at(monkeypatch, proxy.url)
    return open_bucket(bucket.name)
