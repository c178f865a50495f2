"""Reading a JSON object of which no key may be said twice, and naming what is wrong in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NoReturn

from pydantic import ValidationError

from .native_records import shown


class DocumentUnreadableError(Exception):
    """It is no JSON object that can be read in one way only."""


def read_document(text: bytes) -> dict[str, Any]:
    """Parse a JSON object.

    Raises:
        DocumentUnreadableError: it is none, or says a key twice: the engine would take one of them.
    """
    try:
        found = json.loads(text.decode(), object_pairs_hook=_once, parse_constant=_constant)
    except (ValueError, RecursionError) as error:
        raise DocumentUnreadableError(f"no JSON: {shown(str(error))}") from error
    if not isinstance(found, dict):
        raise DocumentUnreadableError(f"is {_kind(found)}, must be an object")
    return found


def mistakes_in(error: ValidationError, *where: str) -> Iterator[str]:
    """Yield every mistake that pydantic found, with its place in the document."""
    for each in error.errors(include_url=False):
        place = ".".join(shown(str(part)) for part in (*where, *each["loc"]) if part != "[key]")
        own = each.get("ctx", {}).get("error")
        yield f"{place}: {own if isinstance(own, ValueError) else each['msg']}"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        raise ValueError(f"said twice: {', '.join(twice)}")
    return found


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _kind(found: object) -> str:
    return {list: "an array", str: "a string", type(None): "null"}.get(type(found), "a scalar")
