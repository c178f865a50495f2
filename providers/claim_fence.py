"""The reference fence observer: does this box still admit work for a host in an operation?"""

from __future__ import annotations

from dataclasses import dataclass

from providers.claim_documents import Fence, read_document
from providers.claim_files import HostFiles
from providers.claim_ports import Observed


@dataclass(frozen=True, slots=True)
class FileFence:
    """A `providers.claim_ports.FenceObserver` on ``fence.json`` of a host's files.

    The platform replaces that file whole, so it is read without the host's lock.
    """

    files: HostFiles

    def closed(self, observed: Observed) -> bool:
        """Say whether it is closed for the claim's operation; one of another operation is open.

        Raises:
            LocalStateUnreadable: the file is damaged: neither open nor closed.
        """
        if observed.claim is None:
            return False
        fence = read_document(self.files, observed.host, Fence)
        return fence is not None and fence.closed and fence.op == observed.claim.op.id
