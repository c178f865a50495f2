"""What every make of a port must do: the fakes, and those on bucket, files and registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from control.claims import Claim
from providers.claim_errors import ClaimChanged, ClaimError, ClaimReadFailed
from providers.claim_ports import Captured, Observed, Ownership, Permit
from tests.support.claim_contract import BOX, Ports, activate, of_stamp, refuse, seen
from tests.support.claim_samples import HOLDER, HOST, SELECTED, completed, relocating, serving

OWNED = Ownership(HOLDER.key, HOLDER.incarnation, HOLDER.family, HOLDER.stamp)
UNCLAIMED = Ownership()


def install(ports: Ports, claim: Claim | None = None) -> Captured:
    """Activate and record, as an installation does."""
    ports.outside.claim(claim or serving())
    captured = activate(ports, claim)
    ports.inventory.record(HOST, captured, "flat", (), lambda _: None)
    return captured


def permit(owned: Ownership = OWNED, confirm: Callable[[], None] = lambda: None) -> Permit:
    return Permit(owned, confirm)


# --- the claims store


@pytest.mark.parametrize("claim", [serving(), relocating(), replace(serving(), holder=None)])
def test_claim_that_is_there(ports: Ports, claim: Claim) -> None:
    """It comes back as it is."""
    ports.outside.claim(claim)
    assert ports.claims.read(HOST).claim == claim


def test_claim_that_is_not_there(ports: Ports) -> None:
    """None means not found, and nothing else."""
    assert ports.claims.read(HOST) == Observed(HOST, None)
    ports.outside.break_store()
    with pytest.raises(ClaimReadFailed):
        ports.claims.read(HOST)


# --- the record check


def test_record(ports: Ports) -> None:
    """It passes while its ETag is the selected one, and only then."""
    selected = replace(SELECTED, etag=ports.outside.record("one"))
    ports.record.check(selected)
    ports.outside.record("two")
    with pytest.raises(ClaimChanged):
        ports.record.check(selected)


# --- the local check, the inventory and the held check


def test_nothing_installed(ports: Ports) -> None:
    """Nothing speaks against an installation, and there is nothing to hold."""
    ports.local.check(seen(), SELECTED)
    with pytest.raises(ClaimChanged):
        ports.held.check(seen(), SELECTED)


def test_installation_of_this_claim(ports: Ports) -> None:
    """It may be made again."""
    install(ports)
    ports.local.check(seen(), SELECTED)


def test_installation_of_an_older_claim(ports: Ports) -> None:
    """It may be taken over."""
    install(ports, of_stamp(6))
    ports.local.check(seen(), SELECTED)


def test_installation_of_a_later_claim(ports: Ports) -> None:
    """It is not installed over."""
    install(ports, of_stamp(8))
    with pytest.raises(ClaimChanged):
        ports.local.check(seen(), SELECTED)


@pytest.mark.parametrize("owned", [OWNED, UNCLAIMED])
@pytest.mark.parametrize("claim", [relocating("installing"), completed(), of_stamp(9)])
def test_row_to_hold(ports: Ports, claim: Claim, owned: Ownership) -> None:
    """This box's own row counts, whatever the claim's stamp is, and whether it has one."""
    ports.outside.row(owned)
    ports.held.check(seen(claim), SELECTED)


def test_row_of_another_incarnation(ports: Ports) -> None:
    """It is not the record's."""
    ports.outside.row(replace(OWNED, incarnation="other"))
    with pytest.raises(ClaimChanged):
        ports.held.check(seen(), SELECTED)


def test_inventory_is_checked_on_a_fresh_claim(ports: Ports) -> None:
    """The check gets the claim as it is by then; what it raises passes through."""
    ports.outside.claim(serving())
    captured = activate(ports)
    ports.outside.claim(relocating())
    found: list[Claim] = []
    ports.inventory.record(HOST, captured, "flat", (), found.append)
    assert found == [relocating()]
    with pytest.raises(ClaimChanged, match="moved on"):
        ports.inventory.record(HOST, captured, "flat", (), refuse)


