"""What has gone wrong elsewhere with claims, leases and moves, and must not go wrong here."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from control.claims import Claim, parse_claim
from control.errors import Malformed
from providers.claim_errors import (
    ClaimChanged,
    ClaimError,
    ClaimReadFailed,
    ClaimUnreadable,
    ClaimUnsupported,
    HostBusy,
)
from providers.claim_ports import Observed, Ownership, Selection
from tests.support import claim_samples as samples
from tests.support.claim_box import FakeBox, FakeRow, Trace, World
from tests.support.claim_fakes import FakeAdoption, FakeClaims, installer, retirer
from tests.support.claim_samples import HOLDER, HOST, KEY, RETIRED, SELECTED, UK

OWNED = Ownership(KEY, "01J8", "sidecar", 7)
INSTALLING = samples.relocating("installing")


def box_with(claim: Claim | None, row: FakeRow | None = None) -> FakeBox:
    box = FakeBox(World({HOST: claim} if claim else {}))
    if row:
        box.rows[HOST] = row
    return box


def install(box: FakeBox, selection: Selection = SELECTED) -> str:
    """Run an install, and return what it was refused with, empty where it was done."""
    box = replace(box, trace=Trace())
    try:
        installer(box).install(selection, box.write)
    except ClaimError as error:
        return error.phrase
    return ""


def test_claim_that_was_deleted_and_made_anew() -> None:
    """A stamp that begins again at 1 is older than what this box has seen, and installs nothing."""
    box = box_with(replace(samples.serving(), holder=replace(HOLDER, stamp=7)))
    install(box)
    box.world.claims.clear()
    assert install(box) == "there is no claim"

    box.world.claims[HOST] = replace(samples.serving(), holder=replace(HOLDER, stamp=1))
    assert install(box) == "stamp 7 is installed here"
    box.inventories.clear()
    assert install(box) == "stamp 7 was here, retired False"
    box.activations.clear()
    assert install(box) == "its row is of a newer claim, stamp 7"
    assert box.rows == {HOST: FakeRow(OWNED)}


def test_adoption_whose_answer_is_lost() -> None:
    """The claim was made all the same: the next run finds it its own, and goes on."""
    box = box_with(None)

    class Lost(FakeAdoption):
        def adopt(self, selection: Selection) -> Observed:
            super().adopt(selection)
            raise ClaimReadFailed(selection.host, "no answer after 5 s")

    with pytest.raises(ClaimReadFailed):
        replace(installer(box), adoption=Lost(box, samples.serving())).install(SELECTED, box.write)
    assert not box.rows
    assert install(box) == ""
    assert box.rows == {HOST: FakeRow(OWNED)}


BODY = {
    "v": 1,
    "host": HOST,
    "holder": {"key": KEY, "incarnation": "01J8", "family": "sidecar", "stamp": 7},
    "op": {"id": "op-40", "kind": "serving", "exec": "ie-1"},
}
TEXT = json.dumps(BODY)


class Bodies(FakeClaims):
    """A store that parses what it holds, as the reference one does."""

    body = b""

    def read(self, host: str) -> Observed:
        try:
            return Observed(host, parse_claim(self.body, host))
        except Malformed as error:
            raise ClaimUnreadable(host, str(error)) from error


def with_body(box: FakeBox, body: bytes) -> Bodies:
    store = Bodies(box, "claims.read")
    store.body = body
    return store


@pytest.mark.parametrize(
    "body",
    [
        *(b"", TEXT[:-1].encode(), b"null", b"[]", b'"x"', b"<html>", TEXT.encode("utf-16")),
        *(json.dumps(BODY | {"v": each}).encode() for each in (2, "1", None)),
        json.dumps(BODY | {"host": f"{HOST}."}).encode(),
        json.dumps(BODY | {"host": HOST.upper()}).encode(),
        json.dumps(BODY | {"holder": "ie-1"}).encode(),
    ],
)
def test_claim_that_cannot_be_read(body: bytes) -> None:
    """Cut short, of another type or version, of an alias of the host: no install, no adoption."""
    box = box_with(None)
    made = replace(installer(box), claims=with_body(box, body))

    with pytest.raises(ClaimUnreadable, match=f"control/claims/{HOST}.json: "):
        made.install(SELECTED, box.write)
    assert (box.rows, box.activations, box.trace.names) == ({}, {}, [])


@pytest.mark.parametrize(
    ("name", "value"),
    [("family", "instance"), ("family", "Sidecar"), ("key", KEY.upper()), ("key", "")],
)
def test_claim_of_another_family_or_key(name: str, value: str) -> None:
    """It is not "free": it is named, nothing is adopted, and nothing is installed."""
    box = box_with(None)
    holder = {"key": KEY, "incarnation": "01J8", "family": "sidecar", "stamp": 7, name: value}
    store = with_body(box, json.dumps(BODY | {"holder": holder}).encode())

    with pytest.raises(ClaimChanged, match=f"its claim is for {name} "):
        replace(installer(box), claims=store).install(SELECTED, box.write)
    assert "adoption.adopt" not in box.trace.names


@pytest.mark.parametrize("host", [f"{HOST}.", HOST.upper(), "bot\u3002eleven.bab", "..", "a/b"])
def test_alias_of_a_host(host: str) -> None:
    """Another spelling is another host: it has no claim to read."""
    box = box_with(samples.serving())
    store = with_body(box, TEXT.encode())

    with pytest.raises(ClaimUnreadable):
        replace(installer(box), claims=store).install(replace(SELECTED, host=host), box.write)
    assert not box.rows


def test_box_that_was_built_anew() -> None:
    """The same box under an older incarnation of the record is not its holder, and says why."""
    box = box_with(replace(samples.serving(), holder=replace(HOLDER, incarnation="01J7")))

    said = 'its claim is for incarnation "01J7", the record\'s is "01J8"'
    assert install(box) == said
    assert (box.rows, box.activations) == ({}, {})


def test_lock_that_is_held_and_claim_that_fails() -> None:
    """Held, failing and free are three outcomes; none of them looks like another."""
    box = box_with(samples.serving())
    box.locks.add(HOST)
    with pytest.raises(HostBusy):
        installer(box).install(SELECTED, box.write)
    box.locks.clear()
    box.world.failure = ClaimReadFailed(HOST, "503")
    with pytest.raises(ClaimReadFailed):
        installer(box).install(SELECTED, box.write)
    box.world.failure = None
    with pytest.raises(ClaimUnsupported):
        installer(box_with(None)).install(replace(SELECTED, dry_run=True), box.write)
    assert install(box) == ""


def test_relocation_with_both_boxes_alive() -> None:
    """At most one box's row is ready, in every phase; the hold stays until the platform parks."""
    source = box_with(samples.serving())
    target = FakeBox(source.world, UK)
    seen = []
    for claim, fence in (
        (samples.serving(), ""),
        (samples.relocating(), ""),
        (samples.relocating(), "op-41"),
        (replace(INSTALLING, holder=replace(HOLDER, stamp=8)), "op-41"),
        (replace(samples.completed(), holder=replace(HOLDER, stamp=8)), "op-41"),
    ):
        source.world.claims[HOST] = claim
        source.fences = {fence}
        for _ in range(2):
            install(source)
            install(target)
        seen.append([ready(source), ready(target)])

    assert seen == [[True, False], [True, False], [False, False], [False, False], [False, True]]
    assert source.rows[HOST].hold == "op-41"


