"""Durations as Go writes and reads them: ``5m``, ``1h30m``, ``1.5s``."""

from __future__ import annotations

import re

SECOND = 1_000_000_000
"""In nanoseconds, which is what Go counts durations in."""

_UNITS = {
    "ns": 1,
    "us": 1_000,
    "\N{MICRO SIGN}s": 1_000,
    "\N{GREEK SMALL LETTER MU}s": 1_000,
    "ms": 1_000_000,
    "s": SECOND,
    "m": 60 * SECOND,
    "h": 3600 * SECOND,
}
_PART = re.compile(rf"(?P<whole>[0-9]*)(?:\.(?P<fraction>[0-9]*))?(?P<unit>{'|'.join(_UNITS)})")
_LONGEST_TEXT = 64  # characters: room for every unit with all its digits
_MOST = 2**63 - 1  # nanoseconds: 292 years, the largest duration of Go


class DurationInvalid(ValueError):
    """Why a text is no duration from 0 up; begins with a verb: ``is not ...``."""


def whole_seconds(text: str) -> int:
    """Return the whole seconds of a duration, fractions cut (behaviour 89).

    It means what Go's ``time.ParseDuration`` says. Raises `DurationInvalid` for what that refuses,
    for a negative duration and for a text over 64 characters.
    """
    if len(text) > _LONGEST_TEXT:
        raise DurationInvalid(f"is {len(text)} characters long, limit {_LONGEST_TEXT}")
    unsigned = text[1:] if text[:1] in {"+", "-"} else text
    total = 0 if unsigned == "0" else _nanoseconds(unsigned)
    if total is None:
        raise DurationInvalid('is not a duration such as "90s" or "1h30m"')
    if total and text.startswith("-"):
        raise DurationInvalid("is negative")
    if total > _MOST:
        raise DurationInvalid("is over 292 years")
    return total // SECOND


def _nanoseconds(text: str) -> int | None:
    position = total = 0
    while match := _PART.match(text, position):
        whole, fraction, unit = match["whole"], match["fraction"] or "", _UNITS[match["unit"]]
        if not whole and not fraction:
            return None
        # In doubles, as Go does: another rounding could be another second.
        part = float(fraction or 0) * (unit / 10.0 ** len(fraction))
        total += int(whole or 0) * unit + int(part)
        position = match.end()
    return total if position and position == len(text) else None
