"""Step 5 of a steering stack whose realizer is native: each set and check is a resource.

The component's and the plan's type tokens, and all resources' names, are stored in the state.
"""

from __future__ import annotations

import time

import pulumi

from folds.native import declared
from folds.native_order import Order, order
from folds.report import headline
from providers.steering_plan import SteeringPlan
from stacks import telling
from stacks.decision import Decision, remaining
from stacks.errors import Drifted, OutOfOrder
from stacks.exports import outputs
from stacks.native_allowed import allowed
from stacks.native_commands import NAME
from stacks.native_ending import at_end
from stacks.native_hooks import Watch
from stacks.native_inputs import inputs_of
from stacks.native_resources import Place, SteeringZone, declare_all
from stacks.observation import read_live
from stacks.settings import SteeringSettings

_LAG = 3.0  # seconds


def declare(settings: SteeringSettings, decision: Decision) -> None:
    """Register the plan, then the checks and records, show the plan, and export the outputs.

    Of a plan that a guard refuses, nothing but the plan itself is registered.

    Raises:
        OutOfOrder: before anything is registered.
    """
    plan, found = decision.plan, declared(decision.desired, decision.live, decision.plan)
    turns = order(plan, decision.live.sets)
    if not decision.refused:
        _require(turns)
    zone = SteeringZone()
    first = SteeringPlan(NAME, inputs_of(decision), pulumi.ResourceOptions(parent=zone))
    if not plan.empty:
        # The resource may be refused by the state, which only its own check knows.
        shown = headline(plan, decision.summary.managed)
        telling.show_plan(shown, plan.lines, None)
    for name, value in outputs(settings, plan).items():
        pulumi.export(name, value)
    if decision.refused:
        return
    watch = Watch(allowed(decision, found, turns.takes))
    common = pulumi.ResourceOptions(parent=zone, depends_on=[first], hooks=watch.binding)
    place = Place(decision.desired.zone, decision.desired.prefix, common)
    made = declare_all(found, place, turns.takes)
    pulumi.export("healthChecks", made.health_checks)
    made.urns.apply(lambda _: _finish(watch, decision))


def _finish(watch: Watch, decision: Decision) -> None:
    """End the program, which is over by now: what is raised here goes past its entry."""
    try:
        watch.finish()
    except Drifted as error:
        raise pulumi.RunError(str(error)) from error
    zone = decision.desired.zone
    if pulumi.runtime.is_dry_run():
        at_end(zone, watch.left)
    elif not decision.plan.empty:
        at_end(zone, lambda: _left(decision))


def _left(decision: Decision) -> tuple[str, ...]:
    """Look twice: a list may lag behind a deletion that was answered a moment ago."""
    zone = decision.desired.zone
    if left := remaining(decision, read_live(zone)):
        time.sleep(_LAG)
        left = remaining(decision, read_live(zone))
    return left


def _require(turns: Order) -> None:
    if turns.refusal:
        raise OutOfOrder(turns.refusal)
