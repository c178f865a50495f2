"""The inputs of a ``ZoneRecords``, validated, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folds.desired import Desired, Value
from folds.summary import removed_names
from policy.guards import SteeringSummary, read_steering, steering_violations
from providers.inputs import mandatory, parsed, reasons


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
    """Parse the inputs: see `inputs.parsed`."""
    return parsed(ZoneInputs, props)


def failures(props: Mapping[str, Any], *, first_run: bool) -> tuple[str, ...]:
    """Return every reason not to go on: see `inputs.reasons`."""
    return reasons(
        props,
        ZoneInputs,
        lambda raw: steering_violations(read_steering(raw), first_run=first_run),
    )


def refusals(summary: SteeringSummary, *, first_run: bool) -> tuple[str, ...]:
    """Return the message of each mandatory guard that refuses."""
    return mandatory(steering_violations(summary, first_run=first_run))


def same_deployment(olds: Mapping[str, Any], news: Mapping[str, Any]) -> bool:
    """Say whether the state knows this zone and prefix: from old inputs, or from old outputs."""
    return _deployment(olds) == _deployment(news)


def _deployment(props: Mapping[str, Any]) -> tuple[Any, Any]:
    desired = props.get("desired")
    source = desired if isinstance(desired, Mapping) else props
    return source.get("zone"), source.get("prefix")
