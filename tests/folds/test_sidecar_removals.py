from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from control.sidecar_documents import RecordFound
from control.sidecar_keys import SidecarKey
from control.sidecar_manifests import SidecarsManifest
from folds.sidecar_report import removed_hosts
from tests.folds.sidecar_model import (
    BOX,
    BROKEN,
    ELEVEN,
    HELLO,
    TWELVE,
    UNREAD,
    bucket,
    documents,
    held,
    host,
    key,
    keyed,
    minted,
    planned,
    record,
    removed,
    verdict,
)

_GONE = minted(record("gone"))
_KEPT = [record(name) for name in ("a", "b", "c")]
_KEPT_ROWS = [minted(each) for each in _KEPT]
_DROPPING = BOX.model_copy(update={"drop_trashed": True})


@pytest.mark.behaviour(127)
def test_record_that_is_gone() -> None:
    """Its row goes, with the key that is gone and what it rests on."""
    done = planned(bucket(*_KEPT), _GONE, *_KEPT_ROWS)

    (removal,) = done.removals
    assert (removal.host, removal.key, removal.cause) == (host("gone"), key("gone"), "absent")
    assert removal.reads == (
        "apps/bab/eleven/sidecars/gone.json",
        "apps/bab/eleven/sidecars.json",
    )
    assert done.lines == (
        "- gone.eleven.bab.sidecar.internal its record apps/bab/eleven/sidecars/gone.json is gone",
    )
    assert removed_hosts(done.lines) == {host("gone")}
    assert (done.rows, done.failures) == (tuple(host(name) for name in "abc"), ())


@pytest.mark.behaviour(129)
def test_record_in_the_set() -> None:
    """Its row is kept."""
    assert planned(bucket(*_KEPT), *_KEPT_ROWS).empty


@pytest.mark.behaviour(127)
@pytest.mark.parametrize(
    "columns",
    [
        {"kind": "exec"},
        {"provisioned": 0},
        {"app": "twelve"},
        {"account": "jam"},
        {"host": "gone.example.com"},
        {"host": "gone.eleven.sidecar.internal"},
    ],
)
def test_row_that_no_pass_minted(columns: dict[str, Any]) -> None:
    """It has no record and stays: the kind and the flag alone do not make it ours."""
    done = planned(bucket(*_KEPT), minted(record("gone"), **columns), *_KEPT_ROWS)

    assert done.empty
    assert not done.held_back
    found = [each.action for each in done.verdicts if "gone" in each.host]
    assert found == ([] if columns.get("kind") else ["foreign"])


@pytest.mark.behaviour(128)
@pytest.mark.parametrize("columns", [{"region": "uk"}, {"pool": "fleet/eu"}])
def test_row_of_another_scope(columns: dict[str, Any]) -> None:
    """It has no record and stays: another box's business, if anybody's."""
    done = planned(bucket(*_KEPT), minted(record("gone"), **columns), *_KEPT_ROWS)

    assert done.empty
    assert verdict(done, "gone").action == "keep"
    assert "not this box's" in verdict(done, "gone").reason


@pytest.mark.behaviour(109)
@pytest.mark.parametrize("fields", [{"region": "uk"}, {"pool": "fleet/eu"}])
def test_record_that_moved_away(fields: dict[str, Any]) -> None:
    """Its row goes, because the record asks for it."""
    done = planned(bucket(record("gone", **fields)), _GONE)

    assert removed(done) == [host("gone")]
    assert done.removals[0].cause == "asked"
    assert done.removals[0].reason.startswith("asks for ")
    assert verdict(done, "gone").action == "remove"


def test_record_elsewhere_without_a_row() -> None:
    """It is said, and not loudly."""
    done = planned(bucket(record("away", region="uk")))

    assert (verdict(done, "away").action, verdict(done, "away").loud) == ("elsewhere", False)


@pytest.mark.parametrize(
    ("columns", "action"), [({"region": "uk"}, "keep"), ({"provisioned": 0}, "foreign")]
)
def test_record_elsewhere_with_a_row_that_stays(columns: dict[str, Any], action: str) -> None:
    """A row that this pass may not remove is kept, also where its record asks for another box."""
    done = planned(bucket(record("gone", region="uk")), minted(record("gone"), **columns))

    assert done.empty
    assert verdict(done, "gone").action == action


