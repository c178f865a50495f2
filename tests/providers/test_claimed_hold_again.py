from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from control.claims import Claim
from providers.claim_errors import ClaimChanged, ClaimError, ClaimMisfiled, ClaimUnreadable
from providers.claim_ports import Ownership, Permit
from tests.support import claim_samples as samples
from tests.support.claim_box import FakeBox, FakeRow, World
from tests.support.claim_fakes import FakeHolds, installer
from tests.support.claim_samples import HOLDER, HOST, SELECTED, UNREADABLE

OWNED = Ownership(SELECTED.key, "01J8", "sidecar", 6)
ROW = FakeRow(OWNED)
INSTALLING = samples.relocating("installing")


def box_with(claim: Claim, *, closed: bool = False) -> FakeBox:
    box = FakeBox(World({HOST: claim}), rows={HOST: ROW})
    if closed:
        box.fences.add("op-41")
    return box


def refused(box: FakeBox, kind: type[ClaimError]) -> str:
    """Hold the row, which must be refused, and leave it as it was."""
    before = dict(box.rows)
    with pytest.raises(kind) as caught:
        installer(box).install(SELECTED, box.write)
    assert type(caught.value) is kind
    assert box.rows == before
    return caught.value.phrase


def moving_on(box: FakeBox, step: str, change: Callable[[], None]) -> None:
    """Let something happen right before the second time that a step comes."""

    def before(name: str) -> None:
        if name == step and box.trace.names.count(step) == 2:
            change()

    box.trace.before = before


def another(**fields: Any) -> Claim:
    return replace(INSTALLING, holder=replace(HOLDER, **fields))


@pytest.mark.behaviour(188)
@pytest.mark.parametrize(
    "now", [None, replace(INSTALLING, holder=None), another(incarnation="01J9")]
)
def test_claim_that_is_another_under_the_lock(now: Claim | None) -> None:
    """Gone, without a holder, or of another incarnation: refused as changed."""
    box = box_with(INSTALLING)

    def change() -> None:
        box.world.claims = {HOST: now} if now else {}

    moving_on(box, "claims.read", change)
    assert "another claim than at first" in refused(box, ClaimChanged)


@pytest.mark.behaviour(189)
@pytest.mark.parametrize(
    "now",
    [
        samples.serving(),
        samples.serving("uk-1"),
        samples.moving(),
        samples.completed(),
        replace(INSTALLING, op=replace(INSTALLING.op, id="op-43")),
        replace(INSTALLING, lost=("ie-1",)),
        samples.relocating(),
    ],
)
def test_claim_that_decides_otherwise_under_the_lock(now: Claim) -> None:
    """Another scope, another operation or another answer: the hold of before is not written."""
    box = box_with(INSTALLING)
    moving_on(box, "claims.read", lambda: box.world.claims.update({HOST: now}))

    assert "it was relocating ie-1 to uk-1, installing" in refused(box, ClaimChanged)


@pytest.mark.behaviour(189)
def test_fence_that_opened_before_the_lock() -> None:
    """The relocation was called off: the row stays ready."""
    box = box_with(samples.relocating(), closed=True)
    moving_on(box, "fence.closed", box.fences.clear)

    assert "it was relocating ie-1 to uk-1, releasing, fence closed" in refused(box, ClaimChanged)


@pytest.mark.behaviour(153)
def test_completion_that_became_unreadable_under_the_lock() -> None:
    """Its error is returned."""
    box = box_with(samples.completed())
    now = replace(samples.completed(), completed=UNREADABLE)
    moving_on(box, "claims.read", lambda: box.world.claims.update({HOST: now}))

    refused(box, ClaimUnreadable)


@pytest.mark.behaviour(190)
@pytest.mark.parametrize(
    ("now", "kind"),
    [
        (another(key="other"), ClaimChanged),
        (another(family="instance"), ClaimMisfiled),
        (another(stamp=0), ClaimChanged),
        (replace(INSTALLING, op=replace(INSTALLING.op, exec="ie-1")), ClaimChanged),
    ],
)
def test_claim_that_fails_the_check_under_the_lock(now: Claim, kind: type[ClaimError]) -> None:
    """The decision is the same, and still the whole check is made again."""
    box = box_with(INSTALLING)
    moving_on(box, "claims.read", lambda: box.world.claims.update({HOST: now}))

    refused(box, kind)
    assert "holds.hold" not in box.trace.names


@pytest.mark.behaviour(190)
@pytest.mark.parametrize("step", ["record.check", "held.check"])
def test_box_that_fails_the_check_under_the_lock(step: str) -> None:
    """So are the record's and this box's own."""
    box = box_with(INSTALLING)

    def change() -> None:
        box.world.etags.clear()
        box.rows[HOST] = FakeRow(replace(OWNED, incarnation="01J7"))

    moving_on(box, step, change)
    with pytest.raises(ClaimChanged):
        installer(box).install(SELECTED, box.write)
    assert "holds.hold" not in box.trace.names


@pytest.mark.behaviour(190)
def test_hold_that_is_written() -> None:
    """It gets the host, the operation, and the right to this one write."""
    box, got = box_with(INSTALLING), list[object]()

    class Holds(FakeHolds):
        def hold(self, host: str, op: str, permit: Permit) -> None:
            permit.confirm()
            got.extend((host, op, permit.ownership))

    replace(installer(box), holds=Holds(box)).install(SELECTED, box.write)
    assert got == [HOST, "op-41", replace(OWNED, stamp=7)]


@pytest.mark.parametrize(
    "now", [samples.serving(), samples.serving("uk-1"), another(stamp=8), another(stamp=6)]
)
def test_claim_that_moves_inside_the_hold(now: Claim) -> None:
    """The last look finds it, and the hold is rolled back."""
    box = box_with(INSTALLING)
    box.trace.before = lambda name: (
        box.world.claims.update({HOST: now}) if name == "last_look.read" else None
    )

    refused(box, ClaimChanged)
