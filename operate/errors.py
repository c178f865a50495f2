"""What an operator's command ends with beside the errors of the packages it calls.

OperateError
├── PulumiFailed    the CLI gave an error; carries what it said
└── ZoneNotNamed    the stack is dormant, or what was given is no zone id
"""

from __future__ import annotations

from control.text import printable


class OperateError(Exception):
    """Base of them all. The message is one line."""


class PulumiFailed(OperateError):
    """The CLI could not answer."""

    def __init__(self, words: tuple[str, ...], said: str) -> None:
        last = [line for line in said.splitlines() if line.strip()][-1:] or ["no output"]
        super().__init__(f"pulumi {' '.join(words)}: {printable(last[0].removeprefix('error: '))}")


class ZoneNotNamed(OperateError):
    """There is no zone to work on."""
