"""The policies over Route 53 records in the pack's own file, without its process."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pulumi_policy import (
    EnforcementLevel,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
)
from pulumi_policy.proxy import (
    UNKNOWN_ARRAY_VALUE,
    UNKNOWN_NUMBER_VALUE,
    UNKNOWN_STRING_VALUE,
    unknown_checking_proxy,
)

from policy.guards import NATIVE, RECORD, UNKNOWN, Declared, read_record
from tests.policy.records import CASES, POLICIES, QUIET, Props, said, urn

PACK = Path(__file__).parents[2] / "policy"
ONE = "route53-one-per-region"
Policies = dict[str, ResourceValidationPolicy]


def _started() -> Policies:
    """The pack's policies over records, as in a process of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(PACK)
        pack = runpy.run_path(str(PACK / "__main__.py"), run_name="pack")
    made = {policy.name: policy for policy in pack["policies"]()}
    return {each.rule.name: made[each.rule.name] for each in NATIVE}


@pytest.fixture
def policies() -> Policies:
    return _started()


def _judge(
    policy: ResourceValidationPolicy, name: str, props: Props, type_: str = RECORD, **config: Any
) -> list[str]:
    reported: list[str] = []
    proxy = unknown_checking_proxy(dict(props))
    args = ResourceValidationArgs(type_, proxy, urn(name), name, None, None, config)  # type: ignore[arg-type]
    policy.validate(args, lambda message, _urn: reported.append(message))
    return reported


def _each(policy: ResourceValidationPolicy, *records: Props) -> list[list[str]]:
    return [_judge(policy, f"r{number}", props) for number, props in enumerate(records)]


def test_policies_of_the_rules(policies: Policies) -> None:
    """Level, severity, way out, page and settings stand in writing."""
    assert [(each.name, each.enforcement_level, each.severity) for each in policies.values()] == [
        ("route53-managed-identifier", EnforcementLevel.MANDATORY, Severity.HIGH),
        ("route53-latency-health-check", EnforcementLevel.MANDATORY, Severity.MEDIUM),
        ("route53-one-per-region", EnforcementLevel.MANDATORY, Severity.MEDIUM),
        ("route53-ttl", EnforcementLevel.ADVISORY, Severity.LOW),
    ]
    defaults: dict[str, Any] = {}
    for policy in policies.values():
        assert policy.url == f"docs/guards.md#{policy.name}"
        assert policy.remediation_steps
        assert policy.config_schema
        defaults |= {
            name: each["default"] for name, each in policy.config_schema.properties.items()
        }
    assert defaults == {
        "prefixes": ["carlos-steering/"],
        "evaluateTargetHealth": True,
        "refuseUnknown": True,
        "ttlLimit": 60,
    }


@pytest.mark.parametrize("rule", CASES)
def test_case_of_a_rule(rule: str, policies: Policies) -> None:
    """Its policy says of the last record what the guard says, and nothing of those before."""
    passing, breaking = CASES[rule]
    expected = [*([] for _ in breaking[1:]), [*said(rule, *breaking)]]
    assert _each(policies[rule], *breaking) == expected
    assert not any(_each(policies[rule], *({**each, "zoneId": "Z9"} for each in passing)))


def test_another_resource(policies: Policies) -> None:
    assert not any(
        _judge(policy, "r0", {"ttl": "soon"}, "aws:route53/zone:Zone")
        for policy in policies.values()
    )


