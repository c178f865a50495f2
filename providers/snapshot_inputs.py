"""The inputs of a ``RegistrySnapshot``, validated, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folds.desired import Value
from policy.guards import (
    SnapshotSummary,
    read_snapshot,
    snapshot_violations,
)
from providers.inputs import mandatory, parsed, reasons


class SnapshotDesired(Value):
    """Whose registry is to be where: a box's label, a bucket (or ``name/prefix``), a path."""

    box: str
    bucket: str
    registry: str


class SnapshotInputs(Value):
    """What the stack asks for, the change lines, and what the guards read of them."""

    desired: SnapshotDesired
    plan: tuple[str, ...]
    summary: SnapshotSummary


def parse(props: Mapping[str, Any]) -> SnapshotInputs:
    """Parse the inputs: see `inputs.parsed`."""
    return parsed(SnapshotInputs, props)


def failures(props: Mapping[str, Any]) -> tuple[str, ...]:
    """Return every reason not to go on: see `inputs.reasons`."""
    return reasons(props, SnapshotInputs, lambda raw: snapshot_violations(read_snapshot(raw)))


def refusals(summary: SnapshotSummary) -> tuple[str, ...]:
    """Return the message of each mandatory guard that refuses."""
    return mandatory(snapshot_violations(summary))


def same_snapshot(olds: Mapping[str, Any], news: Mapping[str, Any]) -> bool:
    """Say whether the state knows this box and bucket: from old inputs, or from old outputs."""
    return _identity(olds) == _identity(news)


def _identity(props: Mapping[str, Any]) -> tuple[Any, Any]:
    desired = props.get("desired")
    source = desired if isinstance(desired, Mapping) else props
    return source.get("bucket"), source.get("box")
