from __future__ import annotations

from dataclasses import replace

import pytest

from control.sidecar_documents import SidecarDocuments, Unread
from control.sidecar_manifests import SidecarsManifest
from folds.sidecar_desired import SidecarDesired, Standing, Wanted
from folds.sidecar_standing import desired_of
from tests.folds.sidecar_model import (
    BOX,
    BROKEN,
    CLAIMING,
    ELEVEN,
    HELLO,
    MANIFEST,
    UNREAD,
    bucket,
    documents,
    host,
    key,
    keyed,
    record,
    states,
)


def _standing(found: SidecarDocuments) -> Standing:
    desired = desired_of(found, BOX)
    assert desired.wanted == ()
    return desired.standings[0]


@pytest.mark.behaviour(87)
@pytest.mark.behaviour(88)
@pytest.mark.behaviour(89)
def test_wanted_route() -> None:
    """Channel and environment are the record's, all else that it runs by the manifest's."""
    manifest = SidecarsManifest(
        args='["bot"]', hibernate=False, idle_seconds=90, max_run_seconds=60, channel="beta"
    )
    found = bucket(record("acme", environment="blue"), manifests={ELEVEN: manifest})

    assert desired_of(found, BOX).wanted == (
        Wanted(
            name="acme",
            app="eleven",
            account="bab",
            host="acme.eleven.bab.sidecar.internal",
            region="",
            pool="",
            channel="edge",
            environment="blue",
            hibernate=0,
            args='["bot"]',
            idle_seconds=90,
            max_run_seconds=60,
        ),
    )


def test_what_a_claim_is_compared_with() -> None:
    """With claims on all of a record and its ETag are kept; else what makes its row alone."""
    whole = record("acme", incarnation="01J8", created_at="2026-09-07T10:00:00Z", placement="any")
    found = replace(bucket(whole), etags={key("acme"): '"e1"'})

    (claimed,) = desired_of(found, CLAIMING).wanted
    (free,) = desired_of(found, BOX).wanted

    assert all(getattr(claimed, name) == value for name, value in whole)
    assert claimed.etag == '"e1"'
    assert free == replace(claimed, placement="", incarnation="", created_at="", etag="")


@pytest.mark.behaviour(107)
@pytest.mark.behaviour(108)
def test_record_that_cannot_be_used() -> None:
    """It protects the host of its key, whatever region or host its body might name."""
    standing = _standing(documents({key("acme"): BROKEN}))

    assert standing == Standing(
        key="apps/bab/eleven/sidecars/acme.json",
        host="acme.eleven.bab.sidecar.internal",
        state="protected",
        reason="is null, not an object",
    )


@pytest.mark.behaviour(101)
def test_record_that_was_not_read() -> None:
    """It makes the scan unclean, and says why."""
    desired = desired_of(documents({key("acme"): UNREAD}), BOX)

    assert states(desired) == {host("acme"): "unread"}
    assert desired.unclean == ("read apps/bab/eleven/sidecars/acme.json: access denied",)


@pytest.mark.behaviour(96)
def test_missing_manifest() -> None:
    """Its records are in the set and nothing is done for them; it is said once, and no failure."""
    desired = desired_of(bucket(record("a"), record("b"), manifests={ELEVEN: None}), BOX)

    assert states(desired) == {host("a"): "unconfigured", host("b"): "unconfigured"}
    assert desired.unclean == ()
    assert desired.notices == (
        "bab/eleven: it has sidecar records and no manifest apps/bab/eleven/sidecars.json:"
        " nothing of it is minted or converged",
    )


@pytest.mark.behaviour(97)
def test_unreadable_manifest() -> None:
    """The same, and the scan is unclean."""
    desired = desired_of(bucket(record("a"), record("b"), manifests={ELEVEN: UNREAD}), BOX)

    assert states(desired) == {host("a"): "unconfigured", host("b"): "unconfigured"}
    assert desired.unclean == ("read apps/bab/eleven/sidecars.json: access denied",)
    assert len(desired.notices) == 1


