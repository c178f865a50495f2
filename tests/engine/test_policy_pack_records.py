"""The policies over Route 53 records in the pack's real process, under the real engine."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from local.engine_env import CHECKOUT
from policy.guards import NATIVE, RECORD, waiver_mistakes
from tests.engine.policy_lines import Shown, shown
from tests.policy.records import CASES, Props

if TYPE_CHECKING:
    from tests.engine.cli import EngineRunner, Stack

pytestmark = pytest.mark.engine
PACK = ("--policy-pack", str(CHECKOUT / "policy"))
LEVELS = {each.rule.name: (each.rule.level, each.severity) for each in NATIVE}
_ROOT = "urn:pulumi:dev::scratch::pulumi:pulumi:Stack::scratch-dev"
_PROVIDER = "urn:pulumi:dev::scratch::pulumi:providers:aws::default"


def _urn(name: str) -> str:
    return f"urn:pulumi:dev::scratch::{RECORD}::{name}"


def _state(records: dict[str, Props]) -> str:
    """The state of a stack that has these records, as `pulumi stack export` has it."""
    provider = {"type": "pulumi:providers:aws", "custom": True, "id": "p", "urn": _PROVIDER}
    resources: list[dict[str, Any]] = [
        {"urn": _ROOT, "type": "pulumi:pulumi:Stack", "custom": False},
        {**provider, "parent": _ROOT},
    ]
    for name, props in records.items():
        kept = {"inputs": dict(props), "outputs": dict(props), "provider": f"{_PROVIDER}::p"}
        own = {"urn": _urn(name), "type": RECORD, "custom": True, "id": name, "parent": _ROOT}
        resources.append({**own, **kept})
    manifest = {"time": "2026-12-01T00:00:00Z", "magic": "", "version": ""}
    return json.dumps({"version": 3, "deployment": {"manifest": manifest, "resources": resources}})


def _records(which: int) -> dict[str, Props]:
    """The records of all cases, those that pass (0) or break (1), each in a zone of its own."""
    return {
        f"{rule}-{number}": {**props, "zoneId": f"Z{zone}"}
        for zone, (rule, pair) in enumerate(CASES.items())
        for number, props in enumerate(pair[which])
    }


@pytest.fixture
def stack(engine: EngineRunner, tmp_path: Path) -> Stack:
    return engine.project(tmp_path, {"__main__.py": ""})


def _analyze(stack: Stack, records: dict[str, Props], *words: str) -> tuple[int, set[Shown]]:
    """Run the pack over a state of these records."""
    (stack.home / "state.json").write_text(_state(records))
    stack.run("stack", "import", "--file", str(stack.home / "state.json"))
    done = stack.run("policy", "analyze", *PACK, *words, check=False)
    return done.returncode, shown(done.stdout)


def test_state_with_which_all_is_well(stack: Stack) -> None:
    assert _analyze(stack, _records(0)) == (0, set())


def test_state_that_breaks_every_rule(stack: Stack) -> None:
    """The audit of a stack reports each rule at its level, and fails."""
    code, found = _analyze(stack, _records(1))
    assert code != 0
    assert found == {
        ("", *LEVELS[rule], rule, f"{rule}-{len(breaking) - 1}")
        for rule, (_, breaking) in CASES.items()
    }


def test_waivers(stack: Stack, tmp_path: Path) -> None:
    """Each lets its own policy through on its own record, shown as such; settings hold too."""
    records = _records(1)
    waived = [rule for rule in CASES if rule != "route53-ttl"]
    name = {rule: f"{rule}-{len(CASES[rule][1]) - 1}" for rule in CASES}
    match = [{"policies": [rule], "targets": [_urn(name[rule])]} for rule in waived]
    left = {"reason": "the old site until=2026-12-31", "match": match[:-1]}
    document = {
        "version": 2,
        "policies": {"route53-ttl": {"ttlLimit": 61}},
        "exceptions": {"CHG-7": left},
    }
    assert waiver_mistakes(json.dumps(document).encode(), "dev", date(2026, 12, 1)) == ()
    file = tmp_path / "exceptions.dev.json"
    file.write_text(json.dumps(document))
    code, found = _analyze(stack, records, "--policy-pack-config", str(file))
    assert code != 0
    exempt = {("exempted", *LEVELS[rule], rule, name[rule]) for rule in waived[:-1]}
    assert found == {*exempt, ("", *LEVELS[waived[-1]], waived[-1], name[waived[-1]])}

    left["match"] = match
    file.write_text(json.dumps(document))
    code, found = _analyze(stack, records, "--policy-pack-config", str(file))
    assert (code, {each[0] for each in found}) == (0, {"exempted"})
