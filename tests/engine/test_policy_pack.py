"""The pack in its real process under the real engine, in front of a provider without guards."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from local.engine_env import CHECKOUT
from policy.guards import STEERING, steering_violations
from tests.policy.summaries import CASES, fields, summary

if TYPE_CHECKING:
    from tests.engine.cli import EngineRunner, Stack

pytestmark = pytest.mark.engine

PACK = CHECKOUT / "policy"
LEVELS = {rule.name: rule.level for rule in STEERING}
Violations: TypeAlias = dict[str, set[tuple[str, str]]]  # by resource: level, policy

_PROVIDER = """
import pathlib
from pulumi import dynamic

class Provider(dynamic.ResourceProvider):
    serialize_as_secret_always = False

    def create(self, props):
        pathlib.Path("made-" + props["case"]).touch()
        return dynamic.CreateResult(props["case"], {**props, "later": 8})

class ZoneRecords(dynamic.Resource, module="steering", name="ZoneRecords"):
    def __init__(self, case, props):
        super().__init__(Provider(), case, {**props, "case": case, "later": None})

class Other(dynamic.Resource, module="scratch", name="Other"):
    def __init__(self, case):
        super().__init__(Provider(), case, {"case": case, "later": None})
"""
_MAIN = """
import json, pathlib
import pulumi
from zone_records import Other, ZoneRecords

def known_later(value):
    if isinstance(value, dict):
        return {key: known_later(each) for key, each in value.items()}
    return other.later if value == "LATER" else value

cases = json.loads(pathlib.Path("cases.json").read_text())
chosen = pulumi.Config().get_object("cases") or [*cases]
other = Other("other")
for case in chosen:
    ZoneRecords(case, known_later(cases[case]))
"""


def _acknowledged() -> dict[str, Any]:
    broken = CASES["steering-shrink"][1]
    (violation,) = steering_violations(summary(broken))
    return fields(broken, acknowledged=violation.digest)


PASSING = {f"{rule}-passes": {"summary": fields(CASES[rule][0])} for rule in CASES}
PASSING["acknowledged"] = {"summary": _acknowledged()}
BREAKING = {f"{rule}-breaks": {"summary": fields(CASES[rule][1])} for rule in CASES}
UNREADABLE: dict[str, dict[str, Any]] = {
    "no-summary": {},
    "no-object": {"summary": "text"},
    "missing-key": {"summary": {key: each for key, each in fields().items() if key != "ttl"}},
    "wrong-kind": {"summary": fields(managed="many")},
}
UNKNOWN: dict[str, dict[str, Any]] = {
    "unknown": {"summary": "LATER"},
    "unknown-key": {"summary": fields(managed="LATER")},
}


def _stack(engine: EngineRunner, folder: Path) -> Stack:
    cases = json.dumps({**PASSING, **BREAKING, **UNREADABLE, **UNKNOWN})
    files = {"__main__.py": _MAIN, "zone_records.py": _PROVIDER, "cases.json": cases}
    return engine.project(folder, files)


def _violations(text: str) -> Violations:
    found: Violations = {}
    shown = r"- \[(\w+)\] \[severity: \w+\]  ([\w-]+)  \(pulumi-python:dynamic/[\w:/]+: ([\w-]+)\)"
    for level, policy, resource in re.findall(shown, text):
        found.setdefault(resource, set()).add((level, policy))
    return found


@pytest.fixture(scope="module")
def preview(engine: EngineRunner, tmp_path_factory: pytest.TempPathFactory) -> Violations:
    """What one preview of all cases reports."""
    stack = _stack(engine, tmp_path_factory.mktemp("preview"))
    done = stack.run("preview", "--policy-pack", str(PACK), check=False)
    assert done.returncode != 0
    return _violations(done.stdout)


@pytest.fixture
def stack(engine: EngineRunner, tmp_path: Path) -> Stack:
    return _stack(engine, tmp_path)


def _up(stack: Stack, *cases: str, pack: Path = PACK) -> tuple[int, Violations, list[str]]:
    """Run up without a preview; return exit code, violations, and the resources made."""
    stack.configure({"scratch:cases": json.dumps(cases)})
    done = stack.run("up", "--yes", "--skip-preview", "--policy-pack", str(pack), check=False)
    made = sorted(path.name.removeprefix("made-") for path in stack.project.glob("made-*"))
    return done.returncode, _violations(done.stdout), [case for case in made if case != "other"]


def test_preview_of_cases_that_pass(preview: Violations) -> None:
    """Neither those at their limit, nor an acknowledged one, nor another type is reported."""
    assert preview.keys() == {*BREAKING, *UNREADABLE, *UNKNOWN}


@pytest.mark.parametrize("rule", CASES)
def test_preview_of_a_mutation(rule: str, preview: Violations) -> None:
    """Its policy reports it at its level, and no other policy does."""
    assert preview[f"{rule}-breaks"] == {(LEVELS[rule], rule)}


@pytest.mark.parametrize("case", [*UNREADABLE, *UNKNOWN])
def test_preview_of_what_cannot_be_read(case: str, preview: Violations) -> None:
    """Every policy reports it at its level, so the run fails: never an advice instead."""
    assert preview[case] == {(level, rule) for rule, level in LEVELS.items()}


def test_up_of_cases_that_pass(stack: Stack) -> None:
    """Everything is made."""
    assert _up(stack, *PASSING) == (0, {}, sorted(PASSING))


@pytest.mark.parametrize("rule", CASES)
def test_up_of_a_mutation(rule: str, stack: Stack) -> None:
    """Without a preview a mandatory policy stops the run before anything is made."""
    case, level = f"{rule}-breaks", LEVELS[rule]
    code, found, made = _up(stack, case)
    assert found == {case: {(level, rule)}}
    assert (code != 0, made) == ((True, []) if level == "mandatory" else (False, [case]))


@pytest.mark.parametrize("case", ["missing-key", "no-object"])
def test_up_of_what_cannot_be_read(case: str, stack: Stack) -> None:
    """Nothing is made."""
    code, found, made = _up(stack, case)
    assert (code != 0, made) == (True, [])
    assert ("mandatory", "steering-shrink") in found[case]


def test_pack_elsewhere(stack: Stack, tmp_path: Path) -> None:
    """The folder alone, with its environment, is the whole pack."""
    pack = tmp_path / "elsewhere"
    shutil.copytree(PACK, pack, ignore=shutil.ignore_patterns("venv", "__pycache__"))
    (pack / "venv").symlink_to(PACK / "venv")
    code, found, made = _up(stack, "steering-shrink-breaks", pack=pack)
    assert (code != 0, [*found], made) == (True, ["steering-shrink-breaks"], [])
    passes = "steering-shrink-passes"
    assert _up(stack, passes, pack=pack) == (0, {}, [passes])
