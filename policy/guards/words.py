"""Numbers and names in a line for people."""

from __future__ import annotations

from collections.abc import Sequence


def count(number: int, noun: str) -> str:
    """Return ``1 row``, ``40 rows``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def some(names: Sequence[str], most: int = 5) -> str:
    """Name the first of them, and count the rest."""
    shown = ", ".join(sorted(names)[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
