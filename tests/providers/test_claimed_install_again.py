from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from control.claims import Claim
from providers.claim_errors import (
    ClaimChanged,
    ClaimError,
    ClaimReadFailed,
    ClaimUnsupported,
)
from providers.claim_ports import Captured, Observed, Permit
from tests.support import claim_samples as samples
from tests.support.claim_box import FakeBox, World
from tests.support.claim_fakes import (
    FakeClaims,
    FakeGuard,
    FakeInventory,
    installer,
)
from tests.support.claim_samples import HOST, NOW, SELECTED, UNREADABLE


def box_with(claim: Claim) -> FakeBox:
    return FakeBox(World({HOST: claim}))


@pytest.mark.behaviour(160)
def test_reader_of_another_host() -> None:
    """The activation's reader refuses it as changed before it reads."""
    box, other = box_with(samples.serving()), "x.eleven.bab.sidecar.internal"
    box.world.claims[other] = replace(samples.serving(), host=other)
    reader = readers(box)["activation"]
    box.trace.names.clear()

    with pytest.raises(ClaimChanged) as caught:
        reader(other)
    assert caught.value.host == other
    assert box.trace.names == []


def readers(box: FakeBox) -> dict[str, Callable[[str], object]]:
    """What the guard, the inventory and the write of an install were given to check with."""
    got: dict[str, Callable[[str], object]] = {}
    made = installer(box)

    class Guard(FakeGuard):
        def activate(self, host: str, box: str, read: Callable[[str], Observed]) -> None:
            got["activation"] = read
            super().activate(host, box, read)

    class Inventory(FakeInventory):
        def record(self, *given: Any) -> None:
            check = given[-1]
            got["inventory"] = lambda host: check(box.world.claims[host])
            super().record(*given)

    def write(permit: Permit) -> None:
        got["write"] = lambda _: permit.confirm()
        box.write(permit)

    replace(made, guard=Guard(box), inventory=Inventory(box)).install(SELECTED, write)
    return got


LATER = {
    "another box": samples.serving("uk-1"),
    "no holder": replace(samples.serving(), holder=None),
    "another incarnation": replace(
        samples.serving(), holder=replace(samples.HOLDER, incarnation="01J9")
    ),
    "relocating": samples.relocating(),
    "moving": samples.moving(),
    "relocated": samples.completed(),
    "completion unreadable": replace(samples.completed(), completed=UNREADABLE),
    "quiet": samples.quiet(samples.serving(), NOW),
    "lost": replace(samples.serving(), lost=("ie-1",)),
}


@pytest.mark.behaviour(161)
@pytest.mark.behaviour(165)
@pytest.mark.behaviour(184)
@pytest.mark.parametrize("moved", LATER.values(), ids=[*LATER])
@pytest.mark.parametrize("reader", ["activation", "inventory", "write"])
def test_claim_that_moved_since(reader: str, moved: Claim) -> None:
    """Each step checks the claim that it read itself, and yields nothing when it moved."""
    box = box_with(samples.serving())
    read = readers(box)[reader]
    read(HOST)
    box.world.claims[HOST] = moved

    with pytest.raises(ClaimError) as caught:
        read(HOST)
    assert not isinstance(caught.value, ClaimReadFailed)


@pytest.mark.parametrize("reader", ["activation", "write"])
def test_claim_that_is_gone_since(reader: str) -> None:
    """It gives no right any more."""
    box = box_with(samples.serving())
    read = readers(box)[reader]
    box.world.claims.clear()

    with pytest.raises(ClaimUnsupported):
        read(HOST)


def test_write_under_another_stamp() -> None:
    """A claim that came back to this box meanwhile is another one: the row would carry the old."""
    box = box_with(samples.serving())
    confirm = readers(box)["write"]
    box.world.claims[HOST] = replace(samples.serving(), holder=replace(samples.HOLDER, stamp=8))

    with pytest.raises(ClaimChanged, match="under another stamp meanwhile"):
        confirm(HOST)


@pytest.mark.behaviour(184)
def test_inventory() -> None:
    """It gets the capture, the layout and the paths of the record."""
    box, got = box_with(samples.serving()), list[object]()

    class Inventory(FakeInventory):
        def record(self, *given: object) -> None:
            got.extend(given[:-1])

    made = replace(installer(box), inventory=Inventory(box))
    made.install(replace(SELECTED, layout="nested"), box.write)

    captured = Captured(HOST, "ie-1", "01J8", 7)
    assert got == [HOST, captured, "nested", SELECTED.paths]


def test_last_look_of_its_own() -> None:
    """Where there is none the write's last check reads as all others do."""
    box = box_with(samples.serving())

    replace(installer(box), last_look=None).install(SELECTED, box.write)
    assert box.trace.names[-2:] == ["claims.read", "commit"]
    assert isinstance(installer(box).last_look, FakeClaims)


@pytest.mark.parametrize(
    "now",
    [
        Captured(HOST, "ie-1", "01J8", 7, retired=True),
        Captured(HOST, "ie-1", "01J9", 8),
        Captured(HOST, "uk-1", "01J8", 7),
    ],
)
def test_activation_that_somebody_replaced(now: Captured) -> None:
    """Between the activation and its capture the lock is free."""
    box = box_with(samples.serving())
    box.trace.before = lambda name: (
        box.activations.update({HOST: now}) if name == "guard.capture" else None
    )

    with pytest.raises(ClaimChanged, match="here meanwhile"):
        installer(box).install(SELECTED, box.write)
    assert not box.rows
