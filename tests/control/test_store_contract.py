"""What every `ReadStore` over obstore must do: in memory and over S3, the same tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from obstore.store import MemoryStore

from control.bucket import open_bucket
from control.errors import ObjectNotFound, ReadFailed
from control.store import Body, ObjectStore
from control.strict_json import MAX_BYTES
from tests.support.s3_bucket import S3Bucket, point_at


@dataclass(frozen=True)
class Subject:
    store: ObjectStore
    put: Callable[[str, bytes], object]
    delete: Callable[[str], object]


def _in_memory() -> Subject:
    memory = MemoryStore()
    return Subject(ObjectStore(memory), memory.put, memory.delete)


def _under_a_prefix(bucket: S3Bucket) -> Subject:
    return Subject(
        open_bucket(f"{bucket.name}/deploy/eu"),
        lambda key, data: bucket.put(f"deploy/eu/{key}", data),
        lambda key: bucket.delete(f"deploy/eu/{key}"),
    )


@pytest.fixture(params=["memory", "s3", "s3 under a prefix"])
def subject(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Subject:
    if request.param == "memory":
        return _in_memory()
    bucket: S3Bucket = request.getfixturevalue("bucket")
    point_at(monkeypatch, bucket.url)
    if request.param == "s3":
        return Subject(open_bucket(bucket.name), bucket.put, bucket.delete)
    return _under_a_prefix(bucket)


def test_empty_prefix(subject: Subject) -> None:
    """Nothing there is an empty listing, and reading nothing is no results."""
    assert subject.store.list("control/edges/") == ()
    assert subject.store.get_each([]) == {}


def test_listing_under_a_prefix(subject: Subject) -> None:
    """Every key under it is named, nested ones too, and none beside it."""
    inside = ["control/edges/a.json", "control/edges/b/c.json", "control/edges/z"]
    for key in [*inside, "control/edges-old/a.json", "control/a.json", "apps/x"]:
        subject.put(key, b"{}")

    assert sorted(subject.store.list("control/edges/")) == inside


@pytest.mark.parametrize(
    "name",
    [
        *(
            "h\xe9llo",
            "\u65e5\u672c",
            "\U0001f600",
            "a b",
            " a ",
            "a+b",
            "a%2Fb",
            "%41",
            "%",
            "%zz",
        ),
        *("a?b=c&d#e", "*.[x]{y}", "~^`|\\\"<>'();:@=,!$", "A.B-c_d", "...", "..a"),
    ],
)
def test_key_with_unusual_characters(subject: Subject, name: str) -> None:
    """It comes back verbatim, and reads the object it names."""
    key = f"apps/{name}.json"
    subject.put(key, name.encode())

    assert subject.store.list("apps/") == (key,)
    assert subject.store.get(key).data == name.encode()


def test_object(subject: Subject) -> None:
    """Its bytes come back as they are, with an ETag that changes when they do."""
    data = bytes(range(256))
    subject.put("a/x", data)
    before = subject.store.get("a/x")
    subject.put("a/x", data + b"more")
    after = subject.store.get("a/x")

    assert (before.data, after.data) == (data, data + b"more")
    assert before.etag
    assert before.etag != after.etag


def test_empty_object(subject: Subject) -> None:
    """No bytes are an object too."""
    subject.put("a/x", b"")

    assert subject.store.get("a/x").data == b""


def test_missing_object(subject: Subject) -> None:
    """It is told apart from every other failure, and the error names the key."""
    with pytest.raises(ObjectNotFound) as caught:
        subject.store.get("a/x")

    assert caught.value.key == "a/x"
    assert str(caught.value) == "read a/x: no such object"


def test_object_deleted_after_it_was_listed(subject: Subject) -> None:
    """The listing named it; reading it says it is gone."""
    subject.put("a/x", b"1")
    keys = subject.store.list("a/")
    subject.delete("a/x")

    assert isinstance(subject.store.get_each(keys)["a/x"], ObjectNotFound)


def test_object_over_the_limit(subject: Subject) -> None:
    """A body of 256 KiB is read, a larger one is refused by its size."""
    subject.put("a/most", b"x" * MAX_BYTES)
    subject.put("a/more", b"x" * (MAX_BYTES + 1))

    assert len(subject.store.get("a/most").data) == MAX_BYTES
    with pytest.raises(ReadFailed, match="read a/more: is 262145 bytes, over the limit of 262144"):
        subject.store.get("a/more")


@pytest.mark.parametrize("key", ["/a/x", "a/x/", "/"])
def test_key_with_a_slash_at_an_end(subject: Subject, key: str) -> None:
    """Another object would be read in its place, so obstore is not asked."""
    subject.put("a/x", b"other")

    with pytest.raises(ReadFailed, match="begins or ends with a slash"):
        subject.store.get(key)


@pytest.mark.parametrize("key", ["a//x", "a/../x", "a/./x", "a/\n", "a/\x1b"])
def test_key_that_cannot_be_named(subject: Subject, key: str) -> None:
    """It is a failed read like any other, in one line."""
    with pytest.raises(ReadFailed) as caught:
        subject.store.get(key)

    assert str(caught.value).isprintable()


def test_reading_many(subject: Subject) -> None:
    """Each key has one result, in the order asked for, and a failure is a result."""
    keys = [f"a/{number}" for number in reversed(range(100))]
    for key in keys[1:]:
        subject.put(key, key.encode())
    told: list[tuple[int, int]] = []

    results = subject.store.get_each(keys, lambda done, of: told.append((done, of)))

    assert list(results) == keys
    assert isinstance(results.pop(keys[0]), ObjectNotFound)
    assert [body.data.decode() for body in results.values() if isinstance(body, Body)] == keys[1:]
    assert told == [(done, 100) for done in range(1, 101)]
