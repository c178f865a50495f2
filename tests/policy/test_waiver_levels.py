"""What a file of waivers may set of a policy: a raised level, and settings in their bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from policy.guards import NATIVE, SIDECARS, SNAPSHOTS, STEERING
from tests.policy.waivers import only, wrong

RULES = [*STEERING, *SIDECARS, *SNAPSHOTS, *(each.rule for each in NATIVE)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
@pytest.mark.parametrize("level", ["mandatory", "advisory", "remediate", "disabled", "", None])
def test_level(rule: Any, level: str | None) -> None:
    """It may be raised, never lowered, in either form."""
    forms: list[Any] = [{"enforcementLevel": level}, *([level] if level is not None else [])]
    for said in forms:
        found = wrong({"version": 2, "policies": {rule.name: said}})
        assert (found == []) is (level in ("mandatory", rule.level))
        assert all("a level may only be raised" in each for each in found)


@pytest.mark.parametrize(
    ("policies", "mistake"),
    [
        ({"all": "mandatory"}, "policies.all: sets the level of every policy at once"),
        ({"all": {"enforcementLevel": "advisory"}}, "policies.all: sets the level"),
        ({"route53": "mandatory"}, "policies.route53: the pack has no such policy"),
        ({"route53-ttl": 3}, "policies.route53-ttl: must be a level or an object"),
        ({"route53-ttl": {"ttllimit": 3}}, "route53-ttl.ttllimit: route53-ttl has no such"),
        ({"route53-ttl": {"prefixes": ["a/"]}}, "route53-ttl.prefixes: route53-ttl has no such"),
        ({"route53-ttl": {"ttlLimit": 301}}, "policies.route53-ttl.ttlLimit: "),
        ({"route53-managed-identifier": {"prefixes": []}}, "identifier.prefixes: "),
        ({"route53-managed-identifier": {"prefixes": ["none"]}}, "identifier.prefixes.0: "),
        ({"steering-ttl": {"ttl": 300}}, "steering-ttl.ttl: steering-ttl has no such setting"),
    ],
)
def test_setting_that_does_not_do(policies: Mapping[str, Any], mistake: str) -> None:
    assert mistake in only({"version": 2, "policies": policies})


def test_settings_that_do() -> None:
    settings = {"route53-ttl": {"ttlLimit": 300, "enforcementLevel": "mandatory"}}
    assert wrong({"version": 2, "policies": settings}) == []
