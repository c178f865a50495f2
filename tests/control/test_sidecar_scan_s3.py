"""A sidecar scan over a real S3 protocol, with faults on the wire."""

from __future__ import annotations

import pytest

from control.errors import ListingFailed
from control.sidecar_documents import SidecarDocuments, Unread
from control.sidecar_keys import SidecarKey
from control.sidecar_records import SidecarRecord
from control.sidecar_scan import read_again, read_sidecars
from control.store import ObjectStore
from tests.control.sidecar_store import body_of
from tests.support.s3_bucket import S3Bucket
from tests.support.s3_faults import FaultProxy

_KEYS = [SidecarKey(account, "eleven", name) for account in ("bab", "jam") for name in ("a", "b")]


@pytest.fixture(autouse=True)
def _deployment(bucket: S3Bucket, proxy: FaultProxy) -> None:
    for account in ("bab", "jam"):
        bucket.put(f"accounts/{account}.json", {"v": 1})
        bucket.put(f"apps/{account}/eleven/sidecars.json", {"v": 1, "args": ["bot"]})
    for key in _KEYS:
        bucket.put(key.record, body_of(key))
    proxy.faults.page_size = 2


def _read(store: ObjectStore) -> SidecarDocuments:
    return read_sidecars(store, concerns=lambda _: True)


def test_scan_over_many_pages(store: ObjectStore, proxy: FaultProxy) -> None:
    """Every page counts, and each object is asked for once."""
    documents = _read(store)

    assert [key for key, found in documents.records if isinstance(found, SidecarRecord)] == _KEYS
    assert len(documents.manifests) == 2
    assert documents.unclean == ()
    objects = [call.key for call in proxy.calls if not call.page]
    assert len(objects) == len(set(objects)) == 2 + 4 + 2


@pytest.mark.behaviour(99)
def test_listing_of_one_account_that_fails_on_its_second_page(
    store: ObjectStore, proxy: FaultProxy
) -> None:
    """What the first page named is not taken for all of it; the other account's counts."""
    proxy.fail_listing("apps/bab/", 2, 403)

    documents = _read(store)

    assert [key for key, _ in documents.records] == _KEYS[2:]
    assert len(documents.unclean) == 1
    assert documents.unclean[0].startswith("list apps/bab/: AccessDenied: ")


@pytest.mark.behaviour(99)
def test_listing_of_all_apps_that_fails(store: ObjectStore, proxy: FaultProxy) -> None:
    """There is nothing to go on with."""
    proxy.fail_listing("apps/", 1, 403)

    with pytest.raises(ListingFailed, match=r"^sidecars: list apps/: AccessDenied: "):
        _read(store)


@pytest.mark.behaviour(101)
def test_one_record_that_is_denied(store: ObjectStore, proxy: FaultProxy) -> None:
    """The others are read."""
    proxy.faults.keys[_KEYS[0].record] = 403

    found = dict(_read(store).records)

    assert isinstance(found[_KEYS[0]], Unread)
    assert isinstance(found[_KEYS[1]], SidecarRecord)


def test_reading_again_what_went(store: ObjectStore, bucket: S3Bucket, proxy: FaultProxy) -> None:
    """404 is absence; 403 is not."""
    bucket.delete(_KEYS[0].record)
    proxy.faults.keys[_KEYS[1].record] = 403

    fresh = read_again(store, _KEYS[:2])

    assert fresh.records[_KEYS[0]] is None
    assert isinstance(fresh.records[_KEYS[1]], Unread)
