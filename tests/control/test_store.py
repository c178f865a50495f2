from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, cast

import pytest
from obstore.exceptions import GenericError
from obstore.store import MemoryStore

from control.errors import ListingFailed, ObjectNotFound, ReadFailed, StoreUnavailable
from control.store import IN_FLIGHT, Body, ObjectStore
from tests.support.s3_bucket import S3Bucket
from tests.support.s3_faults import DROP, FaultProxy

if TYPE_CHECKING:
    from obstore import GetResult

_EDGES = "control/edges/"


class _Slow:
    """Stands for obstore's store: counts how many reads run at once, and can be down."""

    def __init__(self, *, down: bool) -> None:
        self.down, self.running, self.most, self.reads = down, 0, 0, 0
        self.lock = threading.Lock()
        self.memory = MemoryStore()
        self.memory.put("x", b"1")

    def get(self, _path: str) -> GetResult:
        with self.lock:
            self.running, self.reads = self.running + 1, self.reads + 1
            self.most = max(self.most, self.running)
        time.sleep(0.02)
        with self.lock:
            self.running -= 1
        if self.down:
            raise GenericError("down")
        return self.memory.get("x")

    def store(self) -> ObjectStore:
        return ObjectStore(cast("MemoryStore", self))


def _pages(bucket: S3Bucket, proxy: FaultProxy) -> list[str]:
    keys = [f"{_EDGES}{number}.json" for number in range(5)]
    for key in keys:
        bucket.put(key)
    proxy.faults.page_size = 2
    return keys


def test_listing_of_many_pages(store: ObjectStore, bucket: S3Bucket, proxy: FaultProxy) -> None:
    """All pages make one listing."""
    keys = _pages(bucket, proxy)

    assert list(store.list(_EDGES)) == keys
    assert [call.page for call in proxy.calls] == [1, 2, 3]


@pytest.mark.parametrize(("page", "status"), [(1, 403), (2, 403), (3, 403), (2, 500), (2, DROP)])
def test_listing_that_fails_on_a_page(
    store: ObjectStore, bucket: S3Bucket, proxy: FaultProxy, page: int, status: int
) -> None:
    """It fails whole, whichever the page; a partial listing is never returned."""
    _pages(bucket, proxy)
    proxy.fail_listing(_EDGES, page, status)

    with pytest.raises(ListingFailed) as caught:
        store.list(_EDGES)

    assert caught.value.prefix == _EDGES
    assert str(caught.value).startswith("list control/edges/: ")


def test_listing_that_fails_for_a_moment(
    store: ObjectStore, bucket: S3Bucket, proxy: FaultProxy
) -> None:
    """A server error is tried again, and the page is read once it is over."""
    keys = _pages(bucket, proxy)
    proxy.fail_listing(_EDGES, 2, 503)
    over = threading.Timer(0.15, proxy.faults.listings.clear)
    over.start()

    assert list(store.list(_EDGES)) == keys
    over.join()


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (403, "AccessDenied: injected 403 (HTTP 403)"),
        (404, "NoSuchKey: injected 404 (HTTP 404)"),
    ],
)
def test_reason_of_a_failed_listing(
    store: ObjectStore, proxy: FaultProxy, status: int, reason: str
) -> None:
    """The text is S3's own code and message, without timings or debug output."""
    proxy.fail_listing("a/", 1, status)

    with pytest.raises(ListingFailed) as caught:
        store.list("a/")

    assert caught.value.reason == reason


@pytest.mark.parametrize("key", ["a/x//y.json", "a/../y.json", "a/x\ny.json", "a/\x1b.json"])
def test_listing_with_a_key_that_cannot_be_named(
    store: ObjectStore, bucket: S3Bucket, key: str
) -> None:
    """It fails and says which, with the way out: never skipped, never renamed."""
    bucket.put("a/good.json")
    bucket.put(key)

    with pytest.raises(ListingFailed) as caught:
        store.list("a/")

    assert key in caught.value.reason
    assert str(caught.value).isprintable()
    assert str(caught.value).endswith("; rename or delete that object")


def test_folder_markers(store: ObjectStore, bucket: S3Bucket) -> None:
    """They name no object of their own, and double none."""
    for key in ["a/", "a/x.json", "a/x.json/", "a/gone.json/"]:
        bucket.put(key)

    assert store.list("a/") == ("a/gone.json", "a/x.json")
    assert isinstance(store.get_each(["a/gone.json"])["a/gone.json"], ObjectNotFound)


@pytest.mark.parametrize(
    ("status", "kind", "reason"),
    [
        (403, ReadFailed, "AccessDenied: injected 403 (HTTP 403)"),
        (404, ObjectNotFound, "no such object"),
        (500, StoreUnavailable, "InternalError: injected 500 (HTTP 500)"),
        (DROP, StoreUnavailable, "after 4 retries - HTTP error: error sending request (Request)"),
    ],
)
def test_read_that_fails(
    store: ObjectStore, bucket: S3Bucket, proxy: FaultProxy, status: int, kind: type, reason: str
) -> None:
    """Refused, gone and broken are told apart, and the other objects are read."""
    bucket.put("a/x")
    bucket.put("a/y")
    proxy.fail_key("a/x", status)

    results = store.get_each(["a/x", "a/y"])

    assert isinstance(results["a/y"], Body)
    failure = results["a/x"]
    assert isinstance(failure, ReadFailed)
    assert type(failure) is kind
    assert failure.reason.endswith(reason)


def test_body_that_is_cut_off(store: ObjectStore, bucket: S3Bucket, proxy: FaultProxy) -> None:
    """The rest is asked for again, and half a body is never taken for a shorter one."""
    bucket.put("a/x", b"0123456789")
    proxy.cut("a/x", 4)

    assert store.get("a/x").data == b"0123456789"


def test_body_that_never_comes(store: ObjectStore, bucket: S3Bucket, proxy: FaultProxy) -> None:
    """An answer without its body is a failure, not an empty object."""
    bucket.put("a/x", b"0123456789")
    proxy.cut("a/x", 0)

    with pytest.raises(StoreUnavailable):
        store.get("a/x")


def test_object_that_is_huge(store: ObjectStore, bucket: S3Bucket, proxy: FaultProxy) -> None:
    """Its size refuses it before its body is read: a body cut off here would fail otherwise."""
    bucket.put("a/x", b"x" * 5_000_000)
    proxy.cut("a/x", 0)

    with pytest.raises(ReadFailed, match="is 5000000 bytes, over the limit of 262144"):
        store.get("a/x")


def test_reads_in_flight() -> None:
    """Reads run side by side, 64 at most."""
    slow = _Slow(down=False)

    results = slow.store().get_each([f"a/{number}" for number in range(200)])

    assert len(results) == slow.reads == 200
    assert 8 < slow.most <= IN_FLIGHT


def test_store_that_went_down() -> None:
    """After a few failures in a row the rest is left unread, and each key says so."""
    slow = _Slow(down=True)

    results = slow.store().get_each([f"a/{number}" for number in range(3000)])

    assert len(results) == 3000
    assert all(isinstance(result, StoreUnavailable) for result in results.values())
    assert slow.reads < 3000
    assert str(results["a/2999"]) == "read a/2999: not tried: 8 reads in a row failed"


def test_progress_that_raises() -> None:
    """What the caller's function raises ends the reading, without waiting for the rest."""
    slow = _Slow(down=False)

    def stop(_done: int, _of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        slow.store().get_each([f"a/{number}" for number in range(3000)], stop)

    assert slow.reads < 3000
