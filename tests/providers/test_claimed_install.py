from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from control.claims import Claim
from folds.claims import Place
from providers.claim_errors import (
    ClaimChanged,
    ClaimError,
    ClaimReadFailed,
    ClaimUnreadable,
    ClaimUnsupported,
)
from providers.claim_ports import Captured, Observed, Ownership, Permit, Selection
from tests.support import claim_samples as samples
from tests.support.claim_box import FakeBox, FakeRow, World
from tests.support.claim_fakes import (
    FakeAdoption,
    PlainSelector,
    installer,
)
from tests.support.claim_samples import HOST, IE, INSTANT, NOW, SELECTED, UK

OWNED = Ownership(SELECTED.key, "01J8", "sidecar", 7)
CHECKED = ["claims.read", "record.check", "local.check"]
ACTIVATED = ["guard.activate", "guard.locked", *CHECKED, "activation.written", "guard.capture"]
RECORDED = ["inventory.record", "guard.locked", *CHECKED, "inventory.written"]
WRITTEN = ["work.run", "guard.locked", "write", "last_look.read", "commit"]


def box_with(claim: Claim | None = None, place: Place = IE) -> FakeBox:
    return FakeBox(World({HOST: claim} if claim else {}), place)


def refused(
    box: FakeBox, kind: type[ClaimError], selection: Selection = SELECTED, **without: Any
) -> str:
    """Install without some ports, which must fail, and write nothing."""
    with pytest.raises(kind) as caught:
        replace(installer(box), **without).install(selection, box.write)
    assert (type(caught.value), caught.value.host) == (kind, selection.host)
    assert not box.rows
    assert not {"activation.written", "inventory.written", "commit"} & {*box.trace.names}
    return caught.value.phrase


@pytest.mark.behaviour(180)
@pytest.mark.behaviour(182)
@pytest.mark.behaviour(185)
def test_install() -> None:
    """Check, prepare, activate, capture, prepare, select, record, write, in this order."""
    box = box_with(samples.serving())

    installer(box).install(SELECTED, box.write)

    assert box.trace.names == [
        *CHECKED,
        "prepare",
        *ACTIVATED,
        "prepare_inventory",
        "selector.select_at reconcile",
        *RECORDED,
        *WRITTEN,
    ]
    assert box.rows == {HOST: FakeRow(OWNED)}
    assert box.activations == box.inventories == {HOST: Captured(HOST, "ie-1", "01J8", 7)}


@pytest.mark.behaviour(181)
@pytest.mark.parametrize("name", ["prepare", "prepare_inventory"])
def test_preparations(name: str) -> None:
    """Both are optional, and what they raise ends the run."""
    box = box_with(samples.serving())

    def fail(*_: object) -> None:
        raise ClaimChanged(HOST, "not now")

    failing: dict[str, Any] = {name: fail}
    with pytest.raises(ClaimChanged, match="not now"):
        replace(installer(box), **failing).install(SELECTED, box.write)
    assert not box.rows
    assert (box.activations == {}) == (name == "prepare")
    replace(installer(box), prepare=None, prepare_inventory=None).install(SELECTED, box.write)
    assert box.rows


def test_preparations_get_what_was_read() -> None:
    """The claim before the activation, the capture after it."""
    box, got = box_with(samples.serving()), list[object]()
    made = replace(
        installer(box), prepare=got.append, prepare_inventory=lambda *given: got.append(given)
    )

    made.install(SELECTED, box.write)

    captured = Captured(HOST, "ie-1", "01J8", 7)
    assert got == [Observed(HOST, samples.serving()), (SELECTED, captured)]


@pytest.mark.behaviour(185)
def test_write_that_fails() -> None:
    """It comes last, and its error is the whole one's."""
    box = box_with(samples.serving())

    def fail(_: Permit) -> None:
        raise OSError("disk I/O error")

    with pytest.raises(OSError, match="disk I/O error"):
        installer(box).install(SELECTED, fail)
    assert box.trace.names[-2:] == ["work.run", "guard.locked"]
    assert not box.locks


def test_ownership() -> None:
    """The write gets what the claim was activated with."""
    box, got = box_with(samples.serving()), list[Ownership]()

    installer(box).install(SELECTED, lambda permit: got.append(permit.ownership))

    assert got == [OWNED]


@pytest.mark.behaviour(173)
@pytest.mark.behaviour(174)
def test_claims_that_are_off() -> None:
    """No claim is read: a dry run does nothing, another selects and writes, without ownership."""
    box = box_with()
    off = replace(installer(box), enabled=False, claims=None)

    off.install(replace(SELECTED, dry_run=True), box.write)
    assert box.trace.names == []
    off.install(SELECTED, box.write)
    assert box.trace.names == ["selector.select reconcile", "work.run", "write", "commit"]
    assert box.rows == {HOST: FakeRow(Ownership())}
    with pytest.raises(ClaimUnsupported, match="no write"):
        off.install(SELECTED, None)


@pytest.mark.behaviour(175)
@pytest.mark.parametrize("dry_run", [False, True])
def test_install_without_a_write(*, dry_run: bool) -> None:
    """It is refused up front, as is one without claims."""
    box = box_with(samples.serving())
    selection = replace(SELECTED, dry_run=dry_run)

    with pytest.raises(ClaimUnsupported, match="this box has no write"):
        installer(box).install(selection, None)
    assert box.trace.names == []
    assert "no store of claims" in refused(box, ClaimUnsupported, selection, claims=None)
    assert box.trace.names == []


