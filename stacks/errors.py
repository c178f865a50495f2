"""What a program stops at on its own: before it registers anything, but for `PlanRefused`.

StackError
├── SettingsInvalid      the stack's configuration, every mistake at once
├── AcknowledgementInvalid  FAIRLEAD_ACKNOWLEDGE is not <digest>.<expiry>
└── PlanRefused          a guard refuses the plan, or a strict preview ends as its run would
"""

from __future__ import annotations


class StackError(Exception):
    """Base of everything a stack's program refuses on its own."""


class SettingsInvalid(StackError):
    """The configuration has mistakes. The message names every key that has one."""


class AcknowledgementInvalid(StackError):
    """The acknowledgement is not of the form ``<12 hex digits>.<YYYYMMDDTHHMMSSZ>``."""


class PlanRefused(StackError):
    """A guard refuses the plan, or its run would fail. The message has every reason."""
