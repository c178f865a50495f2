"""Claims and records read from the bucket: only a 404 is "not there"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from control.claims import claim_key
from providers.claim_errors import (
    ClaimChanged,
    ClaimError,
    ClaimReadFailed,
    ClaimUnreadable,
)
from providers.claim_ports import Observed, Selection
from providers.claim_store import BucketClaims, BucketRecords
from tests.support.claims_bucket import ClaimsBucket
from tests.support.s3_faults import DROP

HOST, OTHER = "bot.eleven.bab.sidecar.internal", "two.eleven.bab.sidecar.internal"
RECORD = "apps/bab/eleven/sidecars/bot.json"
STATUSES = [400, 401, 403, 409, 412, 429, 500, 503, DROP]


@pytest.fixture
def control(control: ClaimsBucket) -> ClaimsBucket:
    """The bucket, with a claim of one host."""
    control.platform.serve(HOST, "ie-1", key=RECORD)
    return control


def selection(etag: str) -> Selection:
    return Selection(HOST, RECORD, etag, "01J8", "sidecar")


def etag_of(control: ClaimsBucket, key: str = RECORD) -> str:
    return control.store.get(key).etag


def test_claim(control: ClaimsBucket) -> None:
    """It comes back parsed, with its ETag."""
    observed = BucketClaims(control.store).read(HOST)
    assert observed.claim
    assert (observed.claim.op.exec, observed.etag) == ("ie-1", etag_of(control, claim_key(HOST)))


def test_claim_that_is_not_there(control: ClaimsBucket) -> None:
    """A 404 of the object, and nothing else, means that there is none."""
    assert BucketClaims(control.store).read(OTHER) == Observed(OTHER, None)


@pytest.mark.parametrize("status", STATUSES)
def test_claim_that_cannot_be_read(control: ClaimsBucket, status: int) -> None:
    """Denied, down or without an answer: a named error, never "there is none"."""
    control.proxy.fail_key(claim_key(HOST), status)
    claims = BucketClaims(control.hasty)
    with pytest.raises(ClaimReadFailed) as failed:
        claims.read(HOST)
    assert str(failed.value).startswith(f"claims: {HOST}: cannot read {claim_key(HOST)}: ")
    assert failed.value.failed


def test_bucket_that_is_not_there(control: ClaimsBucket) -> None:
    """A 404 of the whole bucket is a failure, not an empty one."""
    nowhere = replace(control, bucket=replace(control.bucket, name="no-such-bucket"))
    with pytest.raises(ClaimReadFailed, match="bucket does not exist"):
        BucketClaims(nowhere.store).read(HOST)


def test_read_in_haste(control: ClaimsBucket) -> None:
    """An answer that does not come within 2 s is given up, and asked for once."""
    control.proxy.faults.delay = 3
    with pytest.raises(ClaimReadFailed):
        BucketClaims(control.hasty).read(HOST)
    assert [call.key for call in control.proxy.calls] == [claim_key(HOST)]


def test_read_in_haste_is_tried_once(control: ClaimsBucket) -> None:
    """A failing store is not tried again while a lock is held."""
    control.proxy.fail_key(claim_key(HOST), 503)
    with pytest.raises(ClaimReadFailed):
        BucketClaims(control.hasty).read(HOST)
    assert len(control.proxy.calls) == 1


@pytest.mark.parametrize("body", [b"", b"{}", b"null", b'{"v":2}', b" " * (256 * 1024 + 1)])
def test_claim_that_means_nothing(control: ClaimsBucket, body: bytes) -> None:
    """It is there, so it is not "none"."""
    control.platform.spoil(HOST, body)
    with pytest.raises(ClaimUnreadable, match=claim_key(HOST)):
        BucketClaims(control.store).read(HOST)


@pytest.mark.parametrize("host", ["", "..", "a/b", "a\0", "A.example", "a.", "x" * 300, "é"])
def test_host_that_is_no_name(control: ClaimsBucket, host: str) -> None:
    """The bucket is not asked."""
    claims = BucketClaims(control.store)
    with pytest.raises(ClaimUnreadable):
        claims.read(host)
    assert isinstance(claims.read_each([host])[host], ClaimUnreadable)
    assert control.proxy.calls == []


def test_many_claims(control: ClaimsBucket) -> None:
    """Each has its own answer or error, in the order asked; one stops no other."""
    hosts = ["d.example", "b.example", "..", HOST, "a.example"]
    control.platform.serve("b.example", "uk-1", key=RECORD)
    control.platform.spoil("d.example", b"{")
    control.proxy.fail_key(claim_key("a.example"), 403)
    found = BucketClaims(control.store).read_each(hosts)
    kinds: dict[str, Any] = {host: type(each) for host, each in found.items()}
    assert [*found] == hosts
    assert kinds == {
        "d.example": ClaimUnreadable,
        "b.example": Observed,
        "..": ClaimUnreadable,
        HOST: Observed,
        "a.example": ClaimReadFailed,
    }


def test_record_as_it_was(control: ClaimsBucket) -> None:
    """Its ETag is the one that was selected."""
    control.bucket.put(RECORD, {"name": "bot"})
    BucketRecords(control.store).check(selection(etag_of(control)))


def test_record_written_meanwhile(control: ClaimsBucket) -> None:
    """Another body is another record."""
    control.bucket.put(RECORD, {"name": "bot"})
    etag = etag_of(control)
    control.bucket.put(RECORD, {"name": "bot", "channel": "beta"})
    with pytest.raises(ClaimChanged, match=f"{RECORD} was written meanwhile"):
        BucketRecords(control.store).check(selection(etag))


def test_record_that_is_gone(control: ClaimsBucket) -> None:
    """Nobody asks for the host any more."""
    with pytest.raises(ClaimChanged, match=f"{RECORD} is gone"):
        BucketRecords(control.store).check(selection('"e"'))


def test_selection_without_an_etag(control: ClaimsBucket) -> None:
    """It matches no record."""
    control.bucket.put(RECORD, {"name": "bot"})
    with pytest.raises(ClaimChanged):
        BucketRecords(control.store).check(selection(""))


@pytest.mark.parametrize("status", STATUSES)
def test_record_that_cannot_be_read(control: ClaimsBucket, status: int) -> None:
    """It is not taken for the record as it was."""
    control.bucket.put(RECORD, {"name": "bot"})
    selected = selection(etag_of(control))
    control.proxy.fail_key(RECORD, status)
    with pytest.raises(ClaimReadFailed, match=RECORD) as failed:
        BucketRecords(control.hasty).check(selected)
    assert isinstance(failed.value, ClaimError)
