"""The inputs of a ``ZoneRecords``, validated, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from folds.desired import Desired, Value
from folds.summary import removed_names
from policy.guards import (
    SteeringSummary,
    SummaryUnreadableError,
    read_steering,
    steering_violations,
)


class ZoneInputs(Value):
    """What the bucket asks for, the change lines, and what the guards read of them."""

    desired: Desired
    plan: tuple[str, ...]
    summary: SteeringSummary

    @property
    def removals(self) -> frozenset[tuple[str, str, str]]:
        """The keys of the sets that this run may remove: name, type, set identifier."""
        return removed_names(self.plan)


def parse(props: Mapping[str, Any]) -> ZoneInputs:
    """Parse the inputs; keys of the SDK's own (``__provider``) are passed over.

    Raises:
        ValidationError: with every mistake.
    """
    own = {key: value for key, value in props.items() if not key.startswith("__")}
    return ZoneInputs.model_validate(own)


def failures(props: Mapping[str, Any], *, first_run: bool) -> tuple[str, ...]:
    """Return every reason not to go on: bad inputs, or each mandatory guard that refuses."""
    try:
        summary = read_steering(props.get("summary"))
        parse(props)
    except SummaryUnreadableError as error:
        return (f"the summary cannot be read: {error}",)
    except ValidationError as error:
        return tuple(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
    return refusals(summary, first_run=first_run)


def refusals(summary: SteeringSummary, *, first_run: bool) -> tuple[str, ...]:
    """Return the message of each mandatory guard that refuses."""
    found = steering_violations(summary, first_run=first_run)
    return tuple(each.message for each in found if each.level == "mandatory")


def same_deployment(olds: Mapping[str, Any], news: Mapping[str, Any]) -> bool:
    """Say whether the state knows this zone and prefix: from old inputs, or from old outputs."""
    return _deployment(olds) == _deployment(news)


def _deployment(props: Mapping[str, Any]) -> tuple[Any, Any]:
    desired = props.get("desired")
    source = desired if isinstance(desired, Mapping) else props
    return source.get("zone"), source.get("prefix")
