"""The rules of steering: name, level, and whether a digest can let them through."""

from __future__ import annotations

from . import findings
from .digest import FORMER_PREFIX, TAKEOVER
from .rule import Rule
from .summary import SteeringSummary

ADOPTION: Rule[SteeringSummary] = Rule(
    "steering-adoption",
    "mandatory",
    findings.adoption,
    "Refuses to remove sets that the stack does not have in its state.",
    acknowledgeable=True,
)
STEERING: tuple[Rule[SteeringSummary], ...] = (
    Rule(
        "steering-empty-desired",
        "mandatory",
        findings.empty_desired,
        "Refuses a plan that desires and holds nothing while managed sets exist.",
        acknowledgeable=True,
    ),
    Rule(
        "steering-shrink",
        "mandatory",
        findings.shrink,
        "Refuses to remove more than half of the managed sets at once.",
        acknowledgeable=True,
    ),
    Rule(
        "steering-host-emptied",
        "mandatory",
        findings.host_emptied,
        "Refuses to take the last set of a name and type that is still asked for.",
        acknowledgeable=True,
    ),
    Rule(
        "steering-host-vanished",
        "mandatory",
        findings.host_vanished,
        "Refuses that many hosts leave at once because their records are absent.",
        acknowledgeable=True,
    ),
    Rule(
        TAKEOVER,
        "mandatory",
        findings.takeover,
        "Refuses to put latency sets in the place of simple sets that others made.",
        acknowledgeable=True,
    ),
    Rule(
        FORMER_PREFIX,
        "mandatory",
        findings.former_prefix,
        "Refuses to take sets of another prefix for those of an earlier one.",
        acknowledgeable=True,
    ),
    Rule(
        "steering-limits",
        "mandatory",
        findings.limits,
        "Refuses a plan that does not fit the quotas of zone, checks and requests.",
        acknowledgeable=False,
    ),
    Rule(
        "steering-health-checks",
        "mandatory",
        findings.health_checks,
        "Refuses a desired set without a health check.",
        acknowledgeable=False,
    ),
    Rule(
        "steering-split-address",
        "mandatory",
        findings.split_address,
        "Refuses that one address answers in two regions.",
        acknowledgeable=False,
    ),
    Rule(
        "steering-mass-repoint",
        "advisory",
        findings.mass_repoint,
        "Notes that more than half of the managed sets change address or region.",
        acknowledgeable=False,
    ),
    Rule(
        "steering-ttl",
        "advisory",
        findings.ttl,
        "Notes a TTL over 60 seconds on health-checked sets.",
        acknowledgeable=False,
    ),
)
ACKNOWLEDGEABLE = tuple(each.name for each in (*STEERING, ADOPTION) if each.acknowledgeable)
