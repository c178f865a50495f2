"""Reading JSON that must mean the same to every reader, or be refused.

RFC 8259 leaves open what duplicate names, lone surrogates and large numbers mean, and Python's
reader adds words of its own. Each is refused by name here, so that no later step sees them.
"""

from __future__ import annotations

import codecs
import json
import re
from typing import Any, NoReturn

from control.errors import Malformed

MAX_BYTES = 256 * 1024
"""Most bytes of a document: room for a thousand times the largest one known."""
MAX_DEPTH = 64
MAX_NUMBER = 2**53
"""The largest magnitude up to which every integer survives a reader that uses doubles."""

_BYTE_ORDER_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_DIGITS = len(str(MAX_NUMBER))
# The closing quote is optional: a string without one is matched to its end, once.
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)


class _Refused(Exception):
    """Why a document is refused; carries the reason to `parse_object`, which knows the key."""


def parse_object(body: bytes, key: str) -> dict[str, Any]:
    """Parse a document that must be one JSON object.

    Raises `Malformed` with the key, and for nothing else, when the body is empty, over 256 KiB, not
    UTF-8, begins with a byte order mark, nests over 64 deep, is not JSON or not an object, or holds
    a duplicate name, NaN or Infinity, a number beyond 2^53 or a lone surrogate. Linear in the body.
    """
    try:
        return _parse(_text(body))
    except _Refused as refused:
        raise Malformed(key, str(refused)) from refused


def _text(body: bytes) -> str:
    if not body:
        raise _Refused("is empty, not a JSON object")
    if len(body) > MAX_BYTES:
        raise _Refused(f"is {len(body)} bytes, over the limit of {MAX_BYTES}")
    if body.startswith(_BYTE_ORDER_MARKS):
        raise _Refused("begins with a byte order mark; write plain UTF-8")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _Refused(f"is not UTF-8 at byte {error.start}") from error


def _parse(text: str) -> dict[str, Any]:
    _limit_depth(text)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_float,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        raise _Refused(f"is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise _Refused(f"is {kind_of(value)}, not an object")
    if "\\u" in text:
        _refuse_lone_surrogates(value)
    return value


def kind_of(value: object) -> str:
    """Name a JSON value's kind with its article: ``a string``, ``null``."""
    kinds = {dict: "an object", list: "an array", str: "a string", bool: "a boolean"}
    return "null" if value is None else kinds.get(type(value), "a number")


def _limit_depth(text: str) -> None:
    """Refuse deep nesting before the parser recurses into it."""
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        found = match.group()
        depth += (found in "[{") - (found in "]}")
        if depth > MAX_DEPTH:
            raise _Refused(f"nests over {MAX_DEPTH} deep at character {match.start()}")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for name, member in pairs:
        if name in value:
            raise _Refused(f'has the name "{name}" twice in one object')
        value[name] = member
    return value


def _integer(digits: str) -> int:
    # Long ones are refused unread: Python's own limit on digits is a ValueError of another kind.
    if len(digits.lstrip("-")) > _DIGITS or abs(int(digits)) > MAX_NUMBER:
        _too_large(digits)
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if abs(value) > MAX_NUMBER:
        _too_large(digits)
    return value


def _too_large(digits: str) -> NoReturn:
    shown = digits if len(digits) <= 2 * _DIGITS else f"{digits[:_DIGITS]}..."
    raise _Refused(f"has the number {shown}, beyond 2^53; carry it as text")


def _constant(name: str) -> NoReturn:
    raise _Refused(f"has the value {name}, which is not JSON")


def _refuse_lone_surrogates(value: dict[str, Any]) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        code = ord(error.object[error.start])
        raise _Refused(f"has a lone surrogate, \\u{code:04x}, in a string") from error
