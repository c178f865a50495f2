from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from control.errors import ListingFailed, ObjectNotFound, ObjectTooLarge, ReadFailed
from control.sidecar_documents import Broken, RecordFound, SidecarDocuments, Unread
from control.sidecar_keys import AppKey, SidecarKey
from control.sidecar_manifests import SidecarsManifest
from control.sidecar_records import SidecarRecord
from control.sidecar_scan import read_again, read_sidecars
from tests.control.sidecar_store import SidecarStore, account_body, body_of

_ACME = SidecarKey("bab", "eleven", "acme")
_BETA = SidecarKey("bab", "eleven", "beta")
_JAM = SidecarKey("jam", "hello", "bot")
_ELEVEN, _HELLO = AppKey("bab", "eleven"), AppKey("jam", "hello")
_OBJECTS = {
    "accounts/bab.json": account_body("bab"),
    "accounts/jam.json": account_body("jam"),
    "accounts/README": b"not an account",
    _ACME.record: body_of(_ACME),
    _BETA.record: body_of(_BETA, region="uk"),
    _JAM.record: body_of(_JAM),
    _ELEVEN.manifest: b'{"v":1,"args":["bot"]}',
    "apps/bab/eleven/instances/eleven.bab.example.com.json": b"not read",
    "apps/readme.json": b"not read",
}
_DENIED = "access denied"


def _home(record: SidecarRecord) -> bool:
    return not record.region


def _read(store: SidecarStore) -> SidecarDocuments:
    return read_sidecars(store, concerns=_home)


def _failing(*keys: str) -> dict[str, ReadFailed]:
    return {key: ReadFailed(key, _DENIED) for key in keys}


def _records(documents: SidecarDocuments) -> Mapping[SidecarKey, RecordFound]:
    return dict(documents.records)


def test_scan_of_a_bucket() -> None:
    """Accounts, records, the manifests of the records at hand and the trash; nothing else."""
    store = SidecarStore(_OBJECTS | {"control/trash/jam/hello.json": b"not read"})

    documents = _read(store)

    assert documents.accounts == {"bab", "jam"}
    assert [key for key, _ in documents.records] == [_ACME, _BETA, _JAM]
    assert all(isinstance(found, SidecarRecord) for _, found in documents.records)
    assert documents.manifests == {_ELEVEN: SidecarsManifest(args='["bot"]'), _HELLO: None}
    assert documents.trashed == {_HELLO}
    assert (documents.trash_failure, documents.unclean) == ("", ())


def test_etags_of_the_records() -> None:
    """Each that was read has its own, also one that cannot be used; an unread one has none."""
    objects = {**_OBJECTS, _BETA.record: b"null"}
    store = SidecarStore(objects, failing=_failing(_JAM.record))

    etags = _read(store).etags

    assert etags == {key: store.get(key.record).etag for key in (_ACME, _BETA)}
    assert len(set(etags.values())) == len(etags)


def test_empty_bucket() -> None:
    """Nothing at all is a result, not an error."""
    documents = _read(SidecarStore({}))

    assert documents == SidecarDocuments(frozenset(), (), {})


@given(st.integers(0, 1_000_000))
def test_listing_in_any_order(seed: int) -> None:
    """Whatever order the store lists in, the documents are the same, in the same order."""
    shuffled = _read(SidecarStore(_OBJECTS, seed=seed))

    assert shuffled == _read(SidecarStore(_OBJECTS))
    assert [*shuffled.manifests] == [_ELEVEN, _HELLO]


@pytest.mark.behaviour(95)
def test_manifest_of_many_records() -> None:
    """A manifest is read once, one that fails too, and only where a record needs it."""
    store = SidecarStore(_OBJECTS, failing=_failing(_ELEVEN.manifest))

    _read(store)

    assert store.asked.count(f"get {_ELEVEN.manifest}") == 1
    assert len(store.asked) == len(set(store.asked))

    away = SidecarStore({**_OBJECTS, _JAM.record: body_of(_JAM, region="uk")})
    _read(away)
    assert f"get {_HELLO.manifest}" not in away.asked


@pytest.mark.behaviour(93)
def test_accounts_that_cannot_be_listed() -> None:
    """The pass ends before anything else is read."""
    store = SidecarStore(_OBJECTS, unlisted=frozenset({"accounts/"}))

    with pytest.raises(ListingFailed, match=r"^sidecars: list accounts/: access denied$"):
        _read(store)
    assert store.asked == ["list accounts/"]


@pytest.mark.behaviour(94)
@pytest.mark.parametrize("body", [b"", b"[]", b"{"])
def test_account_manifest_that_cannot_be_used(body: bytes) -> None:
    """The account stays known and its records are read, but the scan is not whole."""
    for store in (
        SidecarStore(_OBJECTS | {"accounts/bab.json": body}),
        SidecarStore(_OBJECTS, failing=_failing("accounts/bab.json")),
    ):
        documents = _read(store)

        assert documents.accounts == {"bab", "jam"}
        assert isinstance(_records(documents)[_ACME], SidecarRecord)
        assert len(documents.unclean) == 1
        assert "accounts/bab.json" in documents.unclean[0]


@pytest.mark.behaviour(99)
def test_apps_that_cannot_be_listed() -> None:
    """Nothing could be said of any sidecar: the pass fails."""
    store = SidecarStore(_OBJECTS, unlisted=frozenset({"apps/"}))

    with pytest.raises(ListingFailed, match=r"^sidecars: list apps/: access denied$"):
        _read(store)


