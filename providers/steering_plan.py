"""``steering:Plan``: what a native run is about to do, judged before it does anything.

The path ``providers.steering_plan.SteeringPlanProvider`` is stored in every native stack's state.
"""

from __future__ import annotations

from typing import Any

import pulumi
from pulumi.dynamic import (
    CheckFailure,
    CheckResult,
    CreateResult,
    DiffResult,
    Resource,
    ResourceProvider,
    UpdateResult,
)

from providers.engine import attend
from providers.errors import reported
from providers.inputs import parsed
from providers.plan_inputs import PlanInputs, failures

attend()


class SteeringPlanProvider(ResourceProvider):
    """Stateless: it is stored by reference, so current code serves old state. No network."""

    serialize_as_secret_always = False

    @reported()
    def check(self, _olds: dict[str, Any], news: dict[str, Any]) -> CheckResult:
        """Validate the inputs, run the guards on their summary, and compare with the state.

        Failures carry no property name: the engine prints a named property's whole value.
        """
        return CheckResult(news, [CheckFailure("", each) for each in failures(_olds, news)])

    @reported()
    def diff(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> DiffResult:
        """Change exactly when the plan is not empty."""
        return DiffResult(changes=bool(_news["plan"]))

    @reported()
    def create(self, props: dict[str, Any]) -> CreateResult:
        """Record what the run is for; the resources after this one do it."""
        outputs = _outputs(props)
        return CreateResult(f"{outputs['zone']}/{outputs['prefix']}", outputs)

    @reported()
    def update(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> UpdateResult:
        """Record what the run is for; the resources after this one do it."""
        return UpdateResult(_outputs(_news))


class SteeringPlan(Resource, module="steering", name="Plan"):
    """The plan of one run of the native realizer. Every record and health check depends on it."""

    def __init__(self, name: str, inputs: PlanInputs, opts: pulumi.ResourceOptions) -> None:
        """Declare the resource; a diff of its large inputs is left to the plan's own lines."""
        hidden = pulumi.ResourceOptions(hide_diffs=list(PlanInputs.model_fields))
        props = inputs.model_dump(mode="json", by_alias=True)
        merged = pulumi.ResourceOptions.merge(hidden, opts)
        super().__init__(SteeringPlanProvider(), name, props, merged)


def _outputs(props: dict[str, Any]) -> dict[str, Any]:
    summary = parsed(PlanInputs, props).summary
    return {"zone": summary.zone, "prefix": summary.prefix}