@pytest.mark.parametrize("meanwhile", ["no claim", "another activation", "no store", "locked"])
def test_inventory_that_is_not_recorded(ports: Ports, meanwhile: str) -> None:
    """Without a claim, the activation it was captured at, or the lock, nothing is written."""
    ports.outside.claim(serving())
    captured = activate(ports)
    moves: dict[str, Callable[[], object]] = {
        "no claim": lambda: ports.outside.claim(None),
        "no store": ports.outside.break_store,
        "another activation": lambda: activate(ports, of_stamp(8)),
        "locked": ports.guard.locked(HOST).__enter__,
    }
    moves[meanwhile]()
    with pytest.raises(ClaimError):
        ports.inventory.record(HOST, captured, "flat", (), lambda _: None)


# --- the fence


def test_fence(ports: Ports) -> None:
    """It is closed for its operation alone, and is asked under the lock and without it."""
    claim = relocating()
    assert not ports.fence.closed(seen(claim))
    ports.outside.close_fence(claim.op.id)
    assert ports.fence.closed(seen(claim))
    assert not ports.fence.closed(seen(serving()))
    with ports.guard.locked(HOST):
        assert ports.fence.closed(seen(claim))


# --- holds


@pytest.mark.parametrize("owned", [OWNED, UNCLAIMED, replace(OWNED, stamp=6)])
def test_hold(ports: Ports, owned: Ownership) -> None:
    """A row that nobody holds is held; the same again is nothing new."""
    ports.outside.row(owned)
    ports.holds.hold(HOST, "op-41", permit())
    ports.holds.hold(HOST, "op-41", permit())
    assert ports.outside.hold() == "op-41"


@pytest.mark.parametrize("held", ["op-40", "operator", "?"])
def test_hold_of_another(ports: Ports, held: str) -> None:
    """It stays, whatever it says."""
    ports.outside.row(OWNED, held)
    with pytest.raises(ClaimChanged):
        ports.holds.hold(HOST, "op-41", permit())
    assert ports.outside.hold() == held


def test_hold_without_a_row(ports: Ports) -> None:
    """Nothing is minted."""
    with pytest.raises(ClaimChanged):
        ports.holds.hold(HOST, "op-41", permit())
    assert ports.outside.hold() is None


@pytest.mark.parametrize("owned", [replace(OWNED, stamp=8), replace(OWNED, incarnation="other")])
def test_hold_under_an_older_claim(ports: Ports, owned: Ownership) -> None:
    """A row of a newer claim is not held by one that comes late."""
    ports.outside.row(owned)
    with pytest.raises(ClaimChanged):
        ports.holds.hold(HOST, "op-41", permit())
    assert ports.outside.hold() == ""


def test_hold_that_is_not_confirmed(ports: Ports) -> None:
    """What the confirmation raises passes through, and the row is not held."""
    ports.outside.row(OWNED)
    with pytest.raises(ClaimChanged, match="moved on"):
        ports.holds.hold(HOST, "op-41", permit(confirm=refuse))
    assert ports.outside.hold() == ""


# --- adoption


def test_adoption(ports: Ports) -> None:
    """The record holds the host, and this box serves it."""
    claim = ports.adoption.adopt(SELECTED).claim
    assert claim
    assert claim.holder
    assert (claim.op.kind, claim.op.exec) == ("serving", BOX)
    assert (claim.holder.key, claim.holder.incarnation) == (SELECTED.key, SELECTED.incarnation)
    assert ports.claims.read(HOST).claim == claim


def test_adoption_where_a_claim_is(ports: Ports) -> None:
    """It is left, and returned."""
    ports.outside.claim(serving("uk-1"))
    assert ports.adoption.adopt(SELECTED).claim == serving("uk-1")
    assert ports.claims.read(HOST).claim == serving("uk-1")
