"""The policy pack: each steering guard as a resource policy on the resource that applies the plan.

A resource policy stops a run before anything changes, with ``--skip-preview`` too; a stack policy
would come after. The engine runs this file with its own folder as ``sys.path[0]``, wherever the
folder lies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pulumi_policy import (
    EnforcementLevel,
    PolicyPack,
    ReportViolation,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
)
from pulumi_policy.proxy import UnknownValueError

from guards import STEERING, Rule, SummaryUnreadableError, read_steering, steering_violations

ZONE_RECORDS = "pulumi-python:dynamic/steering:ZoneRecords"
_LEVELS = {
    "mandatory": (EnforcementLevel.MANDATORY, Severity.HIGH),
    "advisory": (EnforcementLevel.ADVISORY, Severity.LOW),
}


def messages(rule: str, props: Mapping[str, Any]) -> list[str]:
    """Return what one rule has against a ``ZoneRecords``, one line each.

    It fails closed: a summary that is missing, unknown or not one is held against every rule. Left
    to itself the SDK turns an unknown into advice.
    """
    try:
        summary = read_steering(props["summary"])
    except KeyError:
        return [f"{rule}: cannot be judged: there is no summary"]
    except UnknownValueError as error:
        return [f"{rule}: cannot be judged: {error.message}"]
    except SummaryUnreadableError as error:
        return [f"{rule}: cannot be judged: {error}"]
    return [each.message for each in steering_violations(summary) if each.rule == rule]


def policy_of(rule: Rule) -> ResourceValidationPolicy:
    """Return a rule as a policy of its own."""

    def validate(args: ResourceValidationArgs, report: ReportViolation) -> None:
        if args.resource_type == ZONE_RECORDS:
            for message in messages(rule.name, args.props):
                report(message, None)

    level, severity = _LEVELS[rule.level]
    return ResourceValidationPolicy(
        name=rule.name,
        description=rule.description,
        validate=validate,
        enforcement_level=level,
        severity=severity,
        remediation_steps=_steps(rule),
        url=f"docs/guards.md#{rule.name}",
    )


def _steps(rule: Rule) -> str:
    if not rule.acknowledgeable:
        return "Do what the message says; no digest lets this through."
    return (
        "Do what the message says; or, if exactly this end is meant, let it through for one run"
        " with FAIRLEAD_ACKNOWLEDGE=<digest>.<expiry>."
    )


if __name__ == "__main__":
    PolicyPack(
        "fairlead",
        [policy_of(rule) for rule in STEERING],
        enforcement_level=EnforcementLevel.MANDATORY,
    )
