"""The pack's own file, as the engine runs it but without its process."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pulumi_policy import (
    EnforcementLevel,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
)
from pulumi_policy.proxy import UNKNOWN_NUMBER_VALUE, UNKNOWN_STRING_VALUE, unknown_checking_proxy

from policy.guards import STEERING, steering_violations
from tests.policy.summaries import CASES, QUIET, fields, summary

PACK = Path(__file__).parents[2] / "policy"
_TYPE = "pulumi-python:dynamic/steering:ZoneRecords"
_PLAN = "pulumi-python:dynamic/steering:Plan"


@pytest.fixture
def policies(monkeypatch: pytest.MonkeyPatch) -> dict[str, ResourceValidationPolicy]:
    monkeypatch.syspath_prepend(PACK)
    pack = runpy.run_path(str(PACK / "__main__.py"), run_name="pack")
    made = {policy.name: policy for policy in pack["policies"]()}
    return {rule.name: made[rule.name] for rule in STEERING}


def _said(policy: ResourceValidationPolicy, props: dict[str, Any], type_: str = _TYPE) -> list[str]:
    said: list[str] = []
    proxy = unknown_checking_proxy(props)
    args = ResourceValidationArgs(type_, proxy, "urn", "Z1", None, None)  # type: ignore[arg-type]
    policy.validate(args, lambda message, _urn: said.append(message))
    return said


@pytest.mark.parametrize("rule", STEERING, ids=lambda rule: rule.name)
def test_policy_of_a_rule(rule: Any, policies: dict[str, ResourceValidationPolicy]) -> None:
    """Its level stands in writing: the SDK's default is advice."""
    policy = policies[rule.name]
    mandatory = rule.level == "mandatory"
    assert policy.enforcement_level is EnforcementLevel[rule.level.upper()]
    assert policy.severity is (Severity.HIGH if mandatory else Severity.LOW)
    assert policy.url == f"docs/guards.md#{rule.name}"
    assert ("FAIRLEAD_ACKNOWLEDGE" in (policy.remediation_steps or "")) is rule.acknowledgeable


@pytest.mark.parametrize("type_", [_TYPE, _PLAN])
@pytest.mark.parametrize("rule", CASES)
def test_case_that_breaks_a_rule(
    rule: str, type_: str, policies: dict[str, ResourceValidationPolicy]
) -> None:
    """Its policy says what the guard says, and no other does; whichever realizer is to do it."""
    (violation,) = steering_violations(summary(CASES[rule][1]))
    props = {"summary": fields(CASES[rule][1])}
    said = {name: _said(policies[name], props, type_) for name in policies}
    assert said.pop(rule) == [violation.message]
    assert not any(said.values())


def test_acknowledged(policies: dict[str, ResourceValidationPolicy]) -> None:
    """What the operator let through passes here too."""
    broken = CASES["steering-shrink"][1]
    (violation,) = steering_violations(summary(broken))
    acknowledged = {"summary": fields(broken, acknowledged=violation.digest)}
    assert _said(policies["steering-shrink"], acknowledged) == []


@pytest.mark.parametrize(
    ("props", "reason"),
    [
        ({}, "there is no summary"),
        ({"summary": UNKNOWN_STRING_VALUE}, r"string value at \.summary can't be known"),
        ({"summary": fields(managed=UNKNOWN_NUMBER_VALUE)}, r"number value at \.summary\.managed"),
        ({"summary": fields(vanished=[UNKNOWN_STRING_VALUE])}, r"vanished\.1: .*UnknownValueError"),
        ({"summary": "text"}, "the summary is a str, not an object"),
        ({"summary": {key: QUIET[key] for key in QUIET if key != "ttl"}}, "ttl: Field required"),
    ],
)
def test_summary_that_cannot_be_read(
    props: dict[str, Any], reason: str, policies: dict[str, ResourceValidationPolicy]
) -> None:
    """Every rule holds it against the plan, in one line."""
    for rule, policy in policies.items():
        (said,) = _said(policy, props)
        assert re.fullmatch(f"{rule}: cannot be judged: .*{reason}.*", said)


def test_another_resource(policies: dict[str, ResourceValidationPolicy]) -> None:
    """The rules are about what carries a plan, and nothing else."""
    assert not any(_said(policy, {}, "aws:s3/bucket:Bucket") for policy in policies.values())


def test_imports_of_the_pack() -> None:
    """It starts fast, and anywhere: nothing of the project, none of its clients."""
    code = (
        "import runpy, sys; runpy.run_path('__main__.py', run_name='pack');"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=PACK, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "guards" in loaded
    assert not loaded & {"boto3", "botocore", "obstore", "control", "folds", "policy", "route53"}
