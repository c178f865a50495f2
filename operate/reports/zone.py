"""The report of a steering stack."""

from __future__ import annotations

from typing import Any

from folds.report import headline, remarks
from operate.reports.asked import Asked, quiet
from operate.reports.value import Report
from policy.guards import steering_violations
from stacks import realizer
from stacks.decision import Decision, decide
from stacks.native_inputs import stops
from stacks.notices import left_over
from stacks.observation import observe
from stacks.settings import SteeringSettings


def of_zone(asked: Asked, settings: SteeringSettings) -> Report:
    """Observe and decide; a dormant stack reads nothing.

    The state says whether the run is a first one: its removals are refused too, and the digest is
    then another one.

    Raises:
        ControlError, Route53Error, OperateError: if it cannot be answered.
        RealizerSwitched: as the run itself.
    """
    stack = asked.stack
    if not settings.zone:
        return Report(stack.name, "steering", "dormant, nothing is read", read=False)
    seen = observe(settings, quiet)
    realizer.stay(settings, seen.live)
    decision = decide(settings, seen)
    known = stack.knows(settings.zone, settings.set_identifier_prefix)
    if settings.realizer == "native":
        # No digest lets a first run take anything up.
        return zone_report(asked, decision, known=True, failures=stops(decision, known=known))
    return zone_report(asked, decision, known=known)


def zone_report(
    asked: Asked, decision: Decision, *, known: bool, failures: tuple[str, ...] = ()
) -> Report:
    """Report a decision; ``known`` says whether the zone is in the stack's state.

    ``failures`` are what stops the run besides the guards.
    """
    desired, plan, summary = decision.desired, decision.plan, decision.summary
    violations = steering_violations(summary, first_run=not known)
    return Report(
        stack=asked.stack.name,
        kind="steering",
        subject=f"zone {desired.zone} ({desired.prefix})",
        headline="nothing to do" if plan.empty else headline(plan, summary.managed),
        changes=plan.lines,
        remarks=(*remarks(plan), *left_over(decision)),
        failures=failures,
        violations=violations,
        way_out=asked.way_out(violations, failures),
        details=_details(decision),
    )


def _details(decision: Decision) -> dict[str, Any]:
    plan = decision.plan
    return {
        "zone": decision.desired.zone,
        "prefix": decision.desired.prefix,
        "refused": [each.model_dump(by_alias=True) for each in plan.refused],
        "held": [*plan.held],
        "standby": [each.model_dump(by_alias=True) for each in plan.standby],
        "summary": decision.summary.model_dump(mode="json", by_alias=True),
    }
