"""What the outputs of a box's two stacks say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from operate.outputs import Copies, Rows, outputs_of
from policy.guards.words import count


def read_box(stack: str, outputs: Mapping[str, Any]) -> Rows | Copies | None:
    """Read the outputs of a sidecars or a snapshot stack; None for those of another kind.

    Raises:
        OutputsUnreadable: if a member is missing or is something else.
    """
    if "rows" in outputs:
        return outputs_of(stack, Rows, outputs)
    return outputs_of(stack, Copies, outputs) if "fingerprint" in outputs else None


def state_of(box: Rows | Copies) -> str:
    """Return ``armed``, or ``dormant`` for a box of a fleet, which has no snapshot of its own."""
    return "armed" if isinstance(box, Rows) or box.key else "dormant"


def subject(box: Rows | Copies) -> str:
    """Return what the stack holds: rows, or a snapshot."""
    if isinstance(box, Rows):
        return count(len(box.rows), "row")
    if not box.key:
        return "a box of a fleet"
    return f"{box.key} taken {box.created_at}, {count(len(box.generations), 'generation')}"


def remarks(box: Rows | Copies | None) -> Iterator[str]:
    """Yield a line for each record or row that is left out or held back, and why."""
    left_out = (
        {"protected": box.protected, "declined": box.declined, "held back": box.held_back}
        if isinstance(box, Rows)
        else {}
    )
    for word, refusals in left_out.items():
        for each in refusals:
            key = f" ({each.key})" if each.key else ""
            yield f"{word}: {each.host}{key}: {each.reason}"