@pytest.mark.behaviour(110)
def test_evacuation_of_a_whole_app() -> None:
    """After a manifest's change to no-inbound every row of the app goes, however many."""
    box = BOX.model_copy(update={"inbound": "public"})
    records = [record(f"bot-{number}") for number in range(50)]
    shut = {ELEVEN: SidecarsManifest(placement="no-inbound")}

    done = planned(bucket(*records, manifests=shut), *map(minted, records), box=box)

    assert removed(done) == sorted(each.host for each in records)
    assert (done.held_back, done.failures, done.rows) == ((), (), ())


@pytest.mark.behaviour(102)
@pytest.mark.behaviour(107)
@pytest.mark.behaviour(130)
def test_record_that_cannot_be_used() -> None:
    """Its row is kept, loudly; the rows beside it are not held up by it."""
    found = documents({key("bad"): BROKEN, **keyed(*_KEPT)})

    done = planned(found, minted(record("bad"), channel="old"), _GONE, *_KEPT_ROWS)

    assert removed(done) == [host("gone")]
    assert not done.converges
    found_verdict = verdict(done, "bad")
    assert (found_verdict.action, found_verdict.loud) == ("protect", True)
    assert found_verdict.reason == "is null, not an object; its row is kept"


@pytest.mark.behaviour(108)
@pytest.mark.parametrize("columns", [{}, {"region": "uk"}, {"pool": "fleet/eu"}])
def test_protection_before_scope(columns: dict[str, Any]) -> None:
    """A record that cannot be read has no region: it protects, wherever its row is."""
    done = planned(documents({key("bad"): BROKEN}), minted(record("bad"), **columns))

    assert done.empty
    assert verdict(done, "bad").action == "protect"


_UNCLEAN: dict[str, Mapping[SidecarKey, RecordFound]] = {
    "a record": {key("other", TWELVE): UNREAD},
    "nothing more": {},
}


@pytest.mark.behaviour(94)
@pytest.mark.behaviour(97)
@pytest.mark.behaviour(99)
@pytest.mark.behaviour(101)
@pytest.mark.behaviour(131)
@pytest.mark.parametrize("unread", _UNCLEAN.values(), ids=_UNCLEAN)
def test_scan_that_is_not_whole(unread: Mapping[SidecarKey, RecordFound]) -> None:
    """No row is removed, whatever asks for it; mints and converges go on; the run fails."""
    records = [record("new"), record("a"), record("moved", region="uk")]
    found = documents(
        {**unread, **keyed(*records)},
        unclean=() if unread else ("list apps/jam/: access denied",),
        trashed=frozenset({HELLO}),
    )
    rows = [minted(record(name)) for name in ("gone", "moved")]
    rows += [minted(record("a"), channel="old"), minted(record("bot", HELLO))]

    done = planned(found, *rows, box=_DROPPING)

    assert removed(done) == []
    assert held(done) == [host("bot", HELLO), host("gone"), host("moved")]
    assert (len(done.mints), len(done.converges), done.digest) == (1, 1, "")
    assert verdict(done, "gone").reason.endswith("; the bucket could not be read whole")
    assert done.failures[0].startswith("not read whole: ")
    assert done.failures[-1] == (
        "no row is removed in this run, since the bucket could not be read whole; it keeps "
        f"{host('bot', HELLO)}, {host('gone')}, {host('moved')}"
    )


def test_row_of_an_unread_record() -> None:
    """It is kept for that alone."""
    done = planned(documents({key("a"): UNREAD}), minted(record("a")))

    assert (held(done), verdict(done, "a").action) == ([], "keep")
    assert verdict(done, "a").reason == "could not be read: access denied; its row is kept"


def test_dropping_the_rows_of_a_trashed_app() -> None:
    """Where nothing else drops them they go here: every row of the app in scope, however many."""
    found = documents(
        {key("bad"): BROKEN, **keyed(record("a"), record("b", HELLO))},
        trashed=frozenset({ELEVEN}),
    )
    ours = [minted(record(name)) for name in ("a", "bad", "gone")]
    others = [minted(record("b", HELLO)), minted(record("far"), region="uk")]

    done = planned(found, *ours, *others, box=_DROPPING)

    assert removed(done) == [host("a"), host("bad"), host("gone")]
    assert {each.cause for each in done.removals} == {"trashed"}
    assert done.removals[0].reads == ("control/trash/bab/eleven.json",)
    assert done.failures == ()
    assert removed(planned(found, *ours, *others)) == [host("gone")]


def test_trash_that_was_not_read_where_rows_are_dropped() -> None:
    """An app that only counts as trashed loses no row for it."""
    found = bucket(record("a"), trash_failure="list control/trash/: denied")

    assert planned(found, minted(record("a")), box=_DROPPING).empty
