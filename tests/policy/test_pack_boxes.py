"""The pack's policies on the two resources of a box."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest
from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy
from pulumi_policy.proxy import UNKNOWN_STRING_VALUE, unknown_checking_proxy

from policy.guards import (
    NATIVE,
    SIDECARS,
    SNAPSHOTS,
    STEERING,
    read_sidecars,
    read_snapshot,
    sidecar_violations,
    snapshot_violations,
)
from tests.policy.box_summaries import CASES, REGISTRY_SNAPSHOT, SIDECAR_ROUTES

_BOX_RULES = [each.name for each in SIDECARS] + [each.name for each in SNAPSHOTS]
_PACK = Path(__file__).parents[2] / "policy"


@pytest.fixture
def policies(monkeypatch: pytest.MonkeyPatch) -> dict[str, ResourceValidationPolicy]:
    monkeypatch.syspath_prepend(_PACK)
    pack = runpy.run_path(str(_PACK / "__main__.py"), run_name="pack")
    return {policy.name: policy for policy in pack["policies"]()}


def said(policy: ResourceValidationPolicy, props: dict[str, Any], type_: str) -> list[str]:
    messages: list[str] = []
    proxy = unknown_checking_proxy(props)
    args = ResourceValidationArgs(type_, proxy, "urn", "ie-1", None, None)  # type: ignore[arg-type]
    policy.validate(args, lambda message, _urn: messages.append(message))
    return messages


def message_of(rule: str) -> str:
    type_, _, breaking = CASES[rule]
    if type_ == SIDECAR_ROUTES:
        found = sidecar_violations(read_sidecars(breaking))
    else:
        found = snapshot_violations(read_snapshot(breaking))
    (violation,) = found
    return violation.message


def test_every_rule_is_a_policy(policies: dict[str, ResourceValidationPolicy]) -> None:
    """Of the three kinds of stack and of records, in the order of the code.

    A box's are all mandatory.
    """
    records = [each.rule.name for each in NATIVE]
    assert [*policies] == [*(rule.name for rule in STEERING), *_BOX_RULES, *records]
    levels = {policies[rule].enforcement_level for rule in _BOX_RULES}
    assert levels == {EnforcementLevel.MANDATORY}


@pytest.mark.parametrize("rule", CASES)
def test_case_that_breaks_a_rule(rule: str, policies: dict[str, ResourceValidationPolicy]) -> None:
    """Its policy says what the guard says, and no other policy says anything."""
    type_, passing, breaking = CASES[rule]
    found = {name: said(policies[name], {"summary": dict(breaking)}, type_) for name in policies}
    assert found.pop(rule) == [message_of(rule)]
    assert not any(found.values())
    assert not any(said(each, {"summary": dict(passing)}, type_) for each in policies.values())


@pytest.mark.parametrize("summary", [None, "text", {}, UNKNOWN_STRING_VALUE])
@pytest.mark.parametrize("type_", [SIDECAR_ROUTES, REGISTRY_SNAPSHOT])
def test_summary_that_cannot_be_read(
    type_: str, summary: Any, policies: dict[str, ResourceValidationPolicy]
) -> None:
    """Every rule of the type holds it against the plan, and no rule of another type does."""
    props = {} if summary is None else {"summary": summary}
    found = {name for name, policy in policies.items() if said(policy, props, type_)}
    assert found == {rule for rule, case in CASES.items() if case[0] == type_}
