from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from control.errors import Malformed
from control.snapshot_records import SnapshotMeta, described, moment, parse_meta, rfc3339

_KEY = "control/registry-snapshot/a1.json"
_OLD = b'{"v":1,"box":"a1","fingerprint":"9f","created_at":"2026-09-07T10:00:00.12Z","bytes":40960}'
_META = SnapshotMeta(
    box="a1",
    fingerprint="9f",
    created_at="2026-09-07T10:00:00.12Z",
    size=40960,
    sha256="ab",
    routes=0,
    lineage="l1",
    parent="8e",
)


@pytest.mark.behaviour(58)
def test_body() -> None:
    """The five fields that every reader knows come first, as they always were, then our own."""
    added = b',"sha256":"ab","routes":0,"lineage":"l1","parent":"8e"}'

    assert _META.body == _OLD.removesuffix(b"}") + added


@pytest.mark.behaviour(64)
def test_document_of_another_program() -> None:
    """What it left out is empty, and it is written back byte for byte."""
    meta = parse_meta(_OLD, _KEY)

    assert (meta.fingerprint, meta.sha256, meta.routes, meta.lineage) == ("9f", "", None, "")
    assert meta.body == _OLD


@given(
    st.builds(SnapshotMeta, created_at=st.datetimes(timezones=st.just(timezone.utc)).map(rfc3339))
)
def test_there_and_back(meta: SnapshotMeta) -> None:
    """What is written is what is read."""
    assert parse_meta(meta.body, _KEY) == meta


@pytest.mark.parametrize("body", [b"null", b" null\n", b"{}", b'{"box":null,"bytes":null}'])
def test_null(body: bytes) -> None:
    """It is a zero value, as it is to the program that these documents come from."""
    assert parse_meta(body, _KEY) == SnapshotMeta()


def test_unknown_fields_and_versions() -> None:
    """They are passed over; names match exactly."""
    body = b'{"v":"7","more":[1],"Box":"x","box":"a1"}'

    assert parse_meta(body, _KEY) == SnapshotMeta(box="a1")


@pytest.mark.behaviour(65)
@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b'"x"', b"1", b"\xff", b"<html>", b"{}" + b" " * 300_000),
        *(b'{"box":1}', b'{"fingerprint":["x"]}', b'{"bytes":"1"}', b'{"bytes":-1}'),
        *(b'{"bytes":true}', b'{"bytes":1.5}', b'{"bytes":1e400}', b'{"box":"a","box":"b"}'),
        *(b'{"created_at":""}', b'{"created_at":"today"}', b'{"created_at":1}'),
        *(b'{"created_at":"2026-13-07T10:00:00Z"}', b'{"created_at":"2026-09-07"}'),
        *(b'{"routes":"7"}', b'{"sha256":0}', b'{"lineage":{}}', b'{"box":"\\ud800"}'),
    ],
)
def test_unreadable_document(body: bytes) -> None:
    """It is refused in one line that names its key: unknown is neither "none" nor "changed"."""
    with pytest.raises(Malformed) as caught:
        parse_meta(body, _KEY)

    assert str(caught.value).startswith(f"{_KEY}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "micro"),
    [
        ("2026-09-07T10:00:00Z", 0),
        ("2026-09-07T10:00:00.1Z", 100_000),
        ("2026-09-07T10:00:00.123456789Z", 123_456),
        ("2026-09-07T12:00:00.000001+02:00", 1),
    ],
)
def test_moment(text: str, micro: int) -> None:
    """Up to nine digits of a fraction, any offset; what is finer than a microsecond is cut."""
    assert moment(text) == datetime(2026, 9, 7, 10, 0, 0, micro, tzinfo=timezone.utc)


@pytest.mark.behaviour(51)
@pytest.mark.parametrize(
    ("micro", "text"),
    [
        (0, "2026-09-07T10:00:00Z"),
        (120_000, "2026-09-07T10:00:00.12Z"),
        (1, "2026-09-07T10:00:00.000001Z"),
    ],
)
def test_time_as_go_writes_it(micro: int, text: str) -> None:
    """UTC, trailing zeros cut, wherever the clock stands."""
    local = datetime(2026, 9, 7, 12, 0, 0, micro, tzinfo=timezone(timedelta(hours=2)))

    assert rfc3339(local) == text


def test_metadata() -> None:
    """An object's metadata says what the document says; its size is the object's own."""
    assert described({**_META.attributes, "content-type": "x"}, 40960) == _META
    assert all(value.isascii() for value in _META.attributes.values())


@pytest.mark.parametrize("lost", ["box", "fingerprint", "created-at", "sha256"])
def test_metadata_that_is_not_whole(lost: str) -> None:
    """Half a description is none."""
    attributes = {name: value for name, value in _META.attributes.items() if name != lost}

    assert described(attributes, 40960) is None
    assert described({**attributes, lost: ""}, 40960) is None


def test_metadata_of_somebody_else() -> None:
    """What is not of its kind is no description either."""
    assert described({**_META.attributes, "routes": "many"}, 1) is None
    assert described({**_META.attributes, "created-at": "today"}, 1) is None
    assert json.loads(_META.body)["routes"] == 0
