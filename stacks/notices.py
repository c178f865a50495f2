"""What a steering run tells people beside its plan: warnings, and the ways past a refusal."""

from __future__ import annotations

from datetime import datetime

from folds.report import remarks
from policy.guards import adoption_digest
from stacks.acknowledgement import VARIABLE, Acknowledgement, offered
from stacks.decision import Decision


def warnings(decision: Decision, word: Acknowledgement) -> tuple[str, ...]:
    """Return what was refused, held or stands by, and an acknowledgement that does nothing."""
    idle = bool(word.digest) and not decision.answered
    said = [word.warning, f"{VARIABLE}: {word.digest} answers nothing in this run" if idle else ""]
    return (*remarks(decision.plan), *filter(None, said))


def ways_out(decision: Decision, now: datetime) -> tuple[str, ...]:
    """Return a line for each digest that lets the refused plan through; none where none does.

    A program cannot see its stack's state: a plan that removes sets gets a second line, for a stack
    that does not have the zone in it.
    """
    digests = {each.digest for each in decision.refused}
    if not digests or "" in digests:
        return ()
    lines = [f"to let exactly this through: {offered(min(digests), now)} pulumi up ..."]
    if decision.plan.removals:
        first = offered(adoption_digest(decision.summary), now)
        lines.append(f"or, where this stack does not have the zone in its state: {first}")
    return tuple(lines)
