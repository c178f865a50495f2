"""The reference guard: a host's lock, and the record of whom it was last activated for."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from control.claims import Holder
from providers.claim_documents import Activation, read_document
from providers.claim_errors import ClaimChanged
from providers.claim_files import HostFiles
from providers.claim_lock import LIMIT_SECONDS, host_lock
from providers.claim_ports import Captured, Observed


@dataclass(frozen=True, slots=True)
class FileGuard:
    """A `providers.claim_ports.Guard` on ``activation.json`` and ``lock`` of a host's files.

    The stamp of an activation never goes down, and one that was retired comes back under a later
    stamp only. So whoever was let in under an older claim, or before its row went, and wakes late,
    finds that out here.
    """

    files: HostFiles
    limit_seconds: float = LIMIT_SECONDS

    def activate(self, host: str, box: str, read: Callable[[str], Observed]) -> None:
        """Let this box in under the claim that ``read`` returns, under the host's lock.

        Raises:
            ClaimChanged: a later claim was here, or this one's row was retired.
            ClaimError: what ``read`` raises, `HostBusy`, or as the files say.
        """
        with self.locked(host):
            observed = read(host)
            holder = observed.claim.holder if observed.claim else None
            if observed.host != host or holder is None or holder.stamp < 1:
                raise ClaimChanged(host, "the claim names no holder with a stamp to be let in for")
            wanted = Captured(host, box, holder.incarnation, holder.stamp)
            known = self.known(host)
            if known == wanted:
                return
            if reason := supersedes(known, box, holder):
                raise ClaimChanged(host, reason)
            self._write(wanted)

    def known(self, host: str) -> Captured | None:
        """Return the activation record as it is, or None where there is none. Takes no lock.

        Raises:
            ClaimError: it cannot be read.
        """
        found = read_document(self.files, host, Activation)
        if found is None:
            return None
        return Captured(host, found.box, found.incarnation, found.stamp, found.retired)

    def capture(self, host: str) -> Captured:
        """Return the activation record.

        Raises:
            ClaimChanged: there is none.
            ClaimError: it cannot be read.
        """
        if (known := self.known(host)) is None:
            raise ClaimChanged(host, "this box was never let in, or its activation was removed")
        return known

    def retire(self, host: str, captured: Captured) -> None:
        """Write down that a row goes under this stamp. The caller has the lock.

        Raises:
            ClaimChanged: a later claim was here.
            ClaimError: it cannot be read or written.
        """
        known = self.known(host)
        wanted = Captured(host, captured.box, captured.incarnation, captured.stamp, retired=True)
        if known == wanted:
            return
        if known and known.stamp > captured.stamp:
            raise ClaimChanged(host, _later(known, captured.stamp))
        self._write(wanted)

    def locked(self, host: str) -> AbstractContextManager[None]:
        """Hold the host's lock. Raises `HostBusy` where it is not had in time."""
        return host_lock(self.files, host, self.limit_seconds)

    def _write(self, new: Captured) -> None:
        document = Activation(
            host=new.host,
            box=new.box,
            incarnation=new.incarnation,
            stamp=new.stamp,
            retired=new.retired,
        )
        self.files.replace(new.host, Activation.name, document.body)


def supersedes(known: Captured | None, box: str, holder: Holder) -> str:
    """Say why an activation record does not let a box in under a claim, or ``""`` where it does."""
    if known is None or known.stamp < holder.stamp:
        return ""
    if known.stamp > holder.stamp:
        return _later(known, holder.stamp)
    if (known.box, known.incarnation) != (box, holder.incarnation):
        return (
            f"stamp {known.stamp} was let in here before, for box {known.box} and incarnation"
            f" {known.incarnation}; the platform must give the host a later stamp"
        )
    if known.retired:
        return (
            f"its row was retired here under stamp {known.stamp}, and comes back under a later"
            " one only, which the platform gives"
        )
    return ""


def _later(known: Captured, stamp: int) -> str:
    return f"a later claim was here: stamp {known.stamp}, and this one's is {stamp}"
