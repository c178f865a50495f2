from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from control.errors import ListingFailed, Malformed, ObjectNotFound, ReadFailed, ReadsFailed
from control.scan import SteeringDocuments, load_edges_bodies, read_steering
from control.store import Body, Progress

_REGIONS = frozenset({"eu-west-1"})
_IE, _UK = "control/edges/ie-1.json", "control/edges/uk-1.json"
_HELLO = "apps/bab/hello/instances/hello.bab.example.com.json"
_ACME = "apps/bab/hello/instances/acme.bab.example.com.json"
_OFF = "apps/jam/eleven/instances/eleven.jam.example.com.json"
_LEGACY = "apps/hello/instances/old.example.com.json"


def _edge(box: str, **fields: object) -> bytes:
    edge = {"v": 1, "box": box, "aws_region": "eu-west-1", "eip": "99.81.104.219", "armed": True}
    return json.dumps(edge | fields).encode()


def _record(host: str, **fields: object) -> bytes:
    return json.dumps({"v": 1, "host": host, "steering": "latency"} | fields).encode()


_OBJECTS = {
    _IE: _edge("ie-1"),
    _UK: _edge("uk-1", armed=False),
    _HELLO: _record("hello.bab.example.com"),
    _ACME: _record("acme.bab.example.com", pool="fleet/eu"),
    _OFF: _record("eleven.jam.example.com", steering=""),
    "apps/bab/hello/sidecars/bot.json": b"not read",
}


@dataclass
class _Store:
    """A `ReadStore` that says what it was asked, lists in any order, and fails where told."""

    objects: Mapping[str, bytes]
    failing: Mapping[str, ReadFailed] = field(default_factory=dict)
    unlisted: str = ""
    seed: int = 0
    asked: list[str] = field(default_factory=list)

    def list(self, prefix: str) -> tuple[str, ...]:
        self.asked.append(f"list {prefix}")
        if prefix == self.unlisted:
            raise ListingFailed(prefix, "access denied")
        keys = sorted(key for key in {*self.objects, *self.failing} if key.startswith(prefix))
        random.Random(self.seed).shuffle(keys)
        return tuple(keys)

    def folders(self, prefix: str) -> tuple[str, ...]:
        raise NotImplementedError

    def list_each(self, prefixes: Sequence[str]) -> dict[str, tuple[str, ...] | ListingFailed]:
        raise NotImplementedError

    def get(self, key: str) -> Body:
        raise NotImplementedError

    def get_each(
        self, keys: Sequence[str], progress: Progress | None = None
    ) -> dict[str, Body | ReadFailed]:
        self.asked += [f"get {key}" for key in sorted(keys)]
        if progress:
            progress(len(keys), len(keys))
        return {key: self.failing.get(key) or Body(self.objects[key], '"e"') for key in keys}


def _read(store: _Store, *, legacy: bool = False, test: bool = False) -> SteeringDocuments:
    return read_steering(
        store, regions=_REGIONS, allow_test_addresses=test, ignore_legacy_keys=legacy
    )


def _failure(store: _Store) -> ReadsFailed:
    with pytest.raises(ReadsFailed) as caught:
        _read(store)
    return caught.value


@pytest.mark.behaviour(12)
def test_pass_over_a_bucket() -> None:
    """Edges files and instance records are read, and the bucket is all that is asked."""
    store = _Store(_OBJECTS)

    documents = _read(store)

    assert [edge.box for edge in documents.edges] == ["ie-1", "uk-1"]
    assert [record.key for record in documents.records] == [_ACME, _HELLO, _OFF]
    assert store.asked == [
        *("list control/edges/", f"get {_IE}", f"get {_UK}"),
        *("list apps/", f"get {_ACME}", f"get {_HELLO}", f"get {_OFF}"),
    ]


@pytest.mark.behaviour(10)
def test_empty_bucket() -> None:
    """No edges and no records are a result, not an error."""
    assert load_edges_bodies(_Store({})) == ()
    assert _read(_Store({})) == SteeringDocuments((), ())


@pytest.mark.behaviour(2)
@given(st.integers(0, 1_000_000))
def test_listing_in_any_order(seed: int) -> None:
    """Whatever order the store lists in, bodies and documents come sorted by key."""
    store = _Store(_OBJECTS, seed=seed)

    assert [key for key, _ in load_edges_bodies(store)] == [_IE, _UK]
    assert _read(store) == _read(_Store(_OBJECTS))


@pytest.mark.behaviour(1)
@pytest.mark.behaviour(21)
def test_edges_that_cannot_be_listed() -> None:
    """The pass fails, by the duty's name, and the records are not touched."""
    store = _Store(_OBJECTS, unlisted="control/edges/")

    with pytest.raises(ListingFailed) as caught:
        _read(store)

    assert str(caught.value) == "steering: list control/edges/: access denied"
    assert store.asked == ["list control/edges/"]


@pytest.mark.behaviour(14)
@pytest.mark.behaviour(22)
def test_records_that_cannot_be_listed() -> None:
    """The pass fails and there are no documents: no records is not "no steered hosts"."""
    with pytest.raises(ListingFailed, match=r"^steering: list apps/: access denied$"):
        _read(_Store(_OBJECTS, unlisted="apps/"))


