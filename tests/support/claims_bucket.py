"""A control bucket behind a proxy that makes requests fail, and the platform that writes claims."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from control.bucket import open_bucket, open_hasty, open_writable
from control.store import ObjectStore
from control.writer import ObjectWriter
from tests.support.claims_platform import ClaimsPlatform
from tests.support.s3_bucket import S3Bucket, point_at
from tests.support.s3_faults import FaultProxy, fault_proxy


@dataclass(frozen=True)
class ClaimsBucket:
    """``store``, ``hasty`` and ``writer`` go through ``proxy``; ``platform`` goes past it."""

    bucket: S3Bucket
    proxy: FaultProxy
    platform: ClaimsPlatform

    @property
    def store(self) -> ObjectStore:
        return open_bucket(self.bucket.name)

    @property
    def hasty(self) -> ObjectStore:
        return open_hasty(self.bucket.name)

    @property
    def writer(self) -> ObjectWriter:
        return open_writable(self.bucket.name, sleep=lambda _: None)


@contextmanager
def claims_bucket(bucket: S3Bucket, patch: pytest.MonkeyPatch) -> Iterator[ClaimsBucket]:
    """Point this process, and those that it starts, at a bucket behind a proxy."""
    with fault_proxy(bucket.url) as proxy:
        point_at(patch, proxy.url)
        yield ClaimsBucket(bucket, proxy, ClaimsPlatform(bucket.put))
