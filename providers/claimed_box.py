"""A box's claimed installs and retirements on the reference adapters: bucket, files, registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

from control.store import ReadStore
from folds.sidecar_desired import Box
from providers.claim_census import FileInventory, HeldCensus, LocalCensus
from providers.claim_fence import FileFence
from providers.claim_files import HostFiles
from providers.claim_guard import FileGuard
from providers.claim_ports import Permit
from providers.claim_rows import RegistryHolds
from providers.claim_store import BucketClaims, BucketRecords
from providers.claim_work import FileSelector
from providers.claimed_install import ClaimedInstall
from providers.claimed_retire import ClaimedRetire


@dataclass(frozen=True, slots=True)
class ClaimedBox:
    """What a run does with claims: it reads them, and installs, holds and retires under them."""

    claims: BucketClaims
    install: ClaimedInstall
    retire: ClaimedRetire


@dataclass(frozen=True, slots=True)
class _AskingFirst:
    """A `providers.claim_ports.HoldWriter` that asks first whether anybody waits for it."""

    holds: RegistryHolds
    before_write: Callable[[], None]

    def hold(self, host: str, op: str, permit: Permit) -> None:
        """Hold a row, as `RegistryHolds.hold`; what ``before_write`` raises passes through."""
        self.before_write()
        self.holds.hold(host, op, asking(permit, self.before_write))


def asking(permit: Permit, before_write: Callable[[], None]) -> Permit:
    """Return a permit that asks right before the commit, too: the lock may have been waited for."""

    def confirm() -> None:
        permit.confirm()
        before_write()

    return replace(permit, confirm=confirm)


def claimed_box(
    box: Box,
    registry: Path,
    store: ReadStore,
    last_look: ReadStore | None = None,
    before_write: Callable[[], None] = lambda: None,
) -> ClaimedBox:
    """Put the adapters together. Nothing is opened, read or made.

    ``store`` is the control bucket, ``last_look`` the same for the reads inside a write's own
    transaction. ``before_write`` is called before a row is held: what it raises passes through.
    There is no adoption: no run makes a claim.
    """
    claims, files = BucketClaims(store), HostFiles(Path(box.data_dir))
    hasty = BucketClaims(last_look) if last_look else None
    guard, holds = FileGuard(files), RegistryHolds(registry)
    install = ClaimedInstall(
        enabled=True,
        box=box.box,
        region=box.region_code,
        home_region=box.home_region,
        now=_now,
        claims=claims,
        last_look=hasty,
        record=BucketRecords(store),
        local=LocalCensus(guard, box.box),
        held=HeldCensus(guard, box.box, holds.has_row),
        fence=FileFence(files) if box.region_ha else None,
        holds=_AskingFirst(holds, before_write) if box.region_ha else None,
        guard=guard,
        selector=FileSelector(guard),
        inventory=FileInventory(guard, claims),
    )
    retire = ClaimedRetire(box=box.box, claims=claims, guard=guard, last_look=hasty)
    return ClaimedBox(claims, install, retire)


def _now() -> datetime:
    return datetime.now(timezone.utc)
