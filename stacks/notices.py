"""What a run tells people beside its plan: warnings, and the ways past a refusal."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from folds.native_plan import Realizer
from folds.report import remarks
from folds.zone import LiveCheck
from policy.guards import Violation, adoption_digest
from stacks.acknowledgement import VARIABLE, Acknowledgement, offered
from stacks.decision import Decision
from stacks.errors import PlanRefused


def warnings(decision: Decision, word: Acknowledgement) -> tuple[str, ...]:
    """Return what was refused, held or stands by, and an acknowledgement that does nothing.

    So is a former prefix that nothing has any more; and, for the realizer native, the health checks
    that nobody refers to and no run will remove.
    """
    said = (*remarks(decision.plan), *left_over(decision))
    return (*said, *idle(word, answered=decision.answered))


def left_over(decision: Decision) -> tuple[str, ...]:
    """Return a line for a former prefix that is not needed any more: no set has it.

    And one for each health check that native runs which were cut short left behind.
    """
    former = decision.desired.former
    needed = not former or any(each.managed(former) for each in decision.live.sets)
    spent = f"left over: no set begins with {former} any more; empty the setting formerPrefix"
    checks = map(told, decision.leftovers)
    return (*([] if needed else [spent]), *checks)


def told(check: LiveCheck) -> str:
    """Return the line for a health check that is left over."""
    return (
        f"left over: health check {check.id} of {check.address}, which no state knows; remove it:"
        f" {deleting_check(check.id)}"
    )


def deleting_check(identifier: str) -> str:
    """Return the command that deletes a health check by hand."""
    return f"aws route53 delete-health-check --health-check-id {identifier}"


def ways_out(
    decision: Decision, now: datetime, stack: str, realizer: Realizer = "batch"
) -> tuple[str, ...]:
    """Return a line for each digest that lets the refused plan through; none where none does.

    A program cannot see its stack's state: a plan that removes sets of ours gets a second line, for
    a stack that does not have the zone in it. The realizer native removes nothing of the kind.
    """
    digests = {each.digest for each in decision.refused}
    if not digests or "" in digests:
        return ()
    lines = [way_out(min(digests), now, stack)]
    if decision.summary.shrinking and realizer == "batch":
        first = offered(adoption_digest(decision.summary), now)
        lines.append(f"or, where this stack does not have the zone in its state: {first}")
    return tuple(lines)


def stop_if(refused: Iterable[Violation], duty: str) -> None:
    """End a program whose plan is refused, once its resource is declared.

    The resource's own check ends the run before this, unless --exclude or --target left it out.

    Raises:
        PlanRefused: with every message, if there is any.
    """
    if messages := [each.message for each in refused]:
        raise PlanRefused(f"{duty}: {'; '.join(messages)}")


def idle(word: Acknowledgement, *, answered: bool) -> tuple[str, ...]:
    """Return what is wrong with an acknowledgement, or that it answers nothing; mostly nothing."""
    unused = bool(word.digest) and not answered
    said = [
        word.warning,
        f"{VARIABLE}: {word.digest} answers nothing in this run" if unused else "",
    ]
    return tuple(filter(None, said))


def way_out(digest: str, now: datetime, stack: str) -> str:
    """Return the line that tells how to let one end through, to be pasted as it is."""
    return f"to let exactly this through: {offered(digest, now)} pulumi up --stack {stack}"
