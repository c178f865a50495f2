"""Step 5 of a steering stack whose realizer is batch: one resource holds the whole zone."""

from __future__ import annotations

import pulumi

from folds.report import headline
from providers.zone_inputs import ZoneInputs
from providers.zone_records import ZoneRecords
from stacks import telling
from stacks.decision import Decision
from stacks.exports import outputs
from stacks.settings import SteeringSettings


def declare(settings: SteeringSettings, decision: Decision) -> None:
    """Register the one resource, show its plan, and export the stack's outputs."""
    plan = decision.plan
    inputs = ZoneInputs(desired=decision.desired, plan=plan.lines, summary=decision.summary)
    resource = ZoneRecords(settings.zone, inputs, pulumi.ResourceOptions())
    for name, value in outputs(settings, plan).items():
        pulumi.export(name, value)
    pulumi.export("healthChecks", resource.healthChecks)
    if not plan.empty:
        # A removal may be refused by the state, which only the resource's own check knows.
        certain = not (decision.refused or plan.removals)
        shown = headline(plan, decision.summary.managed)
        telling.show_plan(shown, plan.lines, resource if certain else None)
