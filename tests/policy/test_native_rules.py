"""The rules over Route 53 records of any program."""

from __future__ import annotations

from typing import Any

import pytest

from control.text import printable
from policy.guards import (
    NATIVE,
    UNKNOWN,
    Declared,
    NativeSettings,
    SummaryUnreadableError,
    read_record,
    read_settings,
    shown,
)
from stacks.settings import SteeringSettings
from stacks.steering_settings import _PREFIX
from tests.policy.records import CASES, QUIET, SIMPLE, Props, said, urn

MANAGED = "route53-managed-identifier"
CHECKED = "route53-latency-health-check"
ONE = "route53-one-per-region"
TTL = "route53-ttl"
OURS: Props = {**QUIET, "setIdentifier": "carlos-steering/ie-1"}
UNCHECKED: Props = {**QUIET, "healthCheckId": None}


def _alias(*, evaluates: Any = True) -> Props:
    """An alias record without a check of its own."""
    aliases = [{"name": "lb.example.com", "zoneId": "Z2", "evaluateTargetHealth": evaluates}]
    return {**UNCHECKED, "ttl": None, "records": None, "aliases": aliases}


@pytest.mark.parametrize("rule", CASES)
def test_record_at_the_limit(rule: str) -> None:
    """No rule says anything."""
    assert not [message for each in NATIVE for message in said(each.rule.name, *CASES[rule][0])]


@pytest.mark.parametrize("rule", CASES)
def test_record_over_the_limit(rule: str) -> None:
    """Its rule says so in one line, and no other rule says anything."""
    found = {each.rule.name: said(each.rule.name, *CASES[rule][1]) for each in NATIVE}
    (message,) = found.pop(rule)
    assert message.startswith(f"{rule}: record www.example.com A ")
    assert message.isprintable()
    assert not any(found.values())


def test_every_rule_has_a_case() -> None:
    assert [*CASES] == [each.rule.name for each in NATIVE]


def test_prefix_of_the_steering_stack() -> None:
    """The rule's default is the setting's."""
    assert (*NativeSettings().prefixes,) == (
        SteeringSettings.model_fields["set_identifier_prefix"].default,
    )


def test_record_of_the_steering_component() -> None:
    """It may have the prefix; a component of another type makes no difference."""
    record = read_record(OURS)
    own = urn("r", "acme:web:Site", "fairlead:steering:Zone")
    (policy,) = [each for each in NATIVE if each.rule.name == MANAGED]
    assert not policy.messages(Declared(own, record))
    for other in (urn("r", "acme:steering:Zone"), urn("fairlead:steering:Zone$x"), "no urn"):
        assert policy.messages(Declared(other, record))


def test_prefix_that_another_deployment_has() -> None:
    """The pack's configuration names all of them."""
    settings = read_settings({"prefixes": ["staging/", "web/"]})
    assert said(MANAGED, QUIET, settings=settings)
    assert not said(MANAGED, OURS, settings=settings)


def test_prefix_on_a_record_without_latency() -> None:
    """The steering stack leaves it alone, so may others."""
    weighted = {**OURS, "latencyRoutingPolicies": [], "weightedRoutingPolicies": [{"weight": 1}]}
    assert not said(MANAGED, weighted)


def test_alias_that_evaluates_its_target() -> None:
    """It needs no check, unless the configuration says so."""
    assert not said(CHECKED, _alias())
    assert said(CHECKED, _alias(evaluates=False))
    assert said(CHECKED, _alias(), settings=read_settings({"evaluateTargetHealth": False}))


def test_check_that_this_run_makes() -> None:
    """Its identifier is not known before: it counts as one."""
    assert not said(CHECKED, {**QUIET, "healthCheckId": UNKNOWN})
    assert said(TTL, {**QUIET, "healthCheckId": UNKNOWN, "ttl": 61})


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({}, True),
        ({"name": "WWW.example.com."}, True),
        ({"name": "www"}, False),
        ({"name": "api.example.com"}, False),
        ({"type": "AAAA"}, False),
        ({"zoneId": "Z2"}, False),
        ({"zoneId": "/hostedzone/Z1"}, True),
        ({"latencyRoutingPolicies": [{"region": "eu-west-2"}]}, False),
        ({"latencyRoutingPolicies": []}, False),
    ],
)
def test_two_records_of_one_place(change: Props, same: bool) -> None:  # noqa: FBT001
    """Zone, name, type and region make it, whatever the identifiers are."""
    assert bool(said(ONE, QUIET, {**QUIET, **change})) is same
    assert bool(said(ONE, {**QUIET, **change}, QUIET)) is same


def test_wildcard_in_both_spellings() -> None:
    r"""Route 53 says ``\052`` where a program says ``*``."""
    assert said(ONE, {**QUIET, "name": "*.example.com"}, {**QUIET, "name": "\\052.example.com"})


def test_others_of_one_place() -> None:
    """They are named by their URNs, so that a waiver can name them."""
    (message,) = said(ONE, QUIET, {**QUIET, "type": "AAAA"}, QUIET, QUIET)
    assert "3 latency records of this name and type for region eu-west-1, limit 1" in message
    assert f"({urn('r0')}, {urn('r2')} came first)" in message


