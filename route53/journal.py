"""What one run has done, what its current wave still has to do, and both in words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from folds.changes import Plan
from route53.progress import counted

CREATED = "health check creation"
UPDATED = "health check update"
CHANGED = "record set change"
SWEPT = "health check removal"


@dataclass
class Journal:
    """Kept while a run goes on.

    ``batches`` counts the accepted change batches, ``change_id`` is that of the last one.
    ``warnings`` are for people, a line each.
    """

    done: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)
    batches: int = 0
    change_id: str = ""
    warnings: list[str] = field(default_factory=list)

    def begin(self, plan: Plan) -> None:
        """Take a newly decided plan as what is left to do."""
        self.left = Counter(
            {
                CREATED: len(plan.creations),
                UPDATED: len(plan.updates),
                CHANGED: sum(len(host.changes) for host in plan.hosts),
                SWEPT: len(plan.sweeps),
            }
        )

    def note(self, what: str, count: int = 1) -> None:
        """Count something as done."""
        self.done[what] += count
        self.left[what] -= count

    def text(self) -> str:
        """Say what was done and what was not."""
        return f"done: {_shown(self.done)}; not done: {_shown(self.left)}"


def _shown(counts: Counter[str]) -> str:
    order = (CREATED, UPDATED, CHANGED, SWEPT)
    return ", ".join(counted(counts[each], each) for each in order if counts[each] > 0) or "nothing"
