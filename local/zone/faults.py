"""Faults: which call fails, and how."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from local.zone.errors import ApiError, UnknownFaultError
from local.zone.vocabulary import Doc

ERRORS = {  # what is answered instead of the operation's document: code and message
    "throttle": ("Throttling", "Rate exceeded"),
    "500": ("InternalFailure", "An internal error occurred."),
    "503": ("ServiceUnavailable", "The service is unavailable."),
    "prior_request": (
        "PriorRequestNotComplete",
        "The request was rejected because Route 53 was still processing a prior request.",
    ),
    "expired": ("ExpiredToken", "The security token included in the request is expired"),
    "denied": (
        "AccessDenied",
        "User: arn:aws:iam::111122223333:user/emulated is not authorized to perform: route53:{op}",
    ),
}
ACTIONS = (*ERRORS, "drop_before", "drop_after", "delay")


@dataclass(frozen=True)
class Fault:
    """One rule: the operation ("*": any), the call that it strikes, and what happens then.

    nth strikes once; without it every strikes each m-th call. delay is in seconds.
    """

    op: str = "*"
    nth: int | None = None
    every: int = 1
    delay: float = 0.0
    do: str | None = None

    def strikes(self, count: int) -> bool:
        """Whether it strikes the call with this number, counted from 1."""
        return count == self.nth if self.nth else count % self.every == 0


NO_FAULT = Fault()


def error_of(action: str, op: str) -> ApiError:
    """The error that one of the actions in ERRORS answers to an operation."""
    code, message = ERRORS[action]
    return ApiError(code, message.format(op=op))


def parse_fault(rule: Doc) -> Fault:
    """A fault from its JSON form; UnknownFaultError for an unknown action or key."""
    do = rule.get("do", "delay")
    timed = {"do": "delay", **do} if isinstance(do, dict) else {"do": str(do)}
    wanted = {**rule, **timed}
    unknown = sorted(wanted.keys() - Fault.__dataclass_fields__.keys())
    if unknown or timed["do"] not in ACTIONS:
        known = f"do is one of {', '.join(ACTIONS)}; keys are op, nth, every, delay, do"
        raise UnknownFaultError(f"unknown fault {rule!r}: {known}")
    return Fault(**wanted)


class FaultPlan:
    """The rules in their order, and the calls counted so far by operation."""

    def __init__(self, rules: Iterable[Doc] = ()) -> None:
        self.rules: list[Fault] = []
        self._seen = Counter[str]()
        self.replace(rules)

    def replace(self, rules: Iterable[Doc]) -> None:
        """Take other rules; the counts go on. UnknownFaultError changes nothing."""
        self.rules = [parse_fault(rule) for rule in rules]

    def restart(self) -> None:
        """Count from the beginning."""
        self._seen.clear()

    def next_for(self, op: str) -> Fault:
        """Count a call, and the first rule that strikes it."""
        self._seen.update((op, "*"))
        striking = (
            rule
            for rule in self.rules
            if rule.op in (op, "*") and rule.strikes(self._seen[rule.op])
        )
        return next(striking, NO_FAULT)
