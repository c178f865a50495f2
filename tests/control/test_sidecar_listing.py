from __future__ import annotations

from collections.abc import Callable

import pytest
from obstore.store import MemoryStore

from control.bucket import open_bucket
from control.store import ObjectStore
from tests.support.s3_bucket import S3Bucket, point_at

_KEYS = ("apps/bab/eleven/x.json", "apps/bab/y", "apps/jam/z", "apps/readme.json", "apps-old/a/b")


@pytest.fixture(params=["memory", "s3", "s3 under a prefix"])
def listed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ObjectStore:
    """A store that holds `_KEYS`."""
    if request.param == "memory":
        memory = MemoryStore()
        return _filled(ObjectStore(memory), memory.put)
    bucket: S3Bucket = request.getfixturevalue("bucket")
    point_at(monkeypatch, bucket.url)
    folder = "" if request.param == "s3" else "/deploy/eu"
    store = open_bucket(f"{bucket.name}{folder}")
    return _filled(store, lambda key, data: bucket.put(f"{folder[1:]}/{key}".lstrip("/"), data))


def _filled(store: ObjectStore, put: Callable[[str, bytes], object]) -> ObjectStore:
    for key in _KEYS:
        put(key, b"{}")
    return store


def test_folders(listed: ObjectStore) -> None:
    """The first segments that keys lie below, and neither those keys nor objects beside them."""
    assert listed.folders("apps/") == ("bab", "jam")
    assert listed.folders("apps/bab/") == ("eleven",)
    assert listed.folders("control/") == ()


def test_listing_of_many_prefixes(listed: ObjectStore) -> None:
    """One result for each, in the order asked for."""
    assert listed.list_each(["apps/jam/", "apps/bab/", "apps/none/"]) == {
        "apps/jam/": ("apps/jam/z",),
        "apps/bab/": ("apps/bab/eleven/x.json", "apps/bab/y"),
        "apps/none/": (),
    }
    assert listed.list_each([]) == {}
