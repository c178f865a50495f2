"""One box's files about one host, and the claim of that host as it is now."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from control.claims import Claim, Holder, Op
from providers.claim_census import FileInventory, HeldCensus, LocalCensus
from providers.claim_files import HostFiles
from providers.claim_guard import FileGuard
from providers.claim_ports import Captured, Observed, Selection

HOST, BOX = "bot.eleven.bab.sidecar.internal", "ie-1"
SELECTED = Selection(HOST, "key", '"e1"', "01J8", "sidecar")


def claim(stamp: int = 7, incarnation: str = "01J8", op: str = "op-40") -> Claim:
    return Claim(HOST, Holder("key", incarnation, "sidecar", stamp), Op(op, "serving", BOX))


def observed(stamp: int = 7, incarnation: str = "01J8", op: str = "op-40") -> Observed:
    return Observed(HOST, claim(stamp, incarnation, op), '"c1"')


def captured(stamp: int = 7, incarnation: str = "01J8", box: str = BOX) -> Captured:
    return Captured(HOST, box, incarnation, stamp)


@dataclass
class OneClaim:
    """The claim of the host as it is now, or an error."""

    now: Observed = field(default_factory=observed)

    def read(self, host: str) -> Observed:
        assert host == HOST
        return self.now


@dataclass
class FilesBox:
    """One box's files."""

    folder: Path
    claims: OneClaim = field(default_factory=OneClaim)

    @property
    def guard(self) -> FileGuard:
        return FileGuard(HostFiles(self.folder), limit_seconds=0.05)

    @property
    def inventory(self) -> FileInventory:
        return FileInventory(self.guard, self.claims)

    def activate(self, stamp: int = 7, incarnation: str = "01J8", box: str = BOX) -> Captured:
        self.guard.activate(HOST, box, lambda _: observed(stamp, incarnation))
        return self.guard.capture(HOST)

    def install(self, stamp: int = 7, incarnation: str = "01J8", **more: Any) -> None:
        """Activate and record as an installation does."""
        layout = more.pop("layout", "flat")
        at = self.activate(stamp, incarnation, **more)
        self.inventory.record(HOST, at, layout, ("/data/bot.db",), lambda _: None)

    def retire(self, stamp: int = 7) -> None:
        self.guard.retire(HOST, captured(stamp))

    def local(self, seen: Observed | None = None, selected: Selection = SELECTED) -> None:
        LocalCensus(self.guard, BOX).check(seen or observed(), selected)

    def held(self, *, row: bool = False, seen: Observed | None = None) -> None:
        HeldCensus(self.guard, BOX, lambda *_: row).check(seen or observed(9), SELECTED)

    def document(self, name: str = "inventory.json") -> bytes | None:
        return self.guard.files.read(HOST, name)
