"""A plan's lines as words: one line a change, one word a part, whatever others wrote."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import quote

from folds.zone import LiveSet

SIMPLE = "(simple)"
"""Stands for the identifier that a simple set has not: no identifier is shown with a bracket."""


@lru_cache(maxsize=1024)
def word(text: str) -> str:
    """Show what others may have written as one word of printable ASCII, a blank as ``%20``."""
    return quote(text, safe="/\\:,@=+*")


def latency(region: str, values: tuple[str, ...], ttl: int) -> str:
    """Show what a latency set answers; ``ttl`` is in seconds."""
    return f"{region} {','.join(map(word, values))} ttl={ttl}"


def simple(gone: LiveSet) -> str:
    """Show what a simple set of others answers, which is adopted."""
    check = f" check={word(gone.health_check_id)}" if gone.health_check_id else ""
    return f"{','.join(map(word, sorted(gone.values)))} ttl={gone.ttl}{check} (adopted)"
