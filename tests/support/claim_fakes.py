"""Every port of a claimed write, faked: see `tests.support.claim_box`.

Locks are given back when a process ends, as the kernel does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from control.claims import Claim
from providers.claim_errors import ClaimChanged, HostBusy
from providers.claim_ports import Captured, Observed, Permit, Selection
from providers.claimed_install import ClaimedInstall
from providers.claimed_retire import ClaimedRetire
from tests.support.claim_box import FakeBox, refused_write


def installer(box: FakeBox) -> ClaimedInstall:
    """The install of this box, with all that is optional; `dataclasses.replace` takes away."""
    ha = box.place.region_ha
    return ClaimedInstall(
        box=box.place.box,
        region=box.place.region,
        home_region=box.place.home_region,
        now=lambda: box.world.now,
        claims=FakeClaims(box, "claims.read"),
        last_look=FakeClaims(box, "last_look.read"),
        record=FakeRecords(box),
        local=FakeCensus(box),
        held=FakeHeld(box) if ha else None,
        fence=FakeFence(box) if ha else None,
        holds=FakeHolds(box) if ha else None,
        enabled=True,
        guard=FakeGuard(box),
        selector=FakeSelector(box),
        inventory=FakeInventory(box),
        adoption=FakeAdoption(box),
        prepare=lambda _: box.mark("prepare"),
        prepare_inventory=lambda _selection, _captured: box.mark("prepare_inventory"),
    )


def retirer(box: FakeBox) -> ClaimedRetire:
    return ClaimedRetire(
        box=box.place.box,
        claims=FakeClaims(box, "claims.read"),
        last_look=FakeClaims(box, "last_look.read"),
        guard=FakeGuard(box),
    )


@dataclass
class FakeClaims:
    box: FakeBox
    name: str

    def read(self, host: str) -> Observed:
        with self.box.trace.step(self.name):
            return self.box.world.read(host)


@dataclass
class FakeRecords:
    box: FakeBox

    def check(self, selection: Selection) -> None:
        with self.box.trace.step("record.check"):
            if self.box.world.etags.get(selection.key) != selection.etag:
                raise ClaimChanged(selection.host, "its record changed")


@dataclass
class FakeCensus:
    box: FakeBox

    def check(self, observed: Observed, selection: Selection) -> None:
        with self.box.trace.step("local.check"):
            known = self.box.inventories.get(selection.host)
            holder = observed.claim.holder if observed.claim else None
            if known and holder and known.stamp > holder.stamp:
                raise ClaimChanged(selection.host, f"stamp {known.stamp} is installed here")


@dataclass
class FakeHeld:
    box: FakeBox

    def check(self, observed: Observed, selection: Selection) -> None:
        del observed
        with self.box.trace.step("held.check"):
            row = self.box.rows.get(selection.host)
            if row is None or row.ownership.incarnation not in ("", selection.incarnation):
                raise ClaimChanged(selection.host, "nothing of the record is installed here")


@dataclass
class FakeFence:
    box: FakeBox

    def closed(self, observed: Observed) -> bool:
        with self.box.trace.step("fence.closed"):
            return observed.claim is not None and observed.claim.op.id in self.box.fences


@dataclass
class FakeHolds:
    box: FakeBox

    def hold(self, host: str, op: str, permit: Permit) -> None:
        with self.box.trace.step("holds.hold"):
            row = self.box.rows.get(host)
            if row is None:
                raise ClaimChanged(host, "there is no row to hold")
            if reason := refused_write(row, permit, op):
                raise ClaimChanged(host, reason)
            self.box.commit("hold", permit, replace(row, hold=op))


@dataclass
class FakeGuard:
    box: FakeBox

    @contextmanager
    def locked(self, host: str) -> Iterator[None]:
        if host in self.box.locks:
            raise HostBusy(host, "its lock was not had within 0 s")
        try:
            with self.box.trace.step("guard.locked"):
                self.box.locks.add(host)
            yield
        finally:
            self.box.locks.discard(host)

    def activate(self, host: str, box: str, read: Callable[[str], Observed]) -> None:
        with self.box.trace.step("guard.activate"), self.locked(host):
            observed = read(host)
            holder = observed.claim.holder if observed.claim else None
            assert holder
            self._put(Captured(host, box, holder.incarnation, holder.stamp))

    def capture(self, host: str) -> Captured:
        with self.box.trace.step("guard.capture"):
            if host not in self.box.activations:
                raise ClaimChanged(host, "it was never activated here")
            return self.box.activations[host]

    def retire(self, host: str, captured: Captured) -> None:
        assert host in self.box.locks
        with self.box.trace.step("guard.retire"):
            self._put(captured)

    def _put(self, new: Captured) -> None:
        known = self.box.activations.get(new.host)
        if known and (known.stamp, known.retired) > (new.stamp, new.retired):
            raise ClaimChanged(new.host, f"stamp {known.stamp} was here, retired {known.retired}")
        if known and known.stamp == new.stamp and known.incarnation != new.incarnation:
            raise ClaimChanged(new.host, f"stamp {known.stamp} was another incarnation's")
        with self.box.trace.step("activation.written"):
            self.box.activations[new.host] = new


@dataclass
class FakeInventory:
    box: FakeBox

    def record(
        self,
        host: str,
        captured: Captured,
        layout: str,
        paths: tuple[str, ...],
        check: Callable[[Claim], None],
    ) -> None:
        del layout, paths
        with self.box.trace.step("inventory.record"), FakeGuard(self.box).locked(host):
            observed = FakeClaims(self.box, "claims.read").read(host)
            if observed.claim is None or self.box.activations.get(host) != captured:
                raise ClaimChanged(host, "it is not activated as captured")
            check(observed.claim)
            with self.box.trace.step("inventory.written"):
                self.box.inventories[host] = captured


@dataclass
class FakeAdoption:
    """The platform makes a claim that this box serves."""

    box: FakeBox
    made: Claim | None = None

    def adopt(self, selection: Selection) -> Observed:
        with self.box.trace.step("adoption.adopt"):
            if self.made:
                self.box.world.claims.setdefault(selection.host, self.made)
            return self.box.world.read(selection.host)


@dataclass
class FakeWork:
    box: FakeBox
    captured: Captured | None = None

    def run(self, write: Callable[[], None]) -> None:
        with self.box.trace.step("work.run"):
            if self.captured is None:
                write()
                return
            with FakeGuard(self.box).locked(self.captured.host):
                if self.box.activations.get(self.captured.host) != self.captured:
                    raise ClaimChanged(self.captured.host, "it is not activated as captured")
                write()


@dataclass
class PlainSelector:
    """A selector from before claims."""

    box: FakeBox

    def select(self, host: str, action: str) -> FakeWork:
        del host
        self.box.mark(f"selector.select {action}")
        return FakeWork(self.box)


@dataclass
class FakeSelector(PlainSelector):
    def select_at(self, host: str, action: str, captured: Captured) -> FakeWork:
        del host
        self.box.mark(f"selector.select_at {action}")
        return FakeWork(self.box, captured)
