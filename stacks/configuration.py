"""A stack's whole configuration as the settings of one kind, with every mistake at once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from control.text import printable
from folds.desired import Value
from stacks.errors import SettingsInvalid

NAMESPACE = "fairlead:"
_OWN_WORDS = {
    "extra_forbidden": "no such setting; remove it, or see Pulumi.yaml for those there are",
    "model_type": "not a JSON object",
    "tuple_type": "not a JSON array",
}
_Settings = TypeVar("_Settings", bound=Value)


def from_json(value: object) -> object:
    """Read an object or an array: they reach a program as JSON text."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error}") from error


def own(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of our namespace, without it."""
    return {
        key.removeprefix(NAMESPACE): value
        for key, value in config.items()
        if key.startswith(NAMESPACE)
    }


def parsed(
    config: Mapping[str, Any], model: type[_Settings], others: Iterable[type[Value]] = ()
) -> _Settings:
    """Read the settings of one kind out of a whole configuration, ``namespace:key`` to value.

    ``others`` are the other kinds': the engine puts every declared default into every stack, so
    their keys are passed over where they hold that, and are mistakes where they hold anything else.

    Raises:
        SettingsInvalid: naming every bad key, unknown ones of our namespace included.
    """
    given = own(config)
    foreign = {key: value for each in others for key, value in declared(each).items()}
    foreign = {key: value for key, value in foreign.items() if key not in declared(model)}
    mistakes = list(_of_other_kinds(given, foreign))
    try:
        settings = model.model_validate(
            {key: value for key, value in given.items() if key not in foreign},
            by_alias=True,
            by_name=False,
        )
    except ValidationError as error:
        mistakes += [_mistake(each["loc"], each["type"], each["msg"]) for each in error.errors()]
        raise _invalid(mistakes) from error
    if mistakes:
        raise _invalid(mistakes)
    return settings


def declared(model: type[Value]) -> dict[str, Any]:
    """Return each key of a kind's settings and its default, as Pulumi.yaml declares them."""
    fields = model.model_fields.values()
    return {field.alias or "": _plain(field.get_default()) for field in fields}


def _plain(default: object) -> object:
    if isinstance(default, tuple):
        return list(default)
    return {} if isinstance(default, Value) else default


def _of_other_kinds(given: Mapping[str, Any], foreign: Mapping[str, Any]) -> Iterator[str]:
    for key in given.keys() & foreign.keys():
        if not _is_default(given[key], foreign[key]):
            yield f"{NAMESPACE}{key}: a setting of another kind of stack; remove it"


def _is_default(value: object, default: object) -> bool:
    """Compare as the engine writes defaults: text as it is, all else as JSON."""
    if isinstance(default, str) or not isinstance(value, str):
        return bool(value == default)
    try:
        found = json.loads(value)
    except json.JSONDecodeError:
        return False
    return bool(found == default)


def _mistake(location: tuple[int | str, ...], kind: str, message: str) -> str:
    key = ".".join(printable(str(part)) for part in location)
    text = _OWN_WORDS.get(kind) or message.removeprefix("Value error, ")
    return f"{NAMESPACE}{key}: {printable(text)}"


def _invalid(mistakes: list[str]) -> SettingsInvalid:
    return SettingsInvalid(f"settings: {'; '.join(sorted(mistakes))}")
