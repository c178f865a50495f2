"""The pack in the real engine, on a box's two resources, before a provider without guards."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from local.engine_env import CHECKOUT
from tests.policy.box_summaries import CASES

if TYPE_CHECKING:
    from tests.engine.cli import EngineRunner, Stack

pytestmark = pytest.mark.engine
PACK = str(CHECKOUT / "policy")

_PROVIDER = """
import pathlib
from pulumi import dynamic

class Provider(dynamic.ResourceProvider):
    serialize_as_secret_always = False

    def create(self, props):
        pathlib.Path("made-" + props["case"]).touch()
        return dynamic.CreateResult(props["case"], props)

class SidecarRoutes(dynamic.Resource, module="box", name="SidecarRoutes"):
    pass

class RegistrySnapshot(dynamic.Resource, module="box", name="RegistrySnapshot"):
    pass
"""
_MAIN = """
import json, pathlib
import resources

for case, (name, summary) in json.loads(pathlib.Path("cases.json").read_text()).items():
    props = {"case": case, "summary": summary}
    getattr(resources, name)(resources.Provider(), case, props)
"""
PASSING = {f"{rule}-passes": (type_, fields) for rule, (type_, fields, _) in CASES.items()}
BREAKING = {f"{rule}-breaks": (type_, fields) for rule, (type_, _, fields) in CASES.items()}


@pytest.fixture
def stack(engine: EngineRunner, tmp_path: Path) -> Stack:
    """All cases in one program, each with the class of its type."""
    cases = {
        name: (type_.rpartition(":")[2], fields)
        for name, (type_, fields) in (PASSING | BREAKING).items()
    }
    files = {"__main__.py": _MAIN, "resources.py": _PROVIDER, "cases.json": json.dumps(cases)}
    return engine.project(tmp_path, files)


def test_preview_of_a_mutation(stack: Stack) -> None:
    """Each rule reports its own case, and nothing else does."""
    done = stack.run("preview", "--policy-pack", PACK, check=False)
    shown = r"- \[mandatory\] \[.*\]  ([\w-]+)  \(pulumi-python:dynamic/box:\w+: (\S+)\)"
    assert done.returncode != 0
    assert {case: rule for rule, case in re.findall(shown, done.stdout)} == {
        f"{rule}-breaks": rule for rule in CASES
    }


def test_up_of_a_mutation(stack: Stack) -> None:
    """Without a preview too, a box's rule stops the run before its resource is made."""
    done = stack.run("up", "--yes", "--skip-preview", "--policy-pack", PACK, check=False)
    assert done.returncode != 0
    assert not [each for each in stack.project.glob("made-*") if each.name.endswith("-breaks")]
