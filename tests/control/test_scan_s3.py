"""A steering pass over a real S3 protocol, with faults on the wire."""

from __future__ import annotations

import pytest

from control.errors import ListingFailed, ObjectNotFound, ReadsFailed
from control.scan import SteeringDocuments, read_steering
from control.store import ObjectStore
from tests.support.s3_bucket import S3Bucket
from tests.support.s3_faults import FaultProxy

_BOXES = ["ie-1", "uk-1", "us-1"]
_HOSTS = [f"h{number}.bab.example.com" for number in range(5)]


def _record_key(host: str) -> str:
    return f"apps/bab/hello/instances/{host}.json"


@pytest.fixture(autouse=True)
def _deployment(bucket: S3Bucket, proxy: FaultProxy) -> None:
    for number, box in enumerate(_BOXES):
        edge = {"box": box, "aws_region": "eu-west-1", "eip": f"99.81.104.{number}", "armed": True}
        bucket.put(f"control/edges/{box}.json", {"v": 1, **edge})
    for host in _HOSTS:
        bucket.put(_record_key(host), {"host": host, "steering": "latency"})
    proxy.faults.page_size = 2


def _read(store: ObjectStore) -> SteeringDocuments:
    return read_steering(store, regions=frozenset({"eu-west-1"}))


@pytest.mark.behaviour(12)
def test_pass_over_many_pages(store: ObjectStore, proxy: FaultProxy) -> None:
    """Every page counts, and each object is asked for once, records after edges."""
    documents = _read(store)

    assert [edge.box for edge in documents.edges] == _BOXES
    assert [record.host for record in documents.records] == _HOSTS
    pages = [(call.key, call.page) for call in proxy.calls if call.page]
    assert pages == [("control/edges/", n) for n in (1, 2)] + [("apps/", n) for n in (1, 2, 3)]
    assert len(proxy.calls) == 5 + len(_BOXES) + len(_HOSTS)


@pytest.mark.behaviour(1)
@pytest.mark.behaviour(22)
@pytest.mark.parametrize("prefix", ["control/edges/", "apps/"])
def test_listing_that_fails_on_its_second_page(
    store: ObjectStore, proxy: FaultProxy, prefix: str
) -> None:
    """What the first page named is not taken for all."""
    proxy.fail_listing(prefix, 2, 403)

    with pytest.raises(ListingFailed, match=f"^steering: list {prefix}: AccessDenied: "):
        _read(store)

    assert not [call for call in proxy.calls if call.key.startswith(prefix) and not call.page]


@pytest.mark.behaviour(6)
@pytest.mark.behaviour(11)
def test_objects_that_are_refused(store: ObjectStore, proxy: FaultProxy) -> None:
    """A 403 fails the pass, and all that answer so are named."""
    keys = tuple(_record_key(host) for host in _HOSTS[1:3])
    for key in keys:
        proxy.fail_key(key, 403)

    with pytest.raises(ReadsFailed, match=r"^steering: read .*AccessDenied") as caught:
        _read(store)

    assert caught.value.keys == keys


@pytest.mark.behaviour(7)
def test_object_deleted_after_it_was_listed(store: ObjectStore, proxy: FaultProxy) -> None:
    """A raced delete fails the pass."""
    proxy.vanish("control/edges/uk-1.json")

    with pytest.raises(ReadsFailed) as caught:
        _read(store)

    assert isinstance(caught.value.failures[0], ObjectNotFound)


@pytest.mark.behaviour(21)
def test_edges_file_that_is_truncated(
    store: ObjectStore, bucket: S3Bucket, proxy: FaultProxy
) -> None:
    """Half a document fails the pass, and the records are not listed."""
    bucket.put("control/edges/uk-1.json", b'{"v":1,"box":"uk-1","ar')

    with pytest.raises(ReadsFailed, match=r"^steering: control/edges/uk-1\.json: is not JSON"):
        _read(store)

    assert not [call for call in proxy.calls if call.key.startswith("apps/")]
