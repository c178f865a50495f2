"""The rules over Route 53 records that any program of the organisation declares by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from . import native_findings
from .native_findings import Declared, NativeSettings
from .rule import Rule, broken, violations

Severity = Literal["high", "medium", "low"]


@dataclass(frozen=True, slots=True)
class NativePolicy:
    """A rule over one record. ``keys`` are those of `NativeSettings` that it takes, by alias."""

    rule: Rule[Declared]
    severity: Severity
    remediation: str
    keys: tuple[str, ...]

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of each key, with its default."""
        known = NativeSettings.model_json_schema(by_alias=True)["properties"]
        return {key: known[key] for key in self.keys}

    def messages(self, declared: Declared) -> tuple[str, ...]:
        """Return what the rule has against the record, one line each."""
        found = violations(broken([self.rule], declared), declared.subject, "")
        return tuple(each.message for each in found)


NATIVE: tuple[NativePolicy, ...] = (
    NativePolicy(
        Rule(
            "route53-managed-identifier",
            "mandatory",
            native_findings.managed_identifier,
            "Refuses a latency record with a steering stack's prefix outside its component.",
            acknowledgeable=False,
        ),
        "high",
        "Give the record a set identifier that does not begin with a steering stack's prefix.",
        ("prefixes",),
    ),
    NativePolicy(
        Rule(
            "route53-latency-health-check",
            "mandatory",
            native_findings.latency_health_check,
            "Refuses a latency record without a health check.",
            acknowledgeable=False,
        ),
        "medium",
        "Give the record a healthCheckId; an alias may evaluate its target's health instead.",
        ("evaluateTargetHealth",),
    ),
    NativePolicy(
        Rule(
            "route53-one-per-region",
            "mandatory",
            native_findings.one_per_region,
            "Refuses the second latency record of one name, type and region.",
            acknowledgeable=False,
        ),
        "medium",
        "Keep one of the records, or give one of them another region.",
        ("refuseUnknown",),
    ),
    NativePolicy(
        Rule(
            "route53-ttl",
            "advisory",
            native_findings.ttl,
            "Notes a TTL over 60 seconds on a health-checked record.",
            acknowledgeable=False,
        ),
        "low",
        "Lower the record's ttl.",
        ("ttlLimit",),
    ),
)
