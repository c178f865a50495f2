"""The inputs of a ``RegistrySnapshot``, validated, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from folds.desired import Value
from policy.guards.snapshots import (
    SnapshotSummary,
    read_snapshot,
    snapshot_violations,
)
from policy.guards.summary import SummaryUnreadableError


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
    """Parse the inputs; keys of the SDK's own (``__provider``) and outputs are passed over.

    Raises:
        ValidationError: with every mistake.
    """
    return SnapshotInputs.model_validate(
        {key: value for key, value in props.items() if key in SnapshotInputs.model_fields}
    )


def failures(props: Mapping[str, Any]) -> tuple[str, ...]:
    """Return every reason not to go on: bad inputs, or each mandatory guard that refuses."""
    try:
        summary = read_snapshot(props.get("summary"))
        parse(props)
    except SummaryUnreadableError as error:
        return (f"the summary cannot be read: {error}",)
    except ValidationError as error:
        return tuple(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
    return refusals(summary)


def refusals(summary: SnapshotSummary) -> tuple[str, ...]:
    """Return the message of each mandatory guard that refuses."""
    found = snapshot_violations(summary)
    return tuple(each.message for each in found if each.level == "mandatory")


def same_snapshot(olds: Mapping[str, Any], news: Mapping[str, Any]) -> bool:
    """Say whether the state knows this box and bucket: from old inputs, or from old outputs."""
    return _identity(olds) == _identity(news)


def _identity(props: Mapping[str, Any]) -> tuple[Any, Any]:
    desired = props.get("desired")
    source = desired if isinstance(desired, Mapping) else props
    return source.get("bucket"), source.get("box")