def test_manifest_of_another_region() -> None:
    """An app that has nothing to run here stops nothing here."""
    desired = desired_of(bucket(record("a", region="uk"), manifests={ELEVEN: UNREAD}), BOX)

    assert (desired.unclean, desired.notices) == ((), ())


@pytest.mark.behaviour(112)
def test_two_records_of_one_host() -> None:
    """The first by key has it, whichever was listed first, and the other names both keys."""
    twin = record("bob", host=host("acme"))
    found = documents({key("bob"): twin, **keyed(record("acme"))})

    desired = desired_of(found, BOX)

    assert [each.name for each in desired.wanted] == ["acme"]
    assert desired.standings == (
        Standing(
            key=key("bob").record,
            host=host("acme"),
            state="duplicate",
            reason=f"asks for the host that {key('acme').record} has, which is kept",
        ),
    )


def test_duplicate_of_a_record_that_is_elsewhere() -> None:
    """Only records of this box can stand in each other's way."""
    found = documents(
        {
            **keyed(record("acme", region="uk")),
            key("bob"): record("bob", host=host("acme")),
        }
    )

    assert [each.name for each in desired_of(found, BOX).wanted] == ["bob"]


@pytest.mark.behaviour(113)
def test_app_in_the_trash() -> None:
    """Its records stay in the set and nothing is minted for them; other apps go on."""
    records = [record("a"), record("b", HELLO)]

    desired = desired_of(bucket(*records, trashed=frozenset({ELEVEN})), BOX)

    assert states(desired) == {host("a"): "trashed", host("b", HELLO): "wanted"}
    assert (desired.trashed, desired.unclean) == ((), ())


@pytest.mark.behaviour(113)
def test_trash_that_could_not_be_listed() -> None:
    """Every app counts as trashed, and removal stays armed."""
    records = [record("a"), record("b", HELLO)]

    desired = desired_of(bucket(*records, trash_failure="list control/trash/: denied"), BOX)

    assert {*states(desired).values()} == {"trashed"}
    assert desired.trash_failure == "list control/trash/: denied"
    assert desired.unclean == ()


def test_trashed_apps_where_their_rows_are_dropped() -> None:
    """They are told to the plan only where the setting says so."""
    box = BOX.model_copy(update={"drop_trashed": True})

    assert desired_of(bucket(trashed=frozenset({ELEVEN})), box).trashed == ("bab/eleven",)


def test_records_of_others() -> None:
    """Those without a row here can be left out; nobody else's standing can."""
    found = documents(
        {
            **keyed(record("a", region="uk"), record("b", region="uk"), record("c")),
            key("d"): BROKEN,
        }
    )
    desired = desired_of(found, BOX)

    trimmed = desired.without_others({host("b")})

    assert states(trimmed) == {
        host("b"): "elsewhere",
        host("c"): "wanted",
        host("d"): "protected",
    }
    assert trimmed.wanted == desired.wanted


def test_desired_on_the_wire() -> None:
    """It comes back the same from the engine, where every number is a float."""
    found = documents(
        {**keyed(record("a"), record("b", region="uk")), key("c"): UNREAD},
        trashed=frozenset({HELLO}),
    )
    desired = desired_of(found, BOX.model_copy(update={"drop_trashed": True}))

    wire = desired.model_dump(mode="json", by_alias=True)
    for each in wire["wanted"]:
        each.update({name: float(each[name]) for name in ("hibernate", "idleSeconds")})

    assert wire["wanted"][0]["maxRunSeconds"] == MANIFEST.max_run_seconds
    assert SidecarDesired.model_validate(wire) == desired


def test_reasons_are_printable() -> None:
    """What the bucket says cannot move a terminal, and it is cut."""
    found = documents({key("a"): Unread("\x1b[2J" + "x" * 1000)}, unclean=("list apps/x/: y",))

    desired = desired_of(found, BOX)

    assert desired.standings[0].reason.startswith("could not be read: \\x1b[2Jxxx")
    assert len(desired.standings[0].reason) < 310
    assert desired.unclean[1].startswith("read apps/bab/eleven/sidecars/a.json: \\x1b[2Jxxx")
