"""The inputs of a ``steering:Plan``, validated, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from folds.desired import Value
from policy.guards import SteeringSummary, read_steering, steering_violations
from providers.inputs import parsed, reasons


class PlanInputs(Value):
    """The change lines, what the guards read of them, and how many managed sets are live."""

    plan: tuple[str, ...]
    summary: SteeringSummary
    existing: Annotated[int, Field(ge=0)]

    @property
    def place(self) -> str:
        """The deployment in words."""
        return f"zone {self.summary.zone} ({self.summary.prefix})"


def failures(olds: Mapping[str, Any], news: Mapping[str, Any]) -> tuple[str, ...]:
    """Return every reason not to go on: bad inputs, guards, or a state that does not fit.

    ``olds`` are the inputs in the state, empty on a first run.
    """
    found = reasons(news, PlanInputs, lambda raw: steering_violations(read_steering(raw)))
    if found:
        return found
    asked = parsed(PlanInputs, news)
    reason = unknown_sets(asked) if not olds else _other_zone(olds, asked)
    return (reason,) if reason else ()


def unknown_sets(asked: PlanInputs) -> str:
    """Return why a stack that does not have the zone in its state is refused, or empty."""
    if not asked.existing:
        return ""
    return (
        f"steering: {asked.place}: the stack has no such zone in its state, and {asked.existing}"
        " managed sets are live, limit 0: they are another deployment's, or those of a lost state,"
        " and what exists cannot be created; restore the state (pulumi stack import), use another"
        " setIdentifierPrefix for other hosts, or take them out of the zone: python -m operate"
        " withdraw"
    )


def _other_zone(olds: Mapping[str, Any], asked: PlanInputs) -> str:
    old = olds.get("summary")
    known = (old.get("zone"), old.get("prefix")) if isinstance(old, Mapping) else None
    if known in (None, (asked.summary.zone, asked.summary.prefix)):
        return ""
    return (
        f"steering: {asked.place}: the stack's state is that of zone {known[0]} ({known[1]}),"
        " limit one zone and prefix a stack: native resources would be taken out of the old one;"
        " set zoneId and setIdentifierPrefix back, or use another stack; to forget the old one,"
        " which stays live: pulumi state delete --all --stack ..."
    )
