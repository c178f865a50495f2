"""What the engine reports of a policy pack's resource policies, read from its output."""

from __future__ import annotations

import re
from typing import TypeAlias

Shown: TypeAlias = tuple[str, str, str, str, str]
"""``exempted`` or nothing, level, severity, policy, and the record's name."""
_LINE = re.compile(
    r"[-·] (?:\[(exempted)\] )?\[(\w+)\] \[severity: (\w+)\]  ([\w-]+)  \(\S+ (\S+)\)"
)


def shown(text: str) -> set[Shown]:
    """Return every line of a violation in the output of preview, up or analyze."""
    return {
        (waived, level, severity, policy, name)
        for waived, level, severity, policy, name in _LINE.findall(text)
    }
