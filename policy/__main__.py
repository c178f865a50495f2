"""The policy pack: each guard as a resource policy on the resource that applies the plan.

Beside them stand the policies over Route 53 records, which any program may declare by itself.

A resource policy stops a run before anything changes, with ``--skip-preview`` too; a stack policy
would come after. The engine runs this file with its own folder as ``sys.path[0]``, wherever the
folder lies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pulumi_policy import (
    EnforcementLevel,
    Policy,
    PolicyPack,
    ReportViolation,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
)
from pulumi_policy.proxy import UnknownValueError

from guards import (
    SIDECARS,
    SNAPSHOTS,
    STEERING,
    Rule,
    SummaryUnreadableError,
    Violation,
    read_sidecars,
    read_snapshot,
    read_steering,
    sidecar_violations,
    snapshot_violations,
    steering_violations,
)
from native_policies import native_policies

_LEVELS = {
    "mandatory": (EnforcementLevel.MANDATORY, Severity.HIGH),
    "advisory": (EnforcementLevel.ADVISORY, Severity.LOW),
}


@dataclass(frozen=True, slots=True)
class Guarded:
    """Types of resource, their rules, and what a summary of one violates.

    ``judge`` raises `SummaryUnreadableError` for what is no summary.
    """

    types: tuple[str, ...]
    rules: tuple[Rule[Any], ...]
    judge: Callable[[object], tuple[Violation, ...]]


GUARDED = (
    Guarded(
        (
            "pulumi-python:dynamic/steering:ZoneRecords",
            "pulumi-python:dynamic/steering:Plan",  # what the native realizer registers first
        ),
        STEERING,
        lambda raw: steering_violations(read_steering(raw)),
    ),
    Guarded(
        ("pulumi-python:dynamic/box:SidecarRoutes",),
        SIDECARS,
        lambda raw: sidecar_violations(read_sidecars(raw)),
    ),
    Guarded(
        ("pulumi-python:dynamic/box:RegistrySnapshot",),
        SNAPSHOTS,
        lambda raw: snapshot_violations(read_snapshot(raw)),
    ),
)


def messages(rule: str, guarded: Guarded, props: Mapping[str, Any]) -> list[str]:
    """Return what one rule has against a resource of a type that it guards, one line each.

    It fails closed: a summary that is missing, unknown or not one is held against every rule. Left
    to itself the SDK turns an unknown into advice.
    """
    try:
        found = guarded.judge(props["summary"])
    except KeyError:
        return [f"{rule}: cannot be judged: there is no summary"]
    except UnknownValueError as error:
        return [f"{rule}: cannot be judged: {error.message}"]
    except SummaryUnreadableError as error:
        return [f"{rule}: cannot be judged: {error}"]
    return [each.message for each in found if each.rule == rule]


def policy_of(rule: Rule[Any], guarded: Guarded) -> ResourceValidationPolicy:
    """Return a rule as a policy of its own."""

    def validate(args: ResourceValidationArgs, report: ReportViolation) -> None:
        if args.resource_type in guarded.types:
            for message in messages(rule.name, guarded, args.props):
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


def policies() -> list[Policy]:
    """Return every policy, in the order of the rules."""
    summaries = [policy_of(rule, guarded) for guarded in GUARDED for rule in guarded.rules]
    return [*summaries, *native_policies()]


def _steps(rule: Rule[Any]) -> str:
    if not rule.acknowledgeable:
        return "Do what the message says; no digest lets this through."
    return (
        "Do what the message says; or, if exactly this end is meant, let it through for one run"
        " with FAIRLEAD_ACKNOWLEDGE=<digest>.<expiry>."
    )


if __name__ == "__main__":
    PolicyPack("fairlead", policies(), enforcement_level=EnforcementLevel.MANDATORY)