def test_settings(policies: Policies) -> None:
    """Each policy takes its own from the pack's configuration."""
    slow = {**QUIET, "ttl": 300}
    assert _judge(policies["route53-ttl"], "r0", slow)
    assert not _judge(policies["route53-ttl"], "r0", slow, ttlLimit=300.0)
    (message,) = _judge(policies["route53-ttl"], "r0", slow, ttlLimit="long")
    assert message.startswith(f"route53-ttl: {urn('r0')}: cannot be judged: ttlLimit: ")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("zoneId", UNKNOWN_STRING_VALUE),
        ("name", UNKNOWN_STRING_VALUE),
        ("latencyRoutingPolicies", UNKNOWN_ARRAY_VALUE),
        ("latencyRoutingPolicies", [{"region": UNKNOWN_STRING_VALUE}]),
        ("latencyRoutingPolicies", [UNKNOWN_STRING_VALUE]),
    ],
)
def test_records_that_cannot_be_told_apart(key: str, value: object, policies: Policies) -> None:
    """The engine's word for what is not known is not taken for a value."""
    unknown = {**QUIET, key: value}
    assert [len(each) for each in _each(policies[ONE], unknown, QUIET)] == [0, 1]
    # The same two the other way round: what the first of them was before is forgotten.
    assert [len(each) for each in _each(policies[ONE], QUIET, unknown)] == [1, 1]


@pytest.mark.parametrize(
    ("rule", "key", "sentinel"),
    [
        ("route53-managed-identifier", "setIdentifier", UNKNOWN_STRING_VALUE),
        ("route53-ttl", "ttl", UNKNOWN_NUMBER_VALUE),
    ],
)
def test_value_that_is_not_known(rule: str, key: str, sentinel: str, policies: Policies) -> None:
    """The SDK would turn it into advice; here the rule says so at its own level."""
    assert _each(policies[rule], {**QUIET, key: sentinel}) == [
        [*said(rule, {**QUIET, key: UNKNOWN})]
    ]


def test_record_that_cannot_be_read(policies: Policies) -> None:
    """Every rule holds it against the program, in one line."""
    for rule, policy in policies.items():
        (message,) = _judge(policy, "r\n0", {**QUIET, "type": 3})
        shown = urn(r"r\n0")
        assert message == (
            f"{rule}: {shown}: cannot be judged: type.known: Input should be a valid string"
        )


def test_record_that_comes_twice(policies: Policies) -> None:
    """It is not its own neighbour, and what it was before is forgotten."""
    assert not _judge(policies[ONE], "r0", QUIET)
    assert not _judge(policies[ONE], "r0", QUIET)
    assert _judge(policies[ONE], "r1", QUIET)
    assert not _judge(policies[ONE], "r0", {**QUIET, "name": "api.example.com"})
    assert not _judge(policies[ONE], "r1", QUIET)


def test_runs_that_follow_each_other(policies: Policies) -> None:
    """A preview's records are not the update's: its process is another."""
    assert not _judge(policies[ONE], "r0", QUIET)
    assert not _judge(_started()[ONE], "r1", QUIET)


_SENTINELS = {UNKNOWN_STRING_VALUE: UNKNOWN, UNKNOWN_ARRAY_VALUE: UNKNOWN}
_REGIONS: list[object] = [
    [],
    UNKNOWN_ARRAY_VALUE,
    *([{"region": each}] for each in ("eu-west-1", "eu-west-2")),
]
_RECORDS = st.fixed_dictionaries(
    {
        "zoneId": st.sampled_from(["Z1", "Z2", UNKNOWN_STRING_VALUE]),
        "name": st.sampled_from(["a.example.com", "A.example.com.", "b", UNKNOWN_STRING_VALUE]),
        "type": st.sampled_from(["A", "AAAA"]),
        "latencyRoutingPolicies": st.sampled_from(_REGIONS),
    }
)


@given(st.lists(_RECORDS, max_size=8))
def test_records_in_any_order(records: list[dict[str, Any]]) -> None:
    """Each meets all that came before it, as if there were no index of names."""
    values = [
        {key: _SENTINELS.get(str(each), each) for key, each in props.items()} for props in records
    ]
    latency = [each for each in enumerate(values) if each[1]["latencyRoutingPolicies"] != []]
    expected = []
    for number, props in enumerate(values):
        others = tuple(
            (urn(f"r{each}"), read_record(value)) for each, value in latency if each < number
        )
        one = Declared(urn(f"r{number}"), read_record(props), others)
        expected.append([*POLICIES[ONE].messages(one)])
    assert _each(_started()[ONE], *records) == expected
