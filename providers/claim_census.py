"""The reference inventory: what this box has installed for a host, and if that fits a claim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from control.claims import Claim
from providers.claim_documents import Installed, read_document
from providers.claim_errors import ClaimChanged, ClaimUnsupported
from providers.claim_guard import FileGuard, supersedes
from providers.claim_ports import Captured, ClaimsStore, Observed, Selection


@dataclass(frozen=True, slots=True)
class FileInventory:
    """A `providers.claim_ports.Inventory` on ``inventory.json`` of a host's files."""

    guard: FileGuard
    claims: ClaimsStore

    def record(
        self,
        host: str,
        captured: Captured,
        layout: str,
        paths: tuple[str, ...],
        check: Callable[[Claim], None],
    ) -> None:
        """Write down what is being installed, under the host's lock and a claim read there.

        Raises:
            ClaimChanged: there is no claim, or this box is not activated as ``captured`` any more.
            ClaimError: what ``check`` raises, `HostBusy`, or as the files and the store say.
        """
        with self.guard.locked(host):
            claim = self.claims.read(host).claim
            if claim is None:
                raise ClaimChanged(host, "its claim is gone")
            check(claim)
            require(self.guard, captured)
            wanted = Installed(
                host=host,
                box=captured.box,
                incarnation=captured.incarnation,
                stamp=captured.stamp,
                layout=layout,
                paths=paths,
            )
            files = self.guard.files
            if read_document(files, host, Installed) != wanted:
                files.replace(host, Installed.name, wanted.body)


def require(guard: FileGuard, captured: Captured) -> None:
    """Make sure that a host's activation is as it was captured. The caller has the host's lock.

    Raises:
        ClaimChanged: another claim was let in since, or the row was retired.
        ClaimError: the activation cannot be read.
    """
    now = guard.capture(captured.host)
    if now != captured:
        state = "retired" if now.retired else "active"
        said = f"activated under stamp {captured.stamp}, and meanwhile {state} under {now.stamp}"
        raise ClaimChanged(captured.host, said)


@dataclass(frozen=True, slots=True)
class LocalCensus:
    """A `providers.claim_ports.LocalCheck`: may this box take the host on? Writes nothing.

    An interrupted installation of the same claim may be finished, an older one taken over.
    """

    guard: FileGuard
    box: str

    def check(self, observed: Observed, selection: Selection) -> None:
        """Compare what is here with the claim.

        Raises:
            ClaimUnsupported: the claim has no holder.
            ClaimChanged: a later claim was here, or something of another layout is installed.
            ClaimError: the files cannot be read.
        """
        holder = observed.claim.holder if observed.claim else None
        if holder is None:
            raise ClaimUnsupported(selection.host, "the claim has no holder")
        known = self.guard.known(selection.host)
        installed = read_document(self.guard.files, selection.host, Installed)
        reason = supersedes(known, self.box, holder)
        if not reason and installed and not (known and known.retired):
            # A retired row's inventory is of what is gone.
            reason = supersedes(_activated(installed), self.box, holder)
            reason = reason or _other_layout(installed, selection)
        if reason:
            raise ClaimChanged(selection.host, reason)


@dataclass(frozen=True, slots=True)
class HeldCensus:
    """A `providers.claim_ports.HeldCheck`: has this box an installation of its own to hold?

    ``has_row`` says whether a host has a row of ours that was written under an incarnation, or
    under no claim: where no inventory was written, as before claims, and where a retirement was
    interrupted, the row tells. Writes nothing.
    """

    guard: FileGuard
    box: str
    has_row: Callable[[str, str], bool] = lambda _host, _incarnation: False

    def check(self, observed: Observed, selection: Selection) -> None:
        """Look for an installation of the record, whatever the claim's stamp is by now.

        Raises:
            ClaimChanged: there is none, or one of another box or incarnation.
            ClaimError: the files or the row cannot be read.
        """
        del observed
        host = selection.host
        known = self.guard.known(host)
        installed = read_document(self.guard.files, host, Installed)
        there = [each for each in (known, installed) if each]
        mine = {(self.box, selection.incarnation)}
        if {(each.box, each.incarnation) for each in there} - mine:
            raise ClaimChanged(host, "what this box has installed is of another box or incarnation")
        gone = not installed or (known and known.retired)  # or its removal was interrupted
        if gone and not self.has_row(host, selection.incarnation):
            raise ClaimChanged(host, "this box has no installation of it to hold")


def _activated(installed: Installed) -> Captured:
    return Captured(installed.host, installed.box, installed.incarnation, installed.stamp)


def _other_layout(installed: Installed, selection: Selection) -> str:
    if installed.layout == selection.layout:
        return ""
    return f"it is installed here with layout {installed.layout}, not {selection.layout}"
