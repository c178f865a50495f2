"""Writing to a bucket on condition: what each answer of a store means, and what is tried again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from obstore.store import MemoryStore

from control.bucket import open_writable
from control.errors import DeleteFailed, NotAsWritten, WriteFailed
from control.writer import MAX_WRITTEN_BYTES, PAUSES, ObjectWriter
from control.writes import Answer, Upload, write
from tests.support.s3_bucket import point_at
from tests.support.s3_script import Reply, scripted_s3

_KEY = "control/registry-snapshot/a1.db"
_ONE = Upload.of(_KEY, b"one")
_ETAG = '"etag"'
_BUSY = Reply(409, "ConditionalRequestConflict")
_DONE = Reply(200, headers={"ETag": _ETAG})
_THERE = Reply(
    200,
    headers={
        "Content-Length": "3",
        "ETag": _ETAG,
        "Last-Modified": "Mon, 07 Sep 2026 10:00:00 GMT",
        "x-amz-meta-sha256": _ONE.sha256,
    },
)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ObjectWriter]:
    """Open an endpoint; it never waits between the tries of a create."""

    def open_at(url: str) -> ObjectWriter:
        point_at(monkeypatch, url)
        return open_writable("control", sleep=lambda _: None)

    return open_at


@pytest.mark.parametrize(
    ("expecting", "reply", "answer"),
    [
        (None, _DONE, Answer.WON),
        (_ETAG, _DONE, Answer.WON),
        (None, Reply(412, "PreconditionFailed"), Answer.LOST),
        (_ETAG, Reply(412, "PreconditionFailed"), Answer.LOST),
        (_ETAG, Reply(404, "NoSuchKey"), Answer.VANISHED),
    ],
)
def test_answer(
    opened: Callable[[str], ObjectWriter], expecting: str | None, reply: Reply, answer: Answer
) -> None:
    """Won, lost and vanished are told apart, by one request each."""
    with scripted_s3(reply) as server:
        assert opened(server.url).put(_ONE, expecting) is answer
        assert server.asked == ["PUT"]


@pytest.mark.parametrize("expecting", [None, _ETAG])
@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(403, "AccessDenied"), "AccessDenied"),
        (Reply(404, "NoSuchBucket"), "NoSuchBucket"),
        (Reply(409, "OperationAborted"), "OperationAborted"),
        (Reply(500, "InternalError"), "InternalError"),
        (Reply(0), "HTTP error"),
    ],
)
@pytest.mark.behaviour(72)
def test_failure(
    opened: Callable[[str], ObjectWriter], expecting: str | None, reply: Reply, reason: str
) -> None:
    """Whatever else a store says is a failure that names the key: never a lost race."""
    with scripted_s3(reply) as server, pytest.raises(WriteFailed) as caught:
        opened(server.url).put(_ONE, expecting)

    assert type(caught.value) is WriteFailed
    assert reason in str(caught.value)
    assert str(caught.value).startswith(f"write {_KEY}: ")


def test_create_that_meets_another_write(opened: Callable[[str], ObjectWriter]) -> None:
    """A 409 is tried again; it is lost only if it does not pass."""
    with scripted_s3(_BUSY, _BUSY, _DONE) as server:
        assert opened(server.url).put(_ONE, None) is Answer.WON
        assert len(server.asked) == 3
    with scripted_s3(_BUSY) as server:
        assert opened(server.url).put(_ONE, None) is Answer.LOST
        assert len(server.asked) == len(PAUSES) + 1


def test_replacement_that_meets_another_write(opened: Callable[[str], ObjectWriter]) -> None:
    """The client tries a 409 again by itself, under the same condition."""
    with scripted_s3(_BUSY, _DONE) as server:
        assert opened(server.url).put(_ONE, _ETAG) is Answer.WON
    with scripted_s3(_BUSY) as server:
        assert opened(server.url).put(_ONE, _ETAG) is Answer.LOST


@pytest.mark.parametrize("expecting", [None, _ETAG])
def test_answer_that_is_lost(opened: Callable[[str], ObjectWriter], expecting: str | None) -> None:
    """The write landed, its answer did not, the next try met it: it is there, so it was won."""
    replies = (Reply(0), Reply(412, "PreconditionFailed"))
    with scripted_s3(*replies, heads=(_THERE,)) as server:
        assert write(opened(server.url), _ONE, expecting) is Answer.SAME
        assert server.asked == ["PUT", "PUT", "HEAD"]


def test_refused_for_an_object_that_is_not_shown(opened: Callable[[str], ObjectWriter]) -> None:
    """A store that says "exists" to a create and "not found" to a look is at fault, and named."""
    gone = (Reply(404),)
    with scripted_s3(Reply(412), heads=gone) as server, pytest.raises(NotAsWritten, match=_KEY):
        write(opened(server.url), _ONE, None)
    with scripted_s3(Reply(412), heads=gone) as server:
        assert write(opened(server.url), _ONE, _ETAG) is Answer.VANISHED


def test_delete_that_fails(opened: Callable[[str], ObjectWriter]) -> None:
    """It says so, and names the key."""
    with (
        scripted_s3(Reply(403, "AccessDenied")) as server,
        pytest.raises(DeleteFailed, match=f"delete {_KEY}: AccessDenied"),
    ):
        opened(server.url).delete(_KEY)


class _Gone(Exception):
    pass


def _refuse() -> None:
    raise _Gone


def test_asked_before_each_write() -> None:
    """What is raised there passes through, and nothing was written or deleted."""
    memory = MemoryStore()
    memory.put("kept", b"1")
    store = ObjectWriter(memory, before_write=_refuse)

    for call in (lambda: store.put(_ONE, None), lambda: store.delete("kept")):
        with pytest.raises(_Gone):
            call()
    assert store.list("") == ("kept",)


def test_upload_over_the_limit() -> None:
    """What could not be read back is not written."""

    class _Huge(bytes):
        def __len__(self) -> int:
            return MAX_WRITTEN_BYTES + 1

    with pytest.raises(WriteFailed, match="536870913 bytes, over the limit of 536870912"):
        ObjectWriter(MemoryStore()).put(Upload(_KEY, _Huge(), "", {}), None)
