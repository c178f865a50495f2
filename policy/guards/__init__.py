"""Safety guards: pure functions from a plan's summary to violations.

The same functions run in the policy pack, in a resource's ``check`` and on the fresh read before
its ``create`` or ``update``. Only the standard library and pydantic, relative imports only: to the
project this is ``policy.guards``, to a pack published on its own it is ``guards``.
"""

from .rules import STEERING, Rule, Violation, steering_violations
from .summary import SteeringSummary, SummaryUnreadableError, read_steering

__all__ = [
    "STEERING",
    "Rule",
    "SteeringSummary",
    "SummaryUnreadableError",
    "Violation",
    "read_steering",
    "steering_violations",
]
