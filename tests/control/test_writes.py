from __future__ import annotations

import pytest

from control.errors import NotAsWritten, WriteFailed
from control.writes import Answer, Head, Upload, check_written, write
from tests.support.fake_store import Call, FakeStore, Fault

_KEY = "control/registry-snapshot/a1.db"
_ONE = Upload.of(_KEY, b"one")


@pytest.mark.parametrize(
    ("metadata", "data", "said"),
    [
        ({}, b"one", "shown as 3 bytes, sha256 missing"),
        ({"sha256": "0"}, b"one", "shown as 3 bytes, sha256 0"),
        ({"sha256": _ONE.sha256}, b"more", "shown as 4 bytes"),
    ],
)
def test_check_that_finds_another_object(metadata: dict[str, str], data: bytes, said: str) -> None:
    """Another size, another SHA-256 or none is not what was written."""
    store = FakeStore()
    store.place(_KEY, data, metadata)

    with pytest.raises(NotAsWritten, match=said):
        check_written(store, _ONE)


def test_check_that_finds_nothing() -> None:
    """An object that is not there was not written."""
    with pytest.raises(NotAsWritten, match="not there"):
        check_written(FakeStore(), _ONE)


def _losing(kind: str) -> FakeStore:
    return FakeStore(faults=lambda call: Fault(kind) if call.op == "put" else None)


def test_fake_whose_answer_is_lost() -> None:
    """The tests' fake does the write, and then says nothing, or refuses the client's next try."""
    silent, refusing = _losing("lost"), _losing("again")
    with pytest.raises(WriteFailed):
        silent.put(_ONE, None)

    assert write(refusing, _ONE, None) is Answer.SAME
    for store in (silent, refusing):
        assert store.head(_KEY) == Head(3, store.get(_KEY).etag, {"sha256": _ONE.sha256})
        assert store.calls[0] == Call("put", _KEY)
