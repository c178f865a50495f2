"""The stack's outputs, from the fold: an unchanged resource keeps its old ones."""

from __future__ import annotations

from typing import Any

from folds.changes import Plan
from stacks.settings import SteeringSettings


def outputs(settings: SteeringSettings, plan: Plan) -> dict[str, Any]:
    """Return the outputs of an armed stack.

    ``recordSets`` lists the sets that each name of ``hosts`` has, one per serving edge.
    """
    prefix = settings.set_identifier_prefix
    return {
        "state": "armed",
        "bucket": settings.bucket,
        "zone": settings.zone,
        "hosts": list(plan.names),
        "recordSets": [
            {
                "setIdentifier": prefix + edge.box,
                "type": edge.type,
                "region": edge.region,
                "address": edge.address,
                "ttl": settings.ttl,
            }
            for edge in plan.serving
        ],
        "standby": [edge.model_dump(by_alias=True) for edge in plan.standby],
        "refused": [each.model_dump(by_alias=True) for each in plan.refused],
        "held": list(plan.held),
    }


def dormant_outputs() -> dict[str, Any]:
    """Return the outputs of a dormant stack: the same names, nothing in them."""
    empty: list[Any] = []
    lists = dict.fromkeys(
        ("recordSets", "hosts", "healthChecks", "standby", "refused", "held"), empty
    )
    return {"state": "dormant", "bucket": "", "zone": "", **lists}