def ready(box: FakeBox) -> bool:
    return HOST in box.rows and not box.rows[HOST].hold


def test_relocation_that_is_called_off() -> None:
    """The hold stays until its own operation takes it away; then the row is written again."""
    box = box_with(samples.relocating(), FakeRow(OWNED))
    box.fences.add("op-41")
    install(box)
    box.world.claims[HOST] = samples.serving()

    assert install(box) == 'its row is held by "op-41"'
    box.rows[HOST] = replace(box.rows[HOST], hold="")
    assert install(box) == ""


def test_removal_while_the_host_relocates() -> None:
    """The route is not torn down, from releasing to the end, on either box."""
    for claim in (samples.relocating(), INSTALLING, samples.moving()):
        for box in (box_with(claim, FakeRow(OWNED)), FakeBox(World({HOST: claim}), UK)):
            with pytest.raises(ClaimChanged):
                retirer(box).retire(RETIRED, box.remove)
            assert box.activations == {}


@pytest.mark.parametrize("hold", ["by hand", "op-40", " ", "\x00", "null", "op-41 "])
def test_hold_of_somebody_else(hold: str) -> None:
    """A relocation neither takes it over nor takes it away; any word is a hold."""
    held = FakeRow(OWNED, hold=hold)
    box = box_with(INSTALLING, held)

    assert install(box) == f'its row is held by "{hold}"'.replace("\x00", "\\x00")
    box.world.claims[HOST] = samples.serving()
    assert install(box) == f'its row is held by "{hold}"'.replace("\x00", "\\x00")
    with pytest.raises(ClaimChanged, match="its row is held by"):
        retirer(box).retire(replace(RETIRED, hold=hold), box.remove)
    assert box.rows == {HOST: held}


def test_hold_of_the_same_operation() -> None:
    """Written again it is the same; it is never minted again and never pruned."""
    box = box_with(INSTALLING, FakeRow(OWNED))
    for _ in range(3):
        assert install(box) == ""

    assert box.rows == {HOST: FakeRow(OWNED, hold="op-41")}
