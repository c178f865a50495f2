"""The steering stack: the bucket's hosts and edges as one zone's latency records."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import datetime

import pulumi

from control.text import printable
from folds.changes import Plan
from folds.desired import Desired
from folds.report import headline, listing, remarks
from folds.steering import plan as plan_of
from folds.summary import summarize
from policy.guards import SteeringSummary, Violation, steering_violations
from providers.zone_inputs import ZoneInputs
from providers.zone_records import ZoneRecords
from stacks import acknowledgement
from stacks.exports import dormant_outputs, outputs
from stacks.observation import Observation, observe
from stacks.settings import SteeringSettings
from stacks.wanted import desired_of

WHOLE_LIST = "python -m operate digest --stack STACK"


@dataclass(frozen=True, slots=True)
class Decision:
    """Everything that the first four steps worked out."""

    desired: Desired
    plan: Plan
    summary: SteeringSummary
    violations: tuple[Violation, ...]


def run(settings: SteeringSettings, *, acknowledge: str, now: datetime) -> None:
    """Run the five steps. ``acknowledge`` is the variable's value, ``now`` has a time zone.

    Raises:
        ControlError, Route53Error: if a read failed; nothing is registered then.
        AcknowledgementInvalid: if the variable is not of its form.
    """
    if not settings.zone:
        _dormant(settings)
        return
    word = acknowledgement.read(acknowledge, now)
    observation = observe(settings, _progress)
    decision = decide(settings, observation, word.digest)
    _report(settings, decision, word, now)
    declare(settings, decision)


def decide(settings: SteeringSettings, seen: Observation, acknowledged: str) -> Decision:
    """Fold what was seen into a plan and its verdict. Pure."""
    desired = desired_of(settings, seen.documents, seen.live)
    plan = plan_of(desired, seen.live)
    summary = summarize(desired, seen.live, plan, acknowledged)
    return Decision(desired, plan, summary, steering_violations(summary))


def declare(settings: SteeringSettings, decision: Decision) -> ZoneRecords:
    """Register the one resource and the stack's outputs."""
    plan = decision.plan
    inputs = ZoneInputs(desired=decision.desired, plan=plan.lines, summary=decision.summary)
    resource = ZoneRecords(settings.zone, inputs, pulumi.ResourceOptions())
    for name, value in outputs(settings, plan).items():
        pulumi.export(name, value)
    pulumi.export("healthChecks", resource.healthChecks)
    if not plan.empty:
        text = headline(plan, decision.summary.managed) + "\n" + listing(plan.lines, WHOLE_LIST)
        refused = any(each.level == "mandatory" for each in decision.violations)
        pulumi.log.info(text, None if refused else resource)
    return resource


def _report(
    settings: SteeringSettings,
    decision: Decision,
    word: acknowledgement.Acknowledgement,
    now: datetime,
) -> None:
    warnings = [*remarks(decision.plan), *filter(None, [word.warning])]
    refused = [each for each in decision.violations if each.level == "mandatory"]
    if not settings.apps_domain:
        pulumi.log.info("steering: no apps domain, so no edge.<apps domain> is minted")
    if word.digest and not _answered(decision):
        warnings.append(f"{acknowledgement.VARIABLE}: {word.digest} answers nothing in this run")
    if warnings:
        pulumi.log.warn("steering: " + listing(tuple(warnings), WHOLE_LIST))
    if digest := next((each.digest for each in refused if each.digest), ""):
        sys.stderr.write(
            "steering: to let exactly this through:"
            f" {acknowledgement.offered(digest, now)} pulumi up …\n"
        )


def _answered(decision: Decision) -> bool:
    """Say whether the acknowledged digest let anything through, or could on a first run."""
    bare = decision.summary.model_copy(update={"acknowledged": ""})
    return any(
        len(steering_violations(bare, first_run=first))
        > len(steering_violations(decision.summary, first_run=first))
        for first in (False, True)
    )


def _dormant(settings: SteeringSettings) -> None:
    """Read nothing, build no client, declare nothing (behaviours 26, 33)."""
    if settings.zone_malformed:
        shown = printable(settings.zone_id)
        pulumi.log.warn(f"steering: zone id {shown} is malformed, so this stack is dormant")
    else:
        pulumi.log.info("steering: no zone id, so this stack is dormant; nothing is read")
    for name, value in dormant_outputs().items():
        pulumi.export(name, value)


def _progress(text: str) -> None:
    pulumi.log.info(text, ephemeral=True)
