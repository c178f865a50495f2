"""What ``digest`` has found out about a stack of whatever kind, and how that is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from operate.stack import Stack
from policy.guards import Violation
from stacks.acknowledgement import offered


@dataclass(frozen=True, slots=True)
class Told:
    """What the next run would do.

    ``subject`` follows the stack's name. ``plan`` is every line of it. ``failures`` are what the
    run would fail with at its end, the rest done, and ``digest`` what lets them through, or empty;
    ``violations`` are what the guards say. Not ``read``: the subject is all there is to tell.
    """

    subject: str
    plan: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    violations: tuple[Violation, ...] = ()
    digest: str = ""
    read: bool = True

    @property
    def failing(self) -> bool:
        """Whether the run would fail."""
        refused = any(each.level == "mandatory" for each in self.violations)
        return refused or bool(self.failures)

    @property
    def _word(self) -> str:
        """The digest that lets everything through, or empty."""
        digests = {each.digest for each in self.violations if each.level == "mandatory"}
        digests |= {self.digest} if self.failures else set()
        return "" if "" in digests else min(digests, default="")

    def lines(self, stack: Stack, now: datetime) -> Iterator[str]:
        """Yield all of it, the verdict last."""
        yield f"stack {stack.name}: {self.subject}"
        if not self.read:
            return
        yield from self.plan
        yield from (f"the run would fail: {each}" for each in self.failures)
        yield from (f"{each.level}: {each.message}" for each in self.violations)
        if not self.failing:
            yield "nothing is refused"
        elif not self._word:
            yield "no digest lets all of this through: see the messages without one"
        else:
            command = f"{stack.pulumi.shown} up --stack {stack.name} ..."
            yield f"to let exactly this through: {offered(self._word, now)} {command}"


def quiet(_line: str) -> None:
    """Tell nobody of progress: what counts is printed at the end."""
