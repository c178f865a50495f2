"""What the outputs of a box's two stacks say. Texts in them were escaped when they were put out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from policy.guards.words import count

_LEFT_OUT = {"protected": "protected", "declined": "declined", "heldBack": "held back"}


def is_box(outputs: Mapping[str, Any]) -> bool:
    """Say whether outputs are those of a sidecars or a snapshot stack."""
    return "rows" in outputs or "fingerprint" in outputs


def state_of(outputs: Mapping[str, Any]) -> str:
    """Return ``armed``, or ``dormant`` for a box of a fleet, which has no snapshot of its own."""
    return "armed" if "rows" in outputs or outputs["key"] else "dormant"


def subject(outputs: Mapping[str, Any]) -> str:
    """Return what the stack holds: rows, or a snapshot."""
    if "rows" in outputs:
        return count(len(outputs["rows"]), "row")
    if not outputs["key"]:
        return "a box of a fleet"
    kept = count(len(outputs["generations"]), "generation")
    return f"{outputs['key']} taken {outputs['createdAt']}, {kept}"


def remarks(outputs: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each record or row that is left out or held back, and why."""
    for name, word in _LEFT_OUT.items():
        for each in outputs.get(name, ()):
            key = f" ({each['key']})" if each["key"] else ""
            yield f"{word}: {each['host']}{key}: {each['reason']}"
