"""The reference adoption: a claim for a host that has none yet, as from before claims."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from uuid import uuid4

from control.claims import SERVING, claim_key
from control.errors import ControlError, Malformed
from control.writes import Upload, WriteStore, write
from providers.claim_errors import ClaimChanged, ClaimReadFailed, ClaimUnreadable
from providers.claim_guard import FileGuard
from providers.claim_ports import ClaimsStore, Observed, Selection

FIRST_STAMP = 1


def _nonce() -> str:
    return uuid4().hex


@dataclass(frozen=True, slots=True)
class BucketAdoption:
    """A `providers.claim_ports.Adoption`: it creates, and never writes over what is there.

    Each attempt has a nonce of its own in the body, so that a claim whose answer was lost is known
    for ours. Whatever is there in the end is returned: whether this box may go on is the check's.
    """

    store: WriteStore
    claims: ClaimsStore
    guard: FileGuard
    box: str
    nonce: Callable[[], str] = _nonce

    def adopt(self, selection: Selection) -> Observed:
        """Create the host's claim with this box as its executor; return the claim that is there.

        Raises:
            ClaimChanged: a claim was here before and is gone: a first stamp would be behind it.
            ClaimReadFailed: it is not known what is there.
            ClaimError: as the files and the store say.
        """
        host = selection.host
        if known := self.guard.known(host):
            raise ClaimChanged(
                host,
                f"its claim is gone, and this box knows its stamp {known.stamp}: put the claim"
                f" back (an earlier version of the object), with a stamp of {known.stamp} or more",
            )
        upload = self._upload(selection)
        try:
            write(self.store, upload, None)
        except ControlError as error:
            return self._after(error, host)
        return self._present(host)

    def _upload(self, selection: Selection) -> Upload:
        try:
            key = claim_key(selection.host)
        except Malformed as error:
            raise ClaimUnreadable(selection.host, f"{error.key} {error.reason}") from error
        return Upload.of(key, first_claim(selection, self.box, self.nonce()))

    def _after(self, error: ControlError, host: str) -> Observed:
        """Look for what a write without an answer left."""
        found = self.claims.read(host)
        if found.claim is None:
            raise ClaimReadFailed(host, f"its claim cannot be made: {error}; run again") from error
        return found

    def _present(self, host: str) -> Observed:
        found = self.claims.read(host)
        if found.claim is None:
            raise ClaimReadFailed(host, "its claim was made, and is not there; run again")
        return found


def first_claim(selection: Selection, box: str, nonce: str) -> bytes:
    """Return the body of a first claim: a record's holder, served by a box."""
    claim = {
        "v": 1,
        "host": selection.host,
        "holder": {
            "key": selection.key,
            "incarnation": selection.incarnation,
            "family": selection.family,
            "stamp": FIRST_STAMP,
        },
        "op": {"id": f"adopt-{nonce}", "kind": SERVING, "exec": box},
        "obligations": [],
        "lost": [],
        "quiet_after": {},
        "completed_relocation": None,
        "nonce": nonce,
    }
    return json.dumps(claim, separators=(",", ":"), ensure_ascii=False).encode()