@pytest.mark.parametrize("key", ["zoneId", "name", "type", "latencyRoutingPolicies"])
def test_records_that_cannot_be_told_apart(key: str) -> None:
    """A preview that does not know a part of the place refuses them, unless it is told not to."""
    unknown = {**QUIET, key: UNKNOWN}
    for props in ((unknown, QUIET), (QUIET, unknown), (unknown, unknown)):
        (message,) = said(ONE, *props)
        assert f"cannot be told apart from {urn('r0')}" in message
        assert not said(ONE, *props, settings=read_settings({"refuseUnknown": False}))
    assert not said(ONE, unknown)


def test_records_that_can_be_told_apart_all_the_same() -> None:
    """What is known differs."""
    assert not said(ONE, {**QUIET, "zoneId": UNKNOWN}, {**QUIET, "name": "api.example.com"})


@pytest.mark.parametrize(
    ("rule", "props", "named"),
    [
        (MANAGED, {**QUIET, "setIdentifier": UNKNOWN}, "setIdentifier"),
        (MANAGED, {**OURS, "latencyRoutingPolicies": UNKNOWN}, "latencyRoutingPolicies"),
        (CHECKED, {**UNCHECKED, "latencyRoutingPolicies": UNKNOWN}, "latencyRoutingPolicies"),
        (CHECKED, {**UNCHECKED, "aliases": UNKNOWN}, "aliases"),
        (CHECKED, {**UNCHECKED, "aliases": [UNKNOWN]}, "aliases"),
        (CHECKED, _alias(evaluates=UNKNOWN), "aliases"),
        (
            CHECKED,
            {**UNCHECKED, "aliases": UNKNOWN, "latencyRoutingPolicies": UNKNOWN},
            "latencyRoutingPolicies and aliases",
        ),
        (TTL, {**QUIET, "ttl": UNKNOWN}, "ttl"),
    ],
)
def test_value_that_decides_and_is_not_known(rule: str, props: Props, named: str) -> None:
    """It is held against the record."""
    (message,) = said(rule, props)
    assert f": cannot be judged: {named} is not known before the run; " in message


@pytest.mark.parametrize(
    ("rule", "props"),
    [
        (MANAGED, {**QUIET, "latencyRoutingPolicies": UNKNOWN}),
        (MANAGED, {**SIMPLE, "setIdentifier": UNKNOWN}),
        (CHECKED, {**SIMPLE, "aliases": UNKNOWN}),
        (CHECKED, {**QUIET, "latencyRoutingPolicies": [UNKNOWN]}),
        (TTL, {**SIMPLE, "ttl": UNKNOWN}),
    ],
)
def test_value_that_is_not_known_and_decides_nothing(rule: str, props: Props) -> None:
    """It is held against nobody."""
    assert not said(rule, props)


def test_ttl_limit_of_an_organisation() -> None:
    """Numbers arrive as floats, and a record without a check may live as long as it likes."""
    settings = read_settings({"ttlLimit": 300.0})
    assert not said(TTL, {**QUIET, "ttl": 300.0}, settings=settings)
    assert said(TTL, {**QUIET, "ttl": 301.0}, settings=settings)
    assert not said(TTL, {**SIMPLE, "ttl": 86400})


def test_record_that_a_targeted_run_leaves_out() -> None:
    """It comes without properties, and nothing is wrong with it."""
    assert not [message for each in NATIVE for message in said(each.rule.name, {}, {})]


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": 3},
        {"ttl": "soon"},
        {"ttl": 1.5},
        {"latencyRoutingPolicies": "eu-west-1"},
        {"latencyRoutingPolicies": ["eu-west-1"]},
        {"aliases": [{"evaluateTargetHealth": []}]},
    ],
)
def test_property_of_the_wrong_kind(wrong: Props) -> None:
    with pytest.raises(SummaryUnreadableError, match=f"^{next(iter(wrong))}\\."):
        read_record({**QUIET, **wrong})


@pytest.mark.parametrize(
    "wrong",
    [
        {"prefixes": []},
        *(
            {"prefixes": ["a/", each]}
            for each in ("", "a", "/", "A/", "a/b/", "a/\n", "a" * 64 + "/")
        ),
        *({"ttlLimit": each} for each in (-1, 0, 301, 2_147_483_647)),
        {"ttllimit": 3},
    ],
    ids=str,
)
def test_wrong_setting(wrong: Props) -> None:
    """Nor is one that would let a rule find nothing."""
    with pytest.raises(SummaryUnreadableError):
        read_settings(wrong)


@pytest.mark.parametrize("given", [{"prefixes": ["a" * 63 + "/"]}, {"ttlLimit": 1}])
def test_setting_at_its_bounds(given: Props) -> None:
    assert read_settings(given).model_dump(by_alias=True).items() >= given.items()


def test_prefixes_of_a_steering_stack() -> None:
    """Whatever its setting may be, the pack can be told; and nothing else."""
    prefix = NATIVE[0].schema["prefixes"]["items"]["pattern"]
    assert prefix == f"^{_PREFIX.pattern}$"


def test_text_of_a_program() -> None:
    """It is shown as everywhere else."""
    text = "a\n##[error]\x1b\\\xe9\ud800"
    assert shown(text) == printable(text)
    (message,) = said(TTL, {**QUIET, "ttl": 61, "name": text, "zoneId": UNKNOWN})
    assert f"record {printable(text)} A web/eu (zone (not known yet)): " in message
