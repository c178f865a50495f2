"""One waiver: what it lets through, why, and until when."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    ValidationInfo,
)

from .native import NATIVE
from .native_records import RECORD, shown

FARTHEST = timedelta(days=366)
"""How far ahead an expiry may lie."""
WAIVABLE = tuple(each.rule.name for each in NATIVE)
_UNTIL = re.compile(r"(?<![^\s,;(])until=([^\s,;)]*)")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ID = re.compile(r"[A-Za-z0-9_.-]+")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Given:
    """What a file is checked against."""

    stack: str
    today: date


def _given(info: ValidationInfo) -> Given:
    context: Given = info.context  # type: ignore[assignment]
    return context


def _some(listed: tuple[T, ...]) -> tuple[T, ...]:
    if not listed:
        raise ValueError("must list at least one")
    return listed


def _id(text: str) -> str:
    if not _ID.fullmatch(text):
        raise ValueError("may have letters, digits, '-', '.' and '_' alone")
    return text


def _waivable(name: str) -> str:
    if name not in WAIVABLE:
        raise ValueError(f"{shown(name)} takes no waiver, these do: {', '.join(WAIVABLE)}")
    return name


def _target(urn: str, info: ValidationInfo) -> str:
    """A record of the file's own stack, by its exact URN: another would answer for nothing."""
    parts = urn.split("::", 3)
    if len(parts) != 4 or not parts[0].startswith("urn:pulumi:") or not parts[3]:  # noqa: PLR2004
        raise ValueError(f"{shown(urn)} is no URN: urn:pulumi:<stack>::<project>::<type>::<name>")
    stack, type_ = parts[0].removeprefix("urn:pulumi:"), parts[2].rpartition("$")[2]
    if stack != _given(info).stack:
        raise ValueError(f"{shown(urn)} is of stack {shown(stack)}, not of this file's")
    if type_ != RECORD:
        raise ValueError(f"{shown(urn)} is no {RECORD}")
    return urn


def _reason(text: str, info: ValidationInfo) -> str:
    """Words, and one ``until=YYYY-MM-DD``: that day, in UTC, is the last on which it holds."""
    today, said = _given(info).today, _UNTIL.findall(text)
    if not _UNTIL.sub("", text).strip(" ,;()"):
        raise ValueError("says no reason beside its expiry")
    if len(said) != 1:
        raise ValueError(f"has {len(said)} expiries, must have one: until=YYYY-MM-DD")
    until = _day(said[0])
    if until < today:
        raise ValueError(f"expired: until {until}, today is {today}; remove it, or renew it")
    if until - today > FARTHEST:
        raise ValueError(f"until {until} is more than {FARTHEST.days} days from {today}")
    return text


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text if _DAY.fullmatch(text) else "")
    except ValueError:
        raise ValueError(f"until={shown(text)} is no day, must be until=YYYY-MM-DD") from None


_Some: TypeAlias = Annotated[tuple[T, ...], AfterValidator(_some)]


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Match(_Form):
    """What a waiver lets through: violations of any of the policies on any of the targets."""

    policies: _Some[Annotated[str, AfterValidator(_waivable)]]
    targets: _Some[Annotated[str, AfterValidator(_target)]]


class Waiver(_Form):
    """One waiver."""

    reason: Annotated[str, AfterValidator(_reason)]
    match: _Some[Match]


Waivers: TypeAlias = dict[Annotated[str, AfterValidator(_id)], Waiver]
"""Waivers by identifier."""
