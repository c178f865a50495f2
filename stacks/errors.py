"""What a program stops at on its own: before it registers anything, but for those marked *.

StackError
├── SettingsInvalid      the stack's configuration, every mistake at once
├── AcknowledgementInvalid  FAIRLEAD_ACKNOWLEDGE is not <digest>.<expiry>
├── PlanRefused *        a guard refuses the plan, or a strict preview ends as its run would
├── RealizerSwitched     the other realizer keeps the live zone
└── of the realizer native alone:
    ├── NotInstalled     the AWS provider's SDK or plugin is missing
    ├── OutOfOrder       the engine cannot make the changes in an order that Route 53 takes
    ├── NotInState *     what is to be made exists, or what is to go is no removal of the plan
    ├── Unfinished *     what is to go stays, since something that comes first has failed
    ├── NotDone          the zone is not what the run was for, though the engine found no fault
    └── Drifted *        the zone differs where the engine finds nothing to do
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


class RealizerSwitched(StackError):
    """The live zone is kept by the other realizer: there is no way from one to the other."""


class NotInstalled(StackError):
    """The AWS provider's Python package or its plugin is missing."""


class OutOfOrder(StackError):
    """A set would move into a region while another one still answers there."""


class NotInState(StackError):
    """The state and the plan disagree about one resource, which stays as it is."""


class Unfinished(StackError):
    """Something is to be deleted while the rest of the plan is not done."""


class NotDone(StackError):
    """The engine is done, and the zone is not what the run was for."""


class Drifted(StackError):
    """The zone differs from what is declared, and the engine finds nothing to do."""
