"""What a preview says of a host, from a claim that the program has read already."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from control.claims import Claim
from folds.claims import Place
from providers.claim_errors import ClaimError, LocalStateUnreadable
from providers.claim_ports import Observed, Ownership
from providers.claimed_check import Judged
from tests.support import claim_samples as samples
from tests.support.claim_box import FakeBox, FakeRow, World
from tests.support.claim_fakes import FakeFence, installer, retirer
from tests.support.claim_samples import AU, HOLDER, HOST, IE, NOW, RETIRED, SELECTED, UK, UNREADABLE

OWNED = Ownership(SELECTED.key, "01J8", "sidecar", 7)
INSTALLING = samples.relocating("installing")
DRY = replace(SELECTED, dry_run=True)


def box_at(place: Place = IE, *, closed: bool = False) -> FakeBox:
    """A box with a row, whose bucket has no claim: it must not be read."""
    box = FakeBox(World(), place, rows={HOST: FakeRow(OWNED)})
    if closed:
        box.fences.add("op-41")
    return box


def judged(
    claim: Claim | None, place: Place = IE, *, closed: bool = False, **without: Any
) -> Judged:
    box = box_at(place, closed=closed)
    found = replace(installer(box), **without).judge(Observed(HOST, claim), SELECTED)
    assert {*box.trace.names} <= {"fence.closed", "record.check", "local.check", "held.check"}
    return found


def test_host_that_this_box_serves() -> None:
    """Its row may be written, and the claim's ownership comes with it."""
    found = judged(samples.serving())

    assert found == Judged(HOST, "write", "serving on ie-1", ownership=OWNED)
    assert found.phrase == "serving on ie-1"


@pytest.mark.parametrize(
    ("claim", "place", "closed", "said"),
    [
        (samples.relocating(), IE, True, "relocating ie-1 to uk-1, releasing, fence closed"),
        (samples.relocating(), UK, False, "relocating ie-1 to uk-1, releasing"),
        (INSTALLING, IE, False, "relocating ie-1 to uk-1, installing"),
        (INSTALLING, AU, False, "relocating ie-1 to uk-1, installing"),
        (samples.completed(), IE, False, "relocated, serving on uk-1"),
    ],
)
def test_host_whose_row_is_held(claim: Claim, place: Place, *, closed: bool, said: str) -> None:
    """It may be held for the operation and nothing else; the line says for which, and why."""
    found = judged(claim, place, closed=closed)

    assert found == Judged(HOST, "hold", said, "op-41", ownership=OWNED)
    assert found.phrase == f"held by op-41: {said}"


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (None, "there is no claim"),
        (replace(samples.serving(), holder=None), "its claim has no holder"),
        (samples.serving("uk-1"), "serving on uk-1"),
        (samples.relocating(), "relocating ie-1 to uk-1, releasing, fence open"),
        (samples.moving(), 'in an operation "moving" on ie-1'),
        (replace(samples.relocating(), lost=("ie-1",)), "relocating ie-1 to uk-1, releasing"),
        (
            samples.quiet(samples.serving(), NOW),
            "serving on ie-1, and nothing is installed in region ie up to 2026-09-07T10:00:00Z",
        ),
    ],
)
def test_host_that_is_left_alone(claim: Claim | None, said: str) -> None:
    """The reason names the claim's state; the run ends well."""
    assert judged(claim) == Judged(HOST, "no", said)


@pytest.mark.parametrize(
    "claim",
    [
        replace(samples.completed(), completed=UNREADABLE),
        replace(samples.completed(), obligations=UNREADABLE),
        replace(samples.serving(), quiet_after=UNREADABLE),
    ],
)
def test_claim_with_a_part_that_cannot_be_read(claim: Claim) -> None:
    """It fails the run at its end, and the others go on."""
    found = judged(claim)

    assert (found.answer, found.failed) == ("no", True)
    assert found.reason == f"its claim cannot be used: {UNREADABLE.reason}"


def test_claim_of_another_family() -> None:
    """It fails the run at its end, and the others go on: somebody wrote the wrong claim."""
    found = judged(replace(samples.serving(), holder=replace(HOLDER, family="instance")))

    assert (found.answer, found.failed) == ("no", True)
    assert found.reason == 'its claim is for family "instance", the record\'s is "sidecar"'


def test_fence_that_cannot_be_read() -> None:
    """So does what this box cannot say of itself."""
    box = box_at()

    class Broken(FakeFence):
        def closed(self, observed: Observed) -> bool:
            raise LocalStateUnreadable(observed.host, "fence.json is of version 2")

    found = replace(installer(box), fence=Broken(box)).judge(
        Observed(HOST, samples.relocating()), SELECTED
    )
    assert found == Judged(HOST, "no", "fence.json is of version 2", failed=True)


def test_hold_that_nobody_can_write() -> None:
    """It is told beforehand."""
    found = judged(INSTALLING, holds=None)

    assert found == Judged(HOST, "no", "this box has no hold writer")


EVERY: Mapping[str, Claim] = dict(samples.every_claim())


@pytest.mark.behaviour(179)
@pytest.mark.parametrize("claim", EVERY.values(), ids=[*EVERY])
@pytest.mark.parametrize("place", [IE, UK, AU])
def test_dry_run(claim: Claim, place: Place) -> None:
    """It makes every check that the wet run makes first, and no more; both say the same."""
    dry, wet = box_at(place), box_at(place)
    dry.world.claims[HOST] = wet.world.claims[HOST] = claim
    said = [
        outcome(lambda: installer(dry).install(DRY, dry.write)),
        outcome(lambda: installer(wet).install(SELECTED, wet.write)),
    ]
    found = installer(box_at(place)).judge(Observed(HOST, claim), SELECTED)

    assert said[0] == said[1] == ("" if found.answer != "no" else found.reason)
    assert wet.trace.names[: len(dry.trace.names)] == dry.trace.names
    assert {*dry.trace.names} <= {
        *("claims.read", "fence.closed", "record.check", "local.check", "held.check")
    }
    assert (dry.rows, dry.activations, dry.inventories) == ({HOST: FakeRow(OWNED)}, {}, {})


@pytest.mark.parametrize("claim", [None, *EVERY.values()], ids=["none", *EVERY])
@pytest.mark.parametrize("hold", ["", "op-41", "by hand"])
def test_retirement(claim: Claim | None, hold: str) -> None:
    """Judged as it is done: what may go goes, what stays says why. The preview touches nothing."""
    row = replace(RETIRED, hold=hold)
    box = box_at()
    found = retirer(box).judge(Observed(HOST, claim), row)
    assert box.trace.names == []

    box.world.claims = {HOST: claim} if claim else {}
    said = outcome(lambda: retirer(box).retire(row, box.remove))
    if found.answer == "write":
        assert (found, said) == (Judged(HOST, "write", "serving on ie-1", ownership=OWNED), "")
    else:
        assert (found.answer, found.reason) == ("no", said)
    assert bool(box.rows) == (found.answer == "no")


def outcome(call: Callable[[], None]) -> str:
    """Return what a call is refused with, empty where it is done."""
    try:
        call()
    except ClaimError as error:
        return error.phrase
    return ""
