"""What a native plan is registered with, and what stops its run besides the guards. Pure."""

from __future__ import annotations

from folds.native_order import order
from providers.plan_inputs import PlanInputs, unknown_sets
from stacks.decision import Decision


def inputs_of(decision: Decision) -> PlanInputs:
    """Return the inputs of a ``steering:Plan``."""
    prefix = decision.desired.prefix
    existing = sum(each.managed(prefix) for each in decision.live.sets)
    return PlanInputs(plan=decision.plan.lines, summary=decision.summary, existing=existing)


def stops(decision: Decision, *, known: bool) -> tuple[str, ...]:
    """Return why a run is stopped that no guard refuses, for those who do not run it.

    ``known`` says whether the zone is in the stack's state.
    """
    unknown = "" if known else unknown_sets(inputs_of(decision))
    turns = order(decision.plan, decision.live.sets)
    return tuple(filter(None, (unknown, turns.refusal)))
