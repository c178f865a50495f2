"""The inputs of a resource, validated by its model, and every reason not to go on with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from folds.desired import Value
from policy.guards import SummaryUnreadableError, Violation

_Inputs = TypeVar("_Inputs", bound=Value)
Judge = Callable[[object], Iterable[Violation]]
"""Reads a summary and asks the guards; raises `SummaryUnreadableError` for what is no summary."""


def parsed(model: type[_Inputs], props: Mapping[str, Any]) -> _Inputs:
    """Parse the inputs; keys of the SDK's own (``__provider``) and outputs are passed over.

    Raises:
        ValidationError: with every mistake.
    """
    return model.model_validate(
        {key: value for key, value in props.items() if key in model.model_fields}
    )


def reasons(props: Mapping[str, Any], model: type[Value], judge: Judge) -> tuple[str, ...]:
    """Return every reason not to go on: bad inputs, or each mandatory guard that refuses.

    A mistake is told by its place and without its value.
    """
    try:
        violations = judge(props.get("summary"))
        parsed(model, props)
    except SummaryUnreadableError as error:
        return (f"the summary cannot be read: {error}",)
    except ValidationError as error:
        return tuple(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
    return mandatory(violations)


def mandatory(violations: Iterable[Violation]) -> tuple[str, ...]:
    """Return the messages of those that stop a run."""
    return tuple(each.message for each in violations if each.level == "mandatory")
