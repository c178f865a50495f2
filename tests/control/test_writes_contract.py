"""What every `WriteStore` must do: in obstore's memory, over S3, in the tests' fake."""

from __future__ import annotations

import pytest
from obstore.store import MemoryStore

from control.bucket import open_writable
from control.conditions import check_conditions
from control.errors import ObjectNotFound
from control.writer import ObjectWriter
from control.writes import Answer, Upload, WriteStore, check_written, write
from tests.support.fake_store import FakeStore
from tests.support.s3_bucket import S3Bucket, point_at

_KEY = "control/registry-snapshot/a1.db"
_ONE = Upload.of(_KEY, b"one", {"fingerprint": "f1", "created-at": "2026-09-07T10:00:00Z"})
_TWO, _THREE = Upload.of(_KEY, b"two"), Upload.of(_KEY, b"three")


@pytest.fixture(params=["memory", "s3", "s3 under a prefix", "fake"])
def store(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> WriteStore:
    if request.param == "memory":
        return ObjectWriter(MemoryStore())
    if request.param == "fake":
        return FakeStore()
    bucket: S3Bucket = request.getfixturevalue("bucket")
    point_at(monkeypatch, bucket.url)
    return open_writable(bucket.name + ("/deploy/eu" if request.param.endswith("prefix") else ""))


def _data(store: WriteStore) -> bytes:
    return store.get(_KEY).data


def test_head(store: WriteStore) -> None:
    """An object brings back its size, the ETag that reading it gives, and its metadata."""
    assert store.put(_ONE, None) is Answer.WON
    head = store.head(_KEY)

    assert head.size == 3
    assert head.etag == store.get(_KEY).etag
    assert head.metadata.items() >= _ONE.metadata.items()
    assert _ONE.is_there(head)
    assert not _TWO.is_there(head)


def test_head_of_nothing(store: WriteStore) -> None:
    """It is told apart from every other failure."""
    with pytest.raises(ObjectNotFound):
        store.head(_KEY)


@pytest.mark.behaviour(52)
def test_create(store: WriteStore) -> None:
    """A create writes where nothing is, and nowhere else."""
    assert store.put(_ONE, None) is Answer.WON
    assert store.put(_TWO, None) is Answer.LOST
    assert _data(store) == b"one"


@pytest.mark.behaviour(68)
def test_replace(store: WriteStore) -> None:
    """A replacement writes over the object it expects, and over no other."""
    store.put(_ONE, None)
    etag = store.head(_KEY).etag

    assert store.put(_TWO, etag) is Answer.WON
    assert store.put(_THREE, etag) is Answer.LOST
    assert _data(store) == b"two"


def test_replacing_what_is_gone(store: WriteStore) -> None:
    """It creates nothing, and is told apart from a lost race."""
    store.put(_ONE, None)
    etag = store.head(_KEY).etag
    store.delete(_KEY)

    assert store.put(_TWO, etag) is Answer.VANISHED
    with pytest.raises(ObjectNotFound):
        store.head(_KEY)


def test_own_write_whose_answer_was_lost(store: WriteStore) -> None:
    """Of two refusals the one that found this very object is no lost race."""
    store.put(_ONE, None)
    etag = store.head(_KEY).etag
    store.put(_TWO, etag)

    assert write(store, _TWO, etag) is Answer.SAME
    assert write(store, _TWO, None) is Answer.SAME
    assert write(store, _THREE, etag) is Answer.LOST
    assert _data(store) == b"two"


def test_check_of_what_was_written(store: WriteStore) -> None:
    """What is there is what was written."""
    store.put(_ONE, None)

    check_written(store, _ONE)


def test_check_of_conditions(store: WriteStore) -> None:
    """A store that keeps to them passes, and what is there stays as it is."""
    store.put(_ONE, None)
    before = store.head(_KEY)
    check_conditions(store, _ONE)

    assert store.head(_KEY) == before


def test_delete(store: WriteStore) -> None:
    """Afterwards it is not there; nor was it an error that it is not."""
    store.put(_ONE, None)
    store.delete(_KEY)
    store.delete(_KEY)

    assert store.list("control/") == ()


def test_large_object(store: WriteStore) -> None:
    """Over the size from which uploads come in parts, it still goes up in one, on condition."""
    large = Upload.of(_KEY, b"x" * 6_000_000)

    assert store.put(large, None) is Answer.WON
    assert store.put(large, None) is Answer.LOST
    assert len(_data(store)) == 6_000_000
    assert store.head(_KEY).etag.count("-") == 0
