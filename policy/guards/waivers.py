"""What is wrong with a file of waivers, ``exceptions.<stack>.json``.

It is a configuration of the pack in the engine's version 2 form. The engine checks the form alone:
it knows no expiry, lets any policy be waived, and takes any level.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from pydantic import TypeAdapter, ValidationError

from .native_records import shown
from .waiver_document import DocumentUnreadableError, mistakes_in, read_document
from .waiver_forms import Given, Waivers
from .waiver_levels import level_mistakes

_KEYS = ("version", "policies", "exceptions")
_WAIVERS: TypeAdapter[Waivers] = TypeAdapter(Waivers)


def waiver_mistakes(text: bytes, stack: str, today: date) -> tuple[str, ...]:
    """Return everything that is wrong with a stack's waivers, one line each, sorted; else nothing.

    ``today`` is the day in UTC.
    """
    try:
        found = read_document(text)
    except DocumentUnreadableError as error:
        return (str(error),)
    return tuple(sorted(_mistakes(found, stack, today)))


def _mistakes(found: dict[str, Any], stack: str, today: date) -> Iterator[str]:
    if found.get("version") != 2:  # noqa: PLR2004 - the engine's own number
        yield "version: must be the number 2"
    for key in found.keys() - set(_KEYS):
        yield f"{shown(key)}: not one of {', '.join(_KEYS)}"
    yield from level_mistakes(found.get("policies", {}))
    try:
        _WAIVERS.validate_python(found.get("exceptions", {}), context=Given(stack, today))
    except ValidationError as error:
        yield from mistakes_in(error, "exceptions")
