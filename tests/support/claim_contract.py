"""Every port of a claimed write, in two makes: faked in memory, and on bucket, files and registry.

`Ports.outside` is what others do meanwhile, the same for both.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from obstore.store import MemoryStore

from control.claims import Claim, claim_key
from control.errors import StoreUnavailable
from control.store import Body
from control.writer import ObjectWriter
from providers.claim_adoption import BucketAdoption
from providers.claim_census import FileInventory, HeldCensus, LocalCensus
from providers.claim_errors import ClaimChanged, ClaimReadFailed
from providers.claim_fence import FileFence
from providers.claim_files import HostFiles
from providers.claim_guard import FileGuard
from providers.claim_ports import (
    Adoption,
    Captured,
    CapturingSelector,
    ClaimsStore,
    FenceObserver,
    Guard,
    HeldCheck,
    HoldWriter,
    Inventory,
    LocalCheck,
    Observed,
    Ownership,
    RecordCheck,
)
from providers.claim_rows import RegistryHolds
from providers.claim_store import BucketClaims, BucketRecords
from providers.claim_work import FileSelector
from registry.connection import reading
from registry.rows import read_route
from tests.registry.samples import insert, registry_of, run, sidecar
from tests.support import claim_fakes as fakes
from tests.support.claim_box import FakeBox, FakeRow, World
from tests.support.claim_samples import HOLDER, HOST, KEY, serving
from tests.support.claims_platform import fence

BOX = "ie-1"


class Outside(Protocol):
    """What others do to the bucket, the registry and this box's files."""

    def claim(self, claim: Claim | None) -> None:
        """Write the host's claim, or leave none."""

    def break_store(self) -> None:
        """Let every read of the bucket fail from now on."""

    def record(self, text: str) -> str:
        """Write the record; return its ETag."""

    def row(self, ownership: Ownership, hold: str = "") -> None:
        """Put a row of ours there."""

    def hold(self) -> str | None:
        """Return the hold of the row, None where there is no row."""

    def close_fence(self, op: str) -> None:
        """Close this box's fence for an operation."""


@dataclass(frozen=True)
class Ports:
    """One make of all ports, and what goes on around them."""

    outside: Outside
    claims: ClaimsStore
    record: RecordCheck
    local: LocalCheck
    held: HeldCheck
    fence: FenceObserver
    holds: HoldWriter
    guard: Guard
    inventory: Inventory
    adoption: Adoption
    selector: CapturingSelector


def body_of(claim: Claim) -> bytes:
    """Write a claim as the platform does; its parts are readable."""
    holder, op = claim.holder, claim.op
    fields: dict[str, Any] = {"v": 1, "host": claim.host, "lost": claim.lost}
    fields["op"] = {name: getattr(op, name) for name in type(op).__slots__}
    if holder:
        fields["holder"] = {name: getattr(holder, name) for name in type(holder).__slots__}
    return json.dumps(fields).encode()


# --- faked


@dataclass
class FakeOutside:
    box: FakeBox

    def claim(self, claim: Claim | None) -> None:
        self.box.world.claims.pop(HOST, None)
        if claim:
            self.box.world.claims[HOST] = claim

    def break_store(self) -> None:
        self.box.world.failure = ClaimReadFailed(HOST, "no answer")

    def record(self, text: str) -> str:
        self.box.world.etags[KEY] = text
        return text

    def row(self, ownership: Ownership, hold: str = "") -> None:
        self.box.rows[HOST] = FakeRow(ownership, hold)

    def hold(self) -> str | None:
        row = self.box.rows.get(HOST)
        return row.hold if row else None

    def close_fence(self, op: str) -> None:
        self.box.fences.add(op)


def fake_ports() -> Ports:
    """The fakes that the order of an install is tested with."""
    box = FakeBox(World())
    return Ports(
        outside=FakeOutside(box),
        claims=fakes.FakeClaims(box, "claims.read"),
        record=fakes.FakeRecords(box),
        local=fakes.FakeCensus(box),
        held=fakes.FakeHeld(box),
        fence=fakes.FakeFence(box),
        holds=fakes.FakeHolds(box),
        guard=fakes.FakeGuard(box),
        inventory=fakes.FakeInventory(box),
        adoption=fakes.FakeAdoption(box, made=serving(BOX)),
        selector=fakes.FakeSelector(box),
    )


# --- on bucket, files and registry


class BreakableStore(ObjectWriter):
    """A bucket in memory that can be made to fail."""

    broken = False

    def get(self, key: str) -> Body:
        if self.broken:
            raise StoreUnavailable(key, "no answer")
        return super().get(key)


@dataclass
class RealOutside:
    folder: Path
    memory: MemoryStore = field(default_factory=MemoryStore)

    def __post_init__(self) -> None:
        self.store = BreakableStore(self.memory)
        self.registry = registry_of(self.folder / "registry.db")

    def claim(self, claim: Claim | None) -> None:
        if claim:
            self.memory.put(claim_key(HOST), body_of(claim))
        else:
            self.memory.delete(claim_key(HOST))

    def break_store(self) -> None:
        self.store.broken = True

    def record(self, text: str) -> str:
        self.memory.put(KEY, text.encode())
        return self.store.get(KEY).etag

    def row(self, ownership: Ownership, hold: str = "") -> None:
        run(self.registry, "DELETE FROM routes")
        incarnation, stamp = ownership.incarnation, ownership.stamp
        made = sidecar("bot", hold=hold, claim_incarnation=incarnation, claim_stamp=stamp)
        insert(self.registry, [made])

    def hold(self) -> str | None:
        with reading(self.registry) as connection:
            row = read_route(connection, HOST)
        return row.hold if row else None

    def close_fence(self, op: str) -> None:
        fence(self.folder, HOST, op=op)


def real_ports(folder: Path) -> Ports:
    """The reference adapters."""
    outside = RealOutside(folder)
    claims, files = BucketClaims(outside.store), HostFiles(folder)
    guard, holds = FileGuard(files, limit_seconds=0.05), RegistryHolds(outside.registry)
    return Ports(
        outside=outside,
        claims=claims,
        record=BucketRecords(outside.store),
        local=LocalCensus(guard, BOX),
        held=HeldCensus(guard, BOX, holds.has_row),
        fence=FileFence(files),
        holds=holds,
        guard=guard,
        inventory=FileInventory(guard, claims),
        adoption=BucketAdoption(outside.store, claims, guard, BOX),
        selector=FileSelector(guard),
    )


# --- what both are asked with


def of_stamp(stamp: int, incarnation: str = HOLDER.incarnation) -> Claim:
    return replace(serving(), holder=replace(HOLDER, stamp=stamp, incarnation=incarnation))


def seen(claim: Claim | None = None) -> Observed:
    return Observed(HOST, claim or serving())


def activate(ports: Ports, claim: Claim | None = None) -> Captured:
    ports.guard.activate(HOST, BOX, lambda _: seen(claim))
    return ports.guard.capture(HOST)


def refuse(_: object = None) -> None:
    raise ClaimChanged(HOST, "it moved on")