@pytest.mark.behaviour(99)
def test_apps_of_one_account_that_cannot_be_listed() -> None:
    """The others' records are read, and the scan is not whole."""
    documents = _read(SidecarStore(_OBJECTS, unlisted=frozenset({"apps/bab/"})))

    assert [*_records(documents)] == [_JAM]
    assert documents.unclean == ("list apps/bab/: access denied",)


@pytest.mark.behaviour(100)
@pytest.mark.parametrize(
    "key", ["apps/new/eleven/sidecars/bot.json", "apps/eleven/sidecars/bot.json"]
)
def test_key_that_does_not_parse(key: str) -> None:
    """It is no record and not read; the scan is not whole, with the key and what to do."""
    store = SidecarStore(_OBJECTS | {key: b"{}"})

    documents = _read(store)

    assert [*_records(documents)] == [_ACME, _BETA, _JAM]
    assert f"get {key}" not in store.asked
    (said,) = documents.unclean
    assert said.startswith(f"{key}: is not apps/<account>/<app>/sidecars/<name>.json")


@pytest.mark.behaviour(101)
@pytest.mark.parametrize("kind", [ReadFailed, ObjectNotFound])
def test_record_that_cannot_be_read(kind: type[ReadFailed]) -> None:
    """It is neither there nor absent, also where it went since it was listed."""
    failing = {_ACME.record: kind(_ACME.record, "timed out")}

    documents = _read(SidecarStore(_OBJECTS, failing=failing))

    assert _records(documents)[_ACME] == Unread("timed out")
    assert isinstance(_records(documents)[_BETA], SidecarRecord)


@pytest.mark.behaviour(102)
def test_record_that_is_none() -> None:
    """It is told apart from an unread one, and so is one too large to be read."""
    too_large = {_BETA.record: ObjectTooLarge(_BETA.record, "is 300000 bytes")}

    documents = _read(SidecarStore(_OBJECTS | {_ACME.record: b"null"}, failing=too_large))

    assert _records(documents)[_ACME] == Broken("is null, not an object")
    assert _records(documents)[_BETA] == Broken("is 300000 bytes")
    assert documents.unclean == ()


@pytest.mark.behaviour(97)
@pytest.mark.parametrize("body", [b"", b"null", b'{"idle":"soon"}'])
def test_manifest_that_is_none(body: bytes) -> None:
    """One that is malformed is unread, as one that cannot be got; a missing one is an answer."""
    documents = _read(SidecarStore(_OBJECTS | {_ELEVEN.manifest: body}))
    denied = _read(SidecarStore(_OBJECTS, failing=_failing(_ELEVEN.manifest)))

    assert isinstance(documents.manifests[_ELEVEN], Unread)
    assert denied.manifests == {_ELEVEN: Unread(_DENIED), _HELLO: None}


def test_trash_that_cannot_be_listed() -> None:
    """The scan goes on, and says so."""
    documents = _read(SidecarStore(_OBJECTS, unlisted=frozenset({"control/trash/"})))

    assert documents.trash_failure == "list control/trash/: access denied"
    assert (documents.trashed, documents.unclean) == (frozenset(), ())


def test_trash_markers() -> None:
    """The key says which app is in the trash, whatever the body does; strays say nothing."""
    markers = ("control/trash/bab/eleven.json", "control/trash/eleven.json", "control/trash/x")

    assert _read(SidecarStore(_OBJECTS | dict.fromkeys(markers, b"{"))).trashed == {_ELEVEN}


def test_progress() -> None:
    """It is told of the records."""
    told: list[tuple[int, int]] = []

    read_sidecars(
        SidecarStore(_OBJECTS), concerns=_home, progress=lambda *counts: told.append(counts)
    )

    assert told == [(3, 3)]


@pytest.mark.behaviour(136)
@pytest.mark.behaviour(138)
def test_reading_again() -> None:
    """Records and manifests are read by their own keys: what is not there now is absent."""
    store = SidecarStore(_OBJECTS | {_BETA.record: b"[]"}, failing=_failing(_JAM.record))
    gone = replace(_ACME, name="gone")

    fresh = read_again(store, [_ACME, _BETA, _JAM, gone])

    assert [*fresh.records] == [_ACME, _BETA, gone, _JAM]
    assert isinstance(fresh.records[_ACME], SidecarRecord)
    assert fresh.records[_BETA] == Broken("is an array, not an object")
    assert fresh.records[_JAM] == Unread(_DENIED)
    assert fresh.records[gone] is None
    assert fresh.manifests == {_ELEVEN: SidecarsManifest(args='["bot"]'), _HELLO: None}
    assert store.asked.count(f"get {_ELEVEN.manifest}") == 1


def test_reading_trash_markers_again() -> None:
    """A marker is there, or not, or could not be read."""
    apps = [AppKey("bab", name) for name in ("a", "b", "c", "d")]
    failing = {
        apps[2].trash: ReadFailed(apps[2].trash, _DENIED),
        apps[3].trash: ObjectTooLarge(apps[3].trash, "is 300000 bytes"),
    }

    fresh = read_again(SidecarStore({apps[0].trash: b""}, failing=failing), [], apps)

    assert [*fresh.trash.values()] == [True, False, Unread(_DENIED), True]
