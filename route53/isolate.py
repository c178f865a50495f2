"""Finding the host for which Route 53 refuses a whole change batch.

A batch is applied whole or not at all, so that one host which Route 53 refuses would hold up all
others of its batch, in this run and the next.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from folds.changes import HostChange, Plan
from route53.apply import Applier
from route53.batches import Batch, render
from route53.errors import BatchRefused

MOST_REQUESTS = 60  # in one run; one bad host among 1,000 takes at most 21


def unchanged(refused: BatchRefused, plan: Plan) -> Batch:
    """Return the refused batch if a fresh plan holds the very same changes, else an empty one."""
    fresh = [host for host in plan.hosts if host.name in refused.hosts]
    if len(fresh) < len(refused.hosts) or not all(_ready(host, plan) for host in fresh):
        return ()
    batch = tuple(render(host, plan.checks) for host in fresh)
    return batch if all(each.documents == refused.hosts[each.name] for each in batch) else ()


def _ready(host: HostChange, plan: Plan) -> bool:
    """Say whether every check that the host's new sets refer to is there."""
    return all(not each.after or each.after.address in plan.checks for each in host.changes)


@dataclass
class Isolation:
    """Halves refused batches. ``found`` maps each host that was refused alone to the reason."""

    applier: Applier
    found: dict[str, BatchRefused] = field(default_factory=dict)
    requests: int = 0

    def send(self, batch: Batch) -> None:
        """Send a batch, and its halves where it is refused, down to single hosts.

        Raises:
            BatchRefused: if it would take more than ``MOST_REQUESTS`` in this run.
            Route53Error: any other.
        """
        self.requests += 1
        try:
            self.applier.send(batch)
        except BatchRefused as error:
            if len(batch) == 1:
                self.found[batch[0].name] = error
                return
            if self.requests >= MOST_REQUESTS:
                raise
            middle = len(batch) // 2
            self.send(batch[:middle])
            self.send(batch[middle:])
