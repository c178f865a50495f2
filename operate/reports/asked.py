"""What a report is asked for: a stack at a time, and the way out that it would have then."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from operate.reports.value import WayOut
from operate.stack import Stack
from policy.guards import Violation
from stacks.acknowledgement import VARIABLE, offered


@dataclass(frozen=True, slots=True)
class Asked:
    """A stack, and the time from which an offer counts; it has a time zone."""

    stack: Stack
    now: datetime

    def way_out(
        self, violations: Iterable[Violation], failures: Iterable[str] = (), digest: str = ""
    ) -> WayOut | None:
        """Return what lets all of it through for 24 hours; none where nothing, or not all.

        ``digest`` is the one that answers the failures, or empty.
        """
        digests = {each.digest for each in violations if each.level == "mandatory"}
        digests |= {digest} if [*failures] else set()
        if not digests or "" in digests:
            return None
        offer = offered(min(digests), self.now)
        command = f"{self.stack.pulumi.shown} up --stack {self.stack.name}"
        return WayOut(min(digests), offer.removeprefix(f"{VARIABLE}="), f"{offer} {command}")


def quiet(_line: str) -> None:
    """Tell nobody of progress: what counts is printed at the end."""
