"""The bucket by hand: python -m local bucket ls | get | put | rm."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from local import bucket, environment
from local.__main__ import on_bucket, parser
from local.errors import BucketUnreachable, ObjectMissing
from local.objects import Objects


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bucket.BucketServer]:
    server = bucket.start(tmp_path_factory.mktemp("bucket"))
    yield server
    server.stop()


def objects_at(url: str, folder: Path) -> Objects:
    return Objects(environment.emulated({}, environment.remember(url, url, folder)))


@pytest.fixture
def objects(server: bucket.BucketServer, tmp_path: Path) -> Objects:
    made = objects_at(server.url, tmp_path)
    made.create()
    return made


def do(objects: Objects, *words: str) -> None:
    on_bucket(parser().parse_args(["bucket", *words]), objects)


def test_object_by_hand(
    objects: Objects, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A file is written, listed, shown byte by byte and removed."""
    (tmp_path / "file").write_bytes(b"\x00{}\n")
    do(objects, "put", "by/hand/*.json", str(tmp_path / "file"))
    do(objects, "ls", "by/h")
    do(objects, "get", "by/hand/*.json")
    do(objects, "rm", "by/hand/*.json")
    do(objects, "ls", "by/h")
    assert capfdbinary.readouterr().out == b"by/hand/*.json\n\x00{}\n"


def test_create_leaves_what_is_there(objects: Objects) -> None:
    """A second create changes nothing."""
    objects.put("kept", b"1")
    objects.create()
    assert objects.get("kept") == b"1"


@pytest.mark.parametrize("verb", ["get", "rm"])
def test_missing_object(objects: Objects, verb: str) -> None:
    """A typing mistake is told, by `rm` too, where S3 would say nothing."""
    with pytest.raises(ObjectMissing, match=r"no/such\.json: no such object"):
        do(objects, verb, "no/such.json")


def test_bucket_that_is_gone(tmp_path: Path) -> None:
    """One line with the way out."""
    nowhere = objects_at("http://127.0.0.1:9", tmp_path)
    with pytest.raises(BucketUnreachable, match=r"`make up` starts it again") as caught:
        nowhere.keys()
    assert "\n" not in str(caught.value)
