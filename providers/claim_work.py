"""The reference selector: writes run under the host's lock, while the activation is what it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from providers.claim_census import require
from providers.claim_guard import FileGuard
from providers.claim_ports import Captured


@dataclass(frozen=True, slots=True)
class PlainWork:
    """A `providers.claim_ports.Work` without claims: nothing is locked and nothing read."""

    def run(self, write: Callable[[], None]) -> None:
        """Call ``write``."""
        write()


@dataclass(frozen=True, slots=True)
class GuardedWork:
    """A `providers.claim_ports.Work` of an activation."""

    guard: FileGuard
    captured: Captured

    def run(self, write: Callable[[], None]) -> None:
        """Call ``write`` under the host's lock.

        Raises:
            ClaimChanged: another claim was let in meanwhile, or the row was retired.
            ClaimError: `HostBusy`, or as the files say.
        """
        with self.guard.locked(self.captured.host):
            require(self.guard, self.captured)
            write()


@dataclass(frozen=True, slots=True)
class FileSelector:
    """A `providers.claim_ports.CapturingSelector`. It admits every action."""

    guard: FileGuard

    def select(self, host: str, action: str) -> PlainWork:
        """Admit an action without claims."""
        del host, action
        return PlainWork()

    def select_at(self, host: str, action: str, captured: Captured) -> GuardedWork:
        """Admit an action for as long as the activation is ``captured``."""
        del host, action
        return GuardedWork(self.guard, captured)
