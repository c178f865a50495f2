"""docs/guards.md says what the code does."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from policy.guards import (
    ADOPTION,
    NATIVE,
    SIDECARS,
    SNAPSHOTS,
    STEERING,
    Rule,
    read_sidecars,
    read_snapshot,
    sidecar_violations,
    snapshot_violations,
    steering_violations,
    waiver_mistakes,
)
from tests.policy.box_summaries import CASES as BOX_CASES
from tests.policy.records import CASES as RECORD_CASES
from tests.policy.records import POLICIES, said
from tests.policy.summaries import CASES, shrinking, summary

_PAGE = (Path(__file__).parents[2] / "docs" / "guards.md").read_text()
_RECORDS = tuple(each.rule for each in NATIVE)
_RULES: tuple[Rule[Any], ...] = (*STEERING, ADOPTION, *SIDECARS, *SNAPSHOTS, *_RECORDS)
_SECTIONS = dict(re.findall(r"^### (\S+)\n(.*?)(?=^###? |\Z)", _PAGE, re.DOTALL | re.MULTILINE))


def _message(rule: Rule[Any]) -> str:
    if rule in _RECORDS:
        (message,) = said(rule.name, *RECORD_CASES[rule.name][1])
        return message
    if rule in SIDECARS:
        found = sidecar_violations(read_sidecars(BOX_CASES[rule.name][2]))
    elif rule in SNAPSHOTS:
        found = snapshot_violations(read_snapshot(BOX_CASES[rule.name][2]))
    elif rule == ADOPTION:
        found = steering_violations(summary({"shrinking": [shrinking("a", 1)]}), first_run=True)
    else:
        found = steering_violations(summary(CASES[rule.name][1]))
    return next(each.message for each in found if each.rule == rule.name)


def test_sections() -> None:
    """Every rule has a section, and every section is a rule, in the order of the code."""
    assert [*_SECTIONS] == [rule.name for rule in _RULES]


@pytest.mark.parametrize("rule", _RULES, ids=lambda rule: rule.name)
def test_section(rule: Rule[Any]) -> None:
    """It says what is refused, the limit, a message that the code produces, and the way out."""
    section = _SECTIONS[rule.name]
    assert section.startswith(f"\n{rule.description}\n")
    assert re.search(r"^(Limits?|Notice): ", section, re.MULTILINE)
    assert f"```text\n{_message(rule)}\n```" in section
    assert re.search(r"^Way out: ", section, re.MULTILINE)


def test_table() -> None:
    """The table has every rule, its level, and whether a digest lets it through."""
    rows = re.findall(r"^\| \[(\S+)\]\(#(\S+)\) \| (\w+) \| (\w+) \|$", _PAGE, re.MULTILINE)
    assert rows == [
        (rule.name, rule.name, rule.level, "yes" if rule.acknowledgeable else "no")
        for rule in _RULES
    ]


def test_example_of_an_acknowledgement() -> None:
    """The digest is that of the page's own example."""
    (violation,) = steering_violations(summary(CASES["steering-shrink"][1]))
    assert f"FAIRLEAD_ACKNOWLEDGE={violation.digest}.20260907T100000Z pulumi up" in _PAGE


@pytest.mark.parametrize("rule", POLICIES)
def test_settings_of_a_policy(rule: str) -> None:
    """Each has a line with its default."""
    for key, schema in POLICIES[rule].schema.items():
        line = f"Setting: `{key}`, default `{json.dumps(schema['default'])}`"
        assert line in _SECTIONS[rule]


def test_example_of_waivers() -> None:
    """All is well with it, until it expires."""
    (text,) = re.findall(r"^```json\n(.*?)^```", _PAGE, re.DOTALL | re.MULTILINE)
    assert waiver_mistakes(text.encode(), "production", date(2027, 3, 31)) == ()
    assert len(waiver_mistakes(text.encode(), "production", date(2027, 4, 1))) == 1
