"""The sidecars stack: what the bucket asks of a box as rows of its registry."""

from __future__ import annotations

from datetime import datetime

import pulumi

from folds.sidecar_report import explained, headline, outputs, remarks
from providers.outcome import Outcome
from providers.sidecar_routes import SidecarRoutes
from stacks import acknowledgement, strict_preview, telling
from stacks.acknowledgement import Acknowledgement
from stacks.box_settings import SidecarsSettings
from stacks.notices import idle, stop_if, way_out
from stacks.sidecar_decision import SidecarsDecision, decide, observe

_DUTY = "sidecars"


def run(
    settings: SidecarsSettings, *, acknowledge: str, now: datetime, strict: bool = False
) -> None:
    """Run the five steps. ``acknowledge`` is the variable's value, ``now`` has a time zone.

    ``strict``: a preview fails where its run would fail at its end, too.

    Raises:
        ControlError, RegistryError: if a read failed; nothing is registered then.
        AcknowledgementInvalid: if the variable is not of its form.
        PlanRefused: at the end, if a guard refuses the plan.
    """
    word = acknowledgement.read(acknowledge, now)
    decision = decide(observe(settings, telling.progress, word.digest), word.digest)
    preview = pulumi.runtime.is_dry_run()
    telling.warn(_DUTY, warnings(decision, word, preview=preview and not strict))
    telling.offer(_DUTY, ways_out(decision, now, pulumi.get_stack()))
    declare(settings, decision)
    stop_if(decision.refused, _DUTY)
    if preview and strict:
        strict_preview.stop(decision.plan.failures, _DUTY)


def warnings(
    decision: SidecarsDecision, word: Acknowledgement, *, preview: bool
) -> tuple[str, ...]:
    """Return what is left out, and an acknowledgement that does nothing.

    In a preview also what will make the run fail at its end: later that is the error itself.
    """
    failing = decision.plan.failures if preview else ()
    told = (f"the run is going to fail: {each}" for each in failing)
    return (*remarks(decision.plan), *told, *idle(word, answered=decision.answered))


def ways_out(decision: SidecarsDecision, now: datetime, stack: str) -> tuple[str, ...]:
    """Return the line that lets removals through which are held back; none where no digest does."""
    held = decision.plan.held_back and decision.plan.digest
    return (way_out(decision.plan.digest, now, stack),) if held else ()


def declare(settings: SidecarsSettings, decision: SidecarsDecision) -> SidecarRoutes:
    """Register the one resource, show its plan, and export the stack's outputs.

    A failure that is not the rows' own has a resource of its own where there is nothing to write.
    """
    plan = decision.plan
    routes = SidecarRoutes(settings.box, decision.inputs(settings), pulumi.ResourceOptions())
    for name, value in outputs(plan).items():
        pulumi.export(name, value)
    if plan.empty and plan.failures:
        last = pulumi.ResourceOptions(depends_on=[routes])
        Outcome([f"{_DUTY}: {each}" for each in plan.failures], last)
    preview = pulumi.runtime.is_dry_run()
    if preview or not plan.empty:
        lines = explained(plan) if preview else plan.lines
        telling.show_plan(f"{_DUTY}: {headline(plan)}", lines, None if decision.refused else routes)
    return routes
