from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from control.claims import Claim
from providers.claim_errors import (
    ClaimChanged,
    ClaimError,
    ClaimReadFailed,
    ClaimUnreadable,
    ClaimUnsupported,
    HostBusy,
)
from providers.claim_ports import Captured, Ownership, Permit, Retirement
from tests.support import claim_samples as samples
from tests.support.claim_box import FakeBox, FakeRow, World
from tests.support.claim_fakes import installer, retirer
from tests.support.claim_samples import HOLDER, HOST, RETIRED, SELECTED

OWNED = Ownership(SELECTED.key, "01J8", "sidecar", 7)
GONE = Captured(HOST, "ie-1", "01J8", 7, retired=True)


def box_with(claim: Claim | None) -> FakeBox:
    world = World({HOST: claim} if claim else {})
    return FakeBox(world, rows={HOST: FakeRow(OWNED)})


def refused(box: FakeBox, kind: type[ClaimError], row: Retirement = RETIRED) -> str:
    with pytest.raises(kind) as caught:
        retirer(box).retire(row, box.remove)
    assert type(caught.value) is kind
    assert box.rows
    return caught.value.phrase


def test_retirement() -> None:
    """Under the lock: a fresh claim, the mark, the removal, one last look, in this order."""
    box = box_with(samples.serving())

    retirer(box).retire(RETIRED, box.remove)

    assert box.trace.names == [
        *("guard.locked", "claims.read", "guard.retire", "activation.written"),
        *("remove", "last_look.read", "commit"),
    ]
    assert (box.rows, box.activations) == ({}, {HOST: GONE})


def test_retirement_that_is_dry() -> None:
    """It reads the claim, and says what speaks against it; no lock is taken."""
    box, dry = box_with(samples.serving()), replace(RETIRED, dry_run=True)

    retirer(box).retire(dry, box.remove)
    assert box.trace.names == ["claims.read"]
    box.world.claims[HOST] = samples.relocating()
    assert refused(box, ClaimChanged, dry) == "relocating ie-1 to uk-1, releasing"
    assert (box.trace.names, box.activations) == (["claims.read"] * 2, {})


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        (None, ClaimUnsupported),
        (replace(samples.serving(), holder=None), ClaimUnsupported),
        (samples.serving("uk-1"), ClaimChanged),
        (samples.relocating(), ClaimChanged),
        (samples.moving(), ClaimChanged),
    ],
)
def test_claim_that_gives_no_right_to_it(claim: Claim | None, kind: type[ClaimError]) -> None:
    """The row stays, and the activation is not marked."""
    box = box_with(claim)

    refused(box, kind)
    assert box.activations == {}
    assert not box.locks


@pytest.mark.parametrize("failure", [ClaimReadFailed, ClaimUnreadable])
def test_claim_that_cannot_be_read(failure: type[ClaimError]) -> None:
    """It is not "no claim"."""
    box = box_with(samples.serving())
    box.world.failure = failure(HOST, "403")

    assert refused(box, failure) == "403"


def test_host_that_somebody_works_on() -> None:
    """Without its lock nothing is removed."""
    box = box_with(samples.serving())
    box.locks.add(HOST)

    refused(box, HostBusy)


@pytest.mark.parametrize(
    "now",
    [
        samples.serving("uk-1"),
        samples.relocating(),
        replace(samples.serving(), holder=replace(HOLDER, stamp=8)),
        replace(samples.serving(), holder=replace(HOLDER, incarnation="01J9")),
    ],
)
def test_claim_that_moves_inside_the_removal(now: Claim) -> None:
    """The last look finds it, and the removal is rolled back."""
    box = box_with(samples.serving())
    box.trace.before = lambda name: (
        box.world.claims.update({HOST: now}) if name == "last_look.read" else None
    )

    refused(box, ClaimChanged)


def test_last_look_of_its_own() -> None:
    """Where there is none it reads as all others do."""
    box = box_with(samples.serving())

    replace(retirer(box), last_look=None).retire(RETIRED, box.remove)
    assert box.trace.names[-2:] == ["claims.read", "commit"]


def test_write_that_fails() -> None:
    """Its error passes through, and the lock is given back."""
    box = box_with(samples.serving())

    def fail(_: Permit) -> None:
        raise OSError("disk I/O error")

    with pytest.raises(OSError, match="disk I/O error"):
        retirer(box).retire(RETIRED, fail)
    assert not box.locks


STEPS = ("guard.activate", "guard.capture", "selector.select_at reconcile", "work.run")


@pytest.mark.parametrize("step", STEPS)
def test_installer_that_was_let_in_before(step: str) -> None:
    """It wakes up after the removal, and brings no row back."""
    box = box_with(samples.serving())
    asleep(box, step, lambda: retirer(awake(box)).retire(RETIRED, box.remove))

    with pytest.raises(ClaimChanged):
        installer(box).install(SELECTED, box.write)
    assert (box.rows, box.activations) == ({}, {HOST: GONE})


def test_installer_under_the_same_stamp() -> None:
    """Nor does one that comes later; a later stamp does."""
    box = box_with(samples.serving())
    retirer(box).retire(RETIRED, box.remove)

    with pytest.raises(ClaimChanged, match="stamp 7 was here, retired True"):
        installer(box).install(SELECTED, box.write)
    box.world.claims[HOST] = replace(samples.serving(), holder=replace(HOLDER, stamp=8))
    installer(box).install(SELECTED, box.write)
    assert box.rows == {HOST: FakeRow(replace(OWNED, stamp=8))}


def test_retirement_of_an_older_stamp() -> None:
    """A process that slept since the row was written anew finds a later stamp, in the row too."""
    box = box_with(samples.serving())
    later = replace(samples.serving(), holder=replace(HOLDER, stamp=8))

    def reinstall() -> None:
        box.world.claims[HOST] = later
        installer(awake(box)).install(SELECTED, box.write)
        box.world.claims[HOST] = samples.serving()

    asleep(box, "guard.locked", reinstall)
    assert "stamp 8 was here" in refused(box, ClaimChanged)


def asleep(box: FakeBox, step: str, meanwhile: Callable[[], None]) -> None:
    """Let something happen while a process sleeps right before the first time of a step."""

    def before(name: str) -> None:
        if name == step and box.trace.names.count(step) == 1:
            meanwhile()

    box.trace.before = before


def awake(box: FakeBox) -> FakeBox:
    """The same box, for a process that sleeps nowhere."""
    twin = replace(box, trace=type(box.trace)())
    assert twin.rows is box.rows
    return twin
