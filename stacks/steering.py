"""The steering stack: the bucket's hosts and edges as one zone's latency records."""

from __future__ import annotations

from datetime import datetime

import pulumi

from control.text import printable
from folds.report import headline
from providers.zone_inputs import ZoneInputs
from providers.zone_records import ZoneRecords
from stacks import acknowledgement, notices, telling
from stacks.decision import Decision, decide
from stacks.exports import dormant_outputs, outputs
from stacks.observation import observe
from stacks.settings import SteeringSettings


def run(settings: SteeringSettings, *, acknowledge: str, now: datetime) -> None:
    """Run the five steps. ``acknowledge`` is the variable's value, ``now`` has a time zone.

    Raises:
        ControlError, Route53Error: if a read failed; nothing is registered then.
        AcknowledgementInvalid: if the variable is not of its form.
        PlanRefused: at the end, if a guard refuses the plan.
    """
    if not settings.zone:
        _dormant(settings)
        return
    word = acknowledgement.read(acknowledge, now)
    decision = decide(settings, observe(settings, telling.progress), word.digest)
    _report(settings, notices.warnings(decision, word))
    telling.offer("steering", notices.ways_out(decision, now))
    declare(settings, decision)
    notices.stop_if(decision.refused, "steering")


def declare(settings: SteeringSettings, decision: Decision) -> ZoneRecords:
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
    return resource


def _report(settings: SteeringSettings, warnings: tuple[str, ...]) -> None:
    if not settings.apps_domain:
        pulumi.log.info("steering: no apps domain, so no edge.<apps domain> is minted")
    telling.warn("steering", warnings)


def _dormant(settings: SteeringSettings) -> None:
    """Read nothing, build no client, declare nothing (behaviours 26, 33)."""
    if settings.zone_malformed:
        shown = printable(settings.zone_id)
        pulumi.log.warn(f'steering: zone id "{shown}" is malformed, so this stack is dormant')
    else:
        pulumi.log.info("steering: no zone id, so this stack is dormant; nothing is read")
    for name, value in dormant_outputs().items():
        pulumi.export(name, value)
