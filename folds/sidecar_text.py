"""Showing text of the bucket and the registry in one line of printable ASCII."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from control.text import printable

_LONGEST = 300
_PLAIN = re.compile(r"[a-z0-9.-]+")


def shown(text: str, most: int = _LONGEST) -> str:
    """Escape a text, and cut it where it gets long."""
    escaped = text if _PLAIN.fullmatch(text) else printable(text)
    return escaped if len(escaped) <= most else f"{escaped[:most]}..."


def quoted(text: str) -> str:
    """Show a text between double quotes."""
    return f'"{shown(text)}"'


def word(text: str) -> str:
    """Show a text as one word that `unword` reads back."""
    return text if _PLAIN.fullmatch(text) else quote(text, safe="/\\:,@=+*")


def unword(text: str) -> str:
    """Read a `word` back."""
    return unquote(text)
