"""``digest``: what the next run would do, whole, and the one line that lets a refusal through."""

from __future__ import annotations

from datetime import datetime

from folds.report import headline, remarks
from operate.stack import Stack
from policy.guards import steering_violations
from stacks.acknowledgement import offered
from stacks.decision import Decision, decide
from stacks.observation import observe


def digest(stack: Stack, now: datetime) -> int:
    """Observe and decide as a run would, and print all of it. Nothing is written.

    An acknowledgement in the environment is left out of it: what it would let through is listed.

    Returns:
        0 if nothing is refused, 1 if something is.

    Raises:
        ControlError, Route53Error, StackError, OperateError: if it cannot be answered.
    """
    settings = stack.settings()
    if not settings.zone:
        print(f"stack {stack.name}: dormant, nothing is read")
        return 0
    decision = decide(settings, observe(settings, _quiet))
    known = stack.knows(settings.zone, settings.set_identifier_prefix)
    print("\n".join(_plan(stack, decision)))
    refused, lines = _verdict(decision, now, stack, known=known)
    print("\n".join(lines))
    return 1 if refused else 0


def _plan(stack: Stack, decision: Decision) -> tuple[str, ...]:
    desired, plan = decision.desired, decision.plan
    return (
        f"stack {stack.name}: zone {desired.zone} ({desired.prefix})",
        "nothing to do" if plan.empty else headline(plan, decision.summary.managed),
        *plan.lines,
        *remarks(plan),
    )


def _verdict(
    decision: Decision, now: datetime, stack: Stack, *, known: bool
) -> tuple[bool, tuple[str, ...]]:
    """Say whether the run would be refused, and all that is to be said of that.

    ``known`` says whether the zone is in the stack's state: the removals of a first run are refused
    too, and the digest is then another one.
    """
    violations = steering_violations(decision.summary, first_run=not known)
    refused = [each for each in violations if each.level == "mandatory"]
    lines = [f"{each.level}: {each.message}" for each in violations]
    digests = {each.digest for each in refused}
    if not refused:
        lines.append("nothing is refused")
    elif "" in digests:
        lines.append("no digest lets all of this through: see the messages without one")
    else:
        command = f"{stack.pulumi.shown} up --stack {stack.name} ..."
        lines.append(f"to let exactly this through: {offered(min(digests), now)} {command}")
    return bool(refused), tuple(lines)


def _quiet(_line: str) -> None:
    """Tell nobody: what counts is printed at the end."""
