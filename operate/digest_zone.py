"""``digest`` of a steering stack."""

from __future__ import annotations

from folds.report import headline, remarks
from operate.digest_told import Told, quiet
from operate.stack import Stack
from policy.guards import steering_violations
from stacks.decision import decide
from stacks.observation import observe
from stacks.settings import SteeringSettings


def of_zone(stack: Stack, settings: SteeringSettings) -> Told:
    """Observe and decide; a dormant stack reads nothing.

    The state says whether the run is a first one: its removals are refused too, and the digest is
    then another one.

    Raises:
        ControlError, Route53Error, OperateError: if it cannot be answered.
    """
    if not settings.zone:
        return Told("dormant, nothing is read", read=False)
    decision = decide(settings, observe(settings, quiet))
    known = stack.knows(settings.zone, settings.set_identifier_prefix)
    plan, managed = decision.plan, decision.summary.managed
    violations = steering_violations(decision.summary, first_run=not known)
    return Told(
        f"zone {settings.zone} ({settings.set_identifier_prefix})",
        (
            "nothing to do" if plan.empty else headline(plan, managed),
            *plan.lines,
            *remarks(plan),
        ),
        violations=violations,
    )
