"""docs/guards.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from policy.guards import ADOPTION, STEERING, Rule, steering_violations
from tests.policy.summaries import CASES, shrinking, summary

_PAGE = (Path(__file__).parents[2] / "docs" / "guards.md").read_text()
_RULES = (*STEERING, ADOPTION)
_SECTIONS = dict(re.findall(r"^### (\S+)\n(.*?)(?=^###? |\Z)", _PAGE, re.DOTALL | re.MULTILINE))


def _message(rule: Rule) -> str:
    first_run = rule == ADOPTION
    broken = {"shrinking": [shrinking("a", 1)]} if first_run else CASES[rule.name][1]
    found = steering_violations(summary(broken), first_run=first_run)
    return next(each.message for each in found if each.rule == rule.name)


def test_sections() -> None:
    """Every rule has a section, and every section is a rule, in the order of the code."""
    assert [*_SECTIONS] == [rule.name for rule in _RULES]


@pytest.mark.parametrize("rule", _RULES, ids=lambda rule: rule.name)
def test_section(rule: Rule) -> None:
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