@pytest.mark.parametrize(
    "key",
    [
        pytest.param("control/edges/readme.txt", marks=pytest.mark.behaviour(4)),
        pytest.param("control/edges/old/ie-1.json", marks=pytest.mark.behaviour(5)),
        "control/edges/.json",
    ],
)
@pytest.mark.behaviour(8)
def test_stray_that_cannot_be_read(key: str) -> None:
    """It is not asked for, so it cannot fail the pass."""
    store = _Store(_OBJECTS, failing={key: ReadFailed(key, "access denied")})

    assert _read(store) == _read(_Store(_OBJECTS))
    assert f"get {key}" not in store.asked


@pytest.mark.behaviour(3)
def test_store_that_lists_beside_the_prefix() -> None:
    """A key from outside the prefix is skipped unread."""

    class Careless(_Store):
        def list(self, prefix: str) -> tuple[str, ...]:
            return (*super().list(prefix), "control/other.json", "x/apps/bab/a/instances/b.json")

    store = Careless(_OBJECTS)

    assert _read(store) == _read(_Store(_OBJECTS))
    assert not [line for line in store.asked if "other" in line or "get x/" in line]


@pytest.mark.behaviour(6)
@pytest.mark.behaviour(21)
def test_edges_file_that_cannot_be_read() -> None:
    """The whole pass fails by the duty's name and the key, before any record."""
    store = _Store(_OBJECTS, failing={_UK: ReadFailed(_UK, "access denied")})

    assert str(_failure(store)) == f"steering: read {_UK}: access denied"
    assert "list apps/" not in store.asked
    with pytest.raises(ReadsFailed):
        load_edges_bodies(store)


@pytest.mark.behaviour(7)
@pytest.mark.parametrize("key", [_IE, _HELLO])
def test_object_deleted_after_it_was_listed(key: str) -> None:
    """A raced delete fails the pass like any other read."""
    failing = {key: ObjectNotFound(key, "no such object")}

    assert str(_failure(_Store(_OBJECTS, failing))) == f"steering: read {key}: no such object"


@pytest.mark.behaviour(11)
@pytest.mark.parametrize("keys", [(_IE, _UK), (_ACME, _OFF)])
def test_objects_that_cannot_be_read(keys: tuple[str, str]) -> None:
    """All are read all the same, and every failing key is named, sorted."""
    failing = {key: ReadFailed(key, "access denied") for key in reversed(keys)}
    store = _Store(_OBJECTS, failing)

    assert _failure(store).keys == keys
    assert {f"get {key}" for key in keys} <= set(store.asked)


@pytest.mark.behaviour(9)
def test_bodies_of_edges_files() -> None:
    """They are returned raw, whatever they hold; to parse them is the next step's."""
    objects = {_IE: b'{"v":1', _UK: b"\xff\x00"}

    assert load_edges_bodies(_Store(objects)) == ((_IE, b'{"v":1'), (_UK, b"\xff\x00"))


@pytest.mark.behaviour(21)
def test_malformed_edges_files() -> None:
    """They fail the pass, all named, before any record: dropped, they would withdraw a box."""
    store = _Store(_OBJECTS | {_IE: _edge("ie-1")[:-9], _UK: _edge("uk-2")})

    failure = _failure(store)

    assert failure.keys == (_IE, _UK)
    assert str(failure).startswith(f"steering: {_IE}: is not JSON: ")
    assert str(failure).endswith(f'{_UK}: box is "uk-2", the key says "uk-1"')
    assert "list apps/" not in store.asked


@pytest.mark.behaviour(22)
def test_everything_wrong_with_the_records() -> None:
    """Unreadable, malformed and unparsable ones are named together."""
    nested = "apps/bab/hello/instances/a/b.json"
    objects = _OBJECTS | {_ACME: b"[]", nested: b"{}", _LEGACY: b"{}"}

    failure = _failure(_Store(objects, {_OFF: ReadFailed(_OFF, "access denied")}))

    assert failure.keys == (nested, _ACME, _LEGACY, _OFF)
    assert [type(each) for each in failure.failures] == [
        Malformed,
        Malformed,
        Malformed,
        ReadFailed,
    ]


def test_key_from_before_accounts() -> None:
    """It fails the pass with the way out, or is passed over unread by the setting."""
    store = _Store(_OBJECTS | {_LEGACY: b"not read"})

    assert str(_failure(store)) == (
        f"steering: {_LEGACY}: is not apps/<account>/<app>/instances/<host>.json;"
        " rename or remove it, or set ignoreLegacyKeys for apps/<app>/instances/"
    )
    assert _read(store, legacy=True) == _read(_Store(_OBJECTS))


def test_address_of_a_documentation_net() -> None:
    """The setting reaches the edges files."""
    store = _Store({_IE: _edge("ie-1", eip="192.0.2.1")})

    assert _read(store, test=True).edges[0].address == "192.0.2.1"
    assert "192.0.2.0/24" in str(_failure(store))


def test_progress_of_a_pass() -> None:
    """The caller is told of both parts."""
    told: list[tuple[int, int]] = []

    read_steering(_Store(_OBJECTS), regions=_REGIONS, progress=lambda *at: told.append(at))

    assert told == [(2, 2), (3, 3)]
