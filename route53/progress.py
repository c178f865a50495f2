"""Telling somebody how far a long piece of work is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str], None]
"""Takes one passing line of printable ASCII."""


def quiet(_line: str) -> None:
    """Tell nobody."""
