from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from control.claims import Claim
from folds.claims import Place
from providers.claim_errors import (
    ClaimChanged,
    ClaimError,
    ClaimUnsupported,
    HostBusy,
    LocalStateUnreadable,
)
from providers.claim_ports import Observed, Ownership
from tests.support import claim_samples as samples
from tests.support.claim_box import FakeBox, FakeRow, World
from tests.support.claim_fakes import FakeFence, installer
from tests.support.claim_samples import AU, HOLDER, HOST, IE, NOW, SELECTED, UK

OWNED = Ownership(SELECTED.key, "01J8", "sidecar", 6)
ROW = FakeRow(OWNED)
CHECKED = ["claims.read", "record.check", "held.check"]
FENCED = ["claims.read", "fence.closed", "record.check", "held.check"]
INSTALLING = samples.relocating("installing")


def box_with(
    claim: Claim, place: Place = IE, row: FakeRow | None = ROW, *, closed: bool = False
) -> FakeBox:
    box = FakeBox(World({HOST: claim}), place)
    if row:
        box.rows[HOST] = row
    if closed:
        box.fences.add("op-41")
    return box


def install(box: FakeBox, **without: Any) -> list[str]:
    replace(installer(box), **without).install(SELECTED, box.write)
    return box.trace.names


def refused(box: FakeBox, kind: type[ClaimError], **without: Any) -> str:
    before = dict(box.rows)
    with pytest.raises(kind) as caught:
        install(box, **without)
    assert type(caught.value) is kind
    assert box.rows == before
    return caught.value.phrase


@pytest.mark.behaviour(187)
@pytest.mark.behaviour(191)
@pytest.mark.parametrize(
    ("claim", "place"), [(INSTALLING, IE), (samples.completed(), IE), (INSTALLING, AU)]
)
def test_hold(claim: Claim, place: Place) -> None:
    """Under the lock, after a fresh read and a fresh check, the row is held, and that is all."""
    box = box_with(claim, place)

    assert install(box) == [
        *CHECKED,
        "guard.locked",
        *CHECKED,
        "holds.hold",
        "last_look.read",
        "commit",
    ]
    assert box.rows == {HOST: FakeRow(OWNED, hold="op-41")}
    assert (box.activations, box.inventories) == ({}, {})


@pytest.mark.behaviour(177)
def test_source_with_a_closed_fence() -> None:
    """It still executes, and its row is held; the fence is asked once for each decision."""
    box = box_with(samples.relocating(), closed=True)

    assert install(box)[:5] == [*FENCED, "guard.locked"]
    assert box.trace.names.count("fence.closed") == 2
    assert box.rows[HOST].hold == "op-41"


@pytest.mark.behaviour(158)
@pytest.mark.parametrize(
    ("claim", "place"),
    [
        (INSTALLING, IE),
        (INSTALLING, UK),
        (samples.relocating(), UK),
        (samples.relocating(), AU),
        (samples.completed(), IE),
        (samples.serving(), IE),
        (samples.moving(), IE),
        (replace(samples.relocating(), lost=("ie-1",)), IE),
        (replace(samples.relocating(), holder=replace(HOLDER, incarnation="01J9")), IE),
        (replace(samples.relocating(), holder=None), IE),
    ],
)
def test_fence_that_does_not_matter(claim: Claim, place: Place) -> None:
    """It is not asked: one that cannot be read stops nobody else."""
    box = box_with(claim, place)

    class Broken(FakeFence):
        def closed(self, observed: Observed) -> bool:
            raise AssertionError(observed)

    try:
        replace(installer(box), fence=Broken(box)).install(SELECTED, box.write)
    except ClaimError as error:
        assert not error.failed  # noqa: PT017 - either is right


@pytest.mark.behaviour(159)
def test_fence_without_an_observer() -> None:
    """It counts as open, so that the source's row stays ready."""
    box = box_with(samples.relocating(), closed=True)

    said = refused(box, ClaimChanged, fence=None)
    assert said == "relocating ie-1 to uk-1, releasing, fence open"


@pytest.mark.behaviour(159)
def test_fence_that_cannot_be_read() -> None:
    """The observer's error is returned, and nothing is written."""
    box = box_with(samples.relocating())

    class Broken(FakeFence):
        def closed(self, observed: Observed) -> bool:
            raise LocalStateUnreadable(observed.host, "fence.json is of version 2")

    with pytest.raises(LocalStateUnreadable, match="version 2"):
        replace(installer(box), fence=Broken(box)).install(SELECTED, box.write)
    assert box.rows == {HOST: ROW}


@pytest.mark.behaviour(186)
def test_hold_without_a_writer() -> None:
    """It is unsupported; no lock is taken."""
    box = box_with(INSTALLING)

    assert refused(box, ClaimUnsupported, holds=None) == "this box has no hold writer"
    assert box.trace.names == CHECKED


@pytest.mark.behaviour(172)
def test_hold_without_its_check() -> None:
    """It is unsupported: an installation's check would ask for the holder's stamp."""
    said = refused(box_with(INSTALLING), ClaimUnsupported, held=None)

    assert said == "this box has no check of what is held"


@pytest.mark.behaviour(191)
@pytest.mark.parametrize("place", [IE, UK, AU])
def test_hold_of_a_row_that_is_not_there(place: Place) -> None:
    """Nothing is minted: a target gets its row once it serves."""
    box = box_with(INSTALLING if place != UK else samples.relocating(), place, row=None)

    refused(box, ClaimChanged)
    assert box.rows == {}


@pytest.mark.behaviour(187)
def test_host_that_somebody_works_on() -> None:
    """Without its lock nothing is held."""
    box = box_with(INSTALLING)
    box.locks.add(HOST)

    refused(box, HostBusy)


@pytest.mark.behaviour(170)
def test_hold_in_a_quiet_region() -> None:
    """To hold is not to install."""
    box = box_with(samples.quiet(INSTALLING, NOW))

    install(box)
    assert box.rows[HOST].hold == "op-41"