@pytest.mark.behaviour(162)
@pytest.mark.parametrize("port", ["record", "local", "now"])
def test_missing_port(port: str) -> None:
    """What cannot be asked is not passed over."""
    without: dict[str, Any] = {port: None}

    said = refused(box_with(samples.serving()), ClaimUnsupported, **without)
    assert said.startswith("this box has no ")


@pytest.mark.behaviour(162)
@pytest.mark.parametrize("place", [replace(IE, box=""), replace(IE, region="")])
def test_place_that_is_not_known(place: Place) -> None:
    """Nobody knows then what the claim says of this box."""
    said = refused(box_with(samples.serving(), place), ClaimUnsupported)

    assert said in {"the box is not known", "the region is not known"}


@pytest.mark.behaviour(176)
def test_claim_that_is_not_there() -> None:
    """A dry run and a box without adoption refuse it; else adoption's answer counts."""
    box = box_with()
    dry = replace(SELECTED, dry_run=True)

    assert refused(box, ClaimUnsupported, dry) == "there is no claim"
    assert refused(box, ClaimUnsupported, adoption=None) == "there is no claim"
    assert "adoption.adopt" not in box.trace.names
    assert refused(box, ClaimUnsupported) == "there is no claim"

    made = replace(installer(box), adoption=FakeAdoption(box, samples.serving("uk-1")))
    with pytest.raises(ClaimChanged, match="serving on uk-1"):
        made.install(SELECTED, box.write)
    box.world.claims.clear()
    made = replace(installer(box), adoption=FakeAdoption(box, samples.serving()))
    made.install(SELECTED, box.write)
    assert box.rows == {HOST: FakeRow(OWNED)}


@pytest.mark.behaviour(176)
def test_adoption_that_fails() -> None:
    """Its error is the install's."""
    box = box_with()

    class Failing:
        def adopt(self, selection: Selection) -> Observed:
            raise ClaimChanged(selection.host, "somebody else took it")

    with pytest.raises(ClaimChanged, match="somebody else took it"):
        replace(installer(box), adoption=Failing()).install(SELECTED, box.write)
    assert not box.rows


@pytest.mark.parametrize("failure", [ClaimReadFailed, ClaimUnreadable])
def test_claim_that_cannot_be_read(failure: type[ClaimError]) -> None:
    """It is not "not found": nothing is adopted, nothing installed."""
    box = box_with()
    box.world.failure = failure(HOST, "403")

    assert refused(box, failure) == "403"
    assert box.trace.names == ["claims.read"]


@pytest.mark.behaviour(171)
def test_record_that_changed() -> None:
    """It is looked at after the quiet time, and its error is returned."""
    box = box_with(samples.serving())
    box.world.etags.clear()

    assert refused(box, ClaimChanged) == "its record changed"
    assert box.trace.names == ["claims.read", "record.check"]
    box.world.claims[HOST] = samples.quiet(samples.serving(), NOW)
    box.trace.names.clear()
    assert "nothing is installed in region ie" in refused(box, ClaimChanged)
    assert box.trace.names == ["claims.read"]


@pytest.mark.behaviour(169)
def test_quiet_region() -> None:
    """Up to and at the time nothing is installed; one instant later it is."""
    box = box_with(samples.quiet(samples.serving(), NOW))
    refused(box, ClaimChanged)

    box.world.now = NOW + INSTANT
    installer(box).install(SELECTED, box.write)
    assert box.rows


@pytest.mark.behaviour(172)
def test_other_path_than_a_hold() -> None:
    """It is the census of this box that is asked, and what it raises comes back."""
    box = box_with(samples.serving())
    box.inventories[HOST] = Captured(HOST, "ie-1", "01J8", 8)

    assert refused(box, ClaimChanged) == "stamp 8 is installed here"
    assert box.trace.names == CHECKED


@pytest.mark.behaviour(183)
def test_selector_from_before_claims() -> None:
    """It is refused as unsupported, before anything is activated."""
    box = box_with(samples.serving())

    with pytest.raises(ClaimUnsupported, match="admits nothing at a capture"):
        replace(installer(box), selector=PlainSelector(box)).install(SELECTED, box.write)
    assert box.trace.names == CHECKED


@pytest.mark.behaviour(168)
@pytest.mark.parametrize(
    ("claim", "place"),
    [
        (samples.relocating(), IE),
        (samples.relocating("installing"), UK),
        (samples.relocating("installing", executor="ie-1"), IE),
    ],
)
def test_relocating_claim_that_leads_to_no_hold(claim: Claim, place: Place) -> None:
    """It is refused before anything is prepared."""
    box = box_with(claim, place)

    assert refused(box, ClaimChanged).startswith("relocating ie-1 to uk-1, ")
    assert {*box.trace.names} <= {"claims.read", "fence.closed"}


@pytest.mark.behaviour(149)
@pytest.mark.behaviour(150)
@pytest.mark.parametrize("claim", [samples.relocating("installing"), samples.completed()])
def test_box_without_region_availability(claim: Claim) -> None:
    """It holds nothing; with an observer or a writer it decides on relocations."""
    box = box_with(claim, replace(IE, region_ha=False))

    assert "on uk-1" in refused(box, ClaimChanged) or claim.op.kind == "relocating"
    made = installer(box_with(claim))
    assert not installer(box).place.region_ha
    assert replace(made, fence=None).place.region_ha
    assert replace(made, holds=None).place.region_ha
