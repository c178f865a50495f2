"""A rule over the summary of one kind of stack, and what is said where it is broken."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

LENGTH = 12
"""Lower-case hex digits of a digest."""

Finding = tuple[str, str]  # what is wrong with measure and limit; the way out besides a digest
Level = Literal["mandatory", "advisory"]
Summary = TypeVar("Summary")


@dataclass(frozen=True, slots=True)
class Rule(Generic[Summary]):
    """One rule. ``description`` is a sentence, ``acknowledgeable`` says whether a digest helps."""

    name: str
    level: Level
    find: Callable[[Summary], Iterator[Finding]]
    description: str
    acknowledgeable: bool


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule. ``message`` is one line: subject, measure, limit, way out."""

    rule: str
    level: Level
    message: str
    digest: str = ""


Broken = tuple[Rule[Any], Finding]


def broken(rules: Iterable[Rule[Summary]], summary: Summary) -> list[Broken]:
    """Return every finding with its rule, in the order of the rules."""
    return [(rule, finding) for rule in rules for finding in rule.find(summary)]


def violations(found: Iterable[Broken], subject: str, code: str) -> tuple[Violation, ...]:
    """Say what is broken of a subject. ``code`` is the digest that lets through what one can."""
    return tuple(_violation(rule, finding, subject, code) for rule, finding in found)


def hashed(covered: object) -> str:
    """Return the digest of a JSON value."""
    text = json.dumps(covered, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:LENGTH]


def _violation(rule: Rule[Any], finding: Finding, subject: str, code: str) -> Violation:
    problem, remedy = finding
    way_out = f"; or, if it is meant, acknowledge digest {code}" if rule.acknowledgeable else ""
    message = f"{rule.name}: {subject}: {problem}; {remedy}{way_out}"
    return Violation(rule.name, rule.level, message, code if rule.acknowledgeable else "")
