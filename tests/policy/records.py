"""Route 53 records as a program declares them, and one mutation for each rule that breaks it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from policy.guards import NATIVE, RECORD, Declared, NativePolicy, read_record

Props = Mapping[str, Any]

POLICIES: Mapping[str, NativePolicy] = {each.rule.name: each for each in NATIVE}
# A latency record with which all is well.
QUIET: Props = {
    "zoneId": "Z1",
    "name": "www.example.com",
    "type": "A",
    "ttl": 60,
    "records": ["192.0.2.1"],
    "setIdentifier": "web/eu",
    "healthCheckId": "check-1",
    "latencyRoutingPolicies": [{"region": "eu-west-1"}],
}
SIMPLE: Props = {key: QUIET[key] for key in ("zoneId", "name", "type", "ttl", "records")}
# By rule: what still passes, next to what breaks it alone. All but the last stand there before.
CASES: Mapping[str, tuple[tuple[Props, ...], tuple[Props, ...]]] = {
    "route53-managed-identifier": (
        ({**QUIET, "setIdentifier": "web/carlos-steering/ie-1"},),
        ({**QUIET, "setIdentifier": "carlos-steering/ie-1"},),
    ),
    "route53-latency-health-check": (
        ({**SIMPLE, "healthCheckId": ""},),
        ({**QUIET, "healthCheckId": ""},),
    ),
    "route53-one-per-region": (
        (QUIET, {**QUIET, "latencyRoutingPolicies": [{"region": "eu-west-2"}]}),
        (QUIET, {**QUIET, "setIdentifier": "web/eu-2"}),
    ),
    "route53-ttl": (({**QUIET, "ttl": 60},), ({**QUIET, "ttl": 61},)),
}


def urn(name: str, *components: str, stack: str = "dev") -> str:
    """The URN of a record in these components."""
    return f"urn:pulumi:{stack}::web::{'$'.join([*components, RECORD])}::{name}"


def declared(*props: Props, **changes: Any) -> Declared:
    """The last of some records, ``r0`` and so on, after the others."""
    *others, last = [(urn(f"r{number}"), read_record(each)) for number, each in enumerate(props)]
    return Declared(last[0], last[1], tuple(others), **changes)


def said(rule: str, *props: Props, **changes: Any) -> tuple[str, ...]:
    """What a rule has against the last of some records."""
    return POLICIES[rule].messages(declared(*props, **changes))
