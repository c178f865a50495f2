"""What every make of a guard and a selector must do: the fakes, and the ones on files."""

from __future__ import annotations

from dataclasses import replace

import pytest

from providers.claim_errors import ClaimChanged, HostBusy
from providers.claim_ports import Captured, CapturingSelector, Observed
from tests.support.claim_contract import BOX, Ports, activate, of_stamp, refuse
from tests.support.claim_samples import HOLDER, HOST


def test_activation(ports: Ports) -> None:
    """It is captured as it was made; the same again changes nothing."""
    assert activate(ports) == Captured(HOST, BOX, HOLDER.incarnation, HOLDER.stamp)
    assert activate(ports) == ports.guard.capture(HOST)


def test_capture_of_nothing(ports: Ports) -> None:
    """There is none."""
    with pytest.raises(ClaimChanged):
        ports.guard.capture(HOST)


def test_activation_of_who_comes_late(ports: Ports) -> None:
    """The stamp never goes down, and one stamp has one incarnation."""
    captured = activate(ports, of_stamp(8))
    for late in (of_stamp(7), of_stamp(8, "other")):
        with pytest.raises(ClaimChanged):
            activate(ports, late)
    assert ports.guard.capture(HOST) == captured
    assert activate(ports, of_stamp(9, "other")).stamp == 9


def test_activation_that_the_reader_refuses(ports: Ports) -> None:
    """Its error passes through; it is asked for the host, once, under the lock."""
    asked: list[str] = []

    def read(host: str) -> Observed:
        asked.append(host)
        with pytest.raises(HostBusy), ports.guard.locked(HOST):
            pass
        raise ClaimChanged(host, "moved on")

    with pytest.raises(ClaimChanged, match="moved on"):
        ports.guard.activate(HOST, BOX, read)
    assert asked == [HOST]
    with pytest.raises(ClaimChanged):
        ports.guard.capture(HOST)


def test_retired_activation(ports: Ports) -> None:
    """It comes back under a later stamp only."""
    captured = replace(activate(ports), retired=True)
    with ports.guard.locked(HOST):
        ports.guard.retire(HOST, captured)
        ports.guard.retire(HOST, captured)
    for late in (of_stamp(6), of_stamp(7)):
        with pytest.raises(ClaimChanged):
            activate(ports, late)
    assert ports.guard.capture(HOST) == captured
    assert not activate(ports, of_stamp(8)).retired


def test_retirement_of_what_was_never_activated(ports: Ports) -> None:
    """It is written down all the same, and shuts out who comes late."""
    captured = Captured(HOST, BOX, HOLDER.incarnation, 7, retired=True)
    with ports.guard.locked(HOST):
        ports.guard.retire(HOST, captured)
        with pytest.raises(ClaimChanged):
            ports.guard.retire(HOST, replace(captured, stamp=6))
    assert ports.guard.capture(HOST) == captured


def test_lock(ports: Ports) -> None:
    """One has it at a time; whatever ends the block gives it back."""
    with ports.guard.locked(HOST), pytest.raises(HostBusy), ports.guard.locked(HOST):
        pass
    with pytest.raises(ClaimChanged, match="moved on"), ports.guard.locked(HOST):
        refuse()
    with ports.guard.locked(HOST):
        pass


def test_work(ports: Ports) -> None:
    """It runs once, under the lock; what the write raises passes through."""
    assert isinstance(ports.selector, CapturingSelector)
    work = ports.selector.select_at(HOST, "reconcile", activate(ports))
    runs: list[None] = []

    def write() -> None:
        runs.append(None)
        with pytest.raises(HostBusy), ports.guard.locked(HOST):
            pass
        refuse()

    with pytest.raises(ClaimChanged, match="moved on"):
        work.run(write)
    assert runs == [None]


@pytest.mark.parametrize("meanwhile", ["later", "retired"])
def test_work_of_who_comes_late(ports: Ports, meanwhile: str) -> None:
    """Another activation since, or a retirement: nothing is written."""
    captured = activate(ports)
    work = ports.selector.select_at(HOST, "reconcile", captured)
    if meanwhile == "later":
        activate(ports, of_stamp(8))
    else:
        with ports.guard.locked(HOST):
            ports.guard.retire(HOST, replace(captured, retired=True))
    with pytest.raises(ClaimChanged):
        work.run(lambda: pytest.fail("written"))


def test_work_without_claims(ports: Ports) -> None:
    """It runs, whatever the activation, and with the lock taken."""
    runs: list[None] = []
    with ports.guard.locked(HOST):
        ports.selector.select(HOST, "reconcile").run(lambda: runs.append(None))
    assert runs == [None]
