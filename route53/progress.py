"""Telling somebody how far a long piece of work is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str], None]
"""Takes one passing line of printable ASCII."""


def counted(count: int, noun: str) -> str:
    """Return ``1 host`` or ``2 hosts``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def quiet(_line: str) -> None:
    """Tell nobody."""
