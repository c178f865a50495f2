"""What each rule finds in a Route 53 record of any program, one pure function a rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from .native_records import (
    COMPONENT,
    UNKNOWN,
    NativeRecord,
    Text,
    Unknown,
    bare_name,
    bare_zone,
    components,
    shown,
)
from .rule import Finding
from .summary import parsed
from .words import some

_PREFIX = "^[a-z0-9-]{1,63}/$"  # as the setting setIdentifierPrefix has it
_SLOWEST = 300
"""Seconds: with a longer TTL it is the TTL, and no health check, that decides."""


class NativeSettings(BaseModel):
    """What a pack's configuration may set; each policy takes its own part of it.

    The engine checks the same bounds by the schema. None of them lets a rule find nothing: what is
    to be let through for a reason and a time is a waiver.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel)

    prefixes: Sequence[Annotated[str, Field(pattern=_PREFIX)]] = Field(
        ("carlos-steering/",),
        min_length=1,
        description="What the set identifiers of the steering stacks begin with.",
    )
    evaluate_target_health: bool = Field(
        default=True,
        description="Whether an alias that evaluates its target's health needs no check.",
    )
    refuse_unknown: bool = Field(
        default=True,
        description="Whether two records that a preview cannot tell apart are refused.",
    )
    ttl_limit: int = Field(
        60, ge=1, le=_SLOWEST, description="Seconds that a health-checked record may live."
    )


DEFAULTS = NativeSettings()


def read_settings(raw: object) -> NativeSettings:
    """Parse a policy's configuration, as far as it takes part in it: see `summary.parsed`."""
    return parsed(NativeSettings, raw)


@dataclass(frozen=True, slots=True)
class Declared:
    """A record as it is declared: ``others`` are the latency records that came before it.

    Both are named by their URN.
    """

    urn: str
    record: NativeRecord
    others: tuple[tuple[str, NativeRecord], ...] = ()
    settings: NativeSettings = DEFAULTS

    @property
    def subject(self) -> str:
        """The record in words."""
        one = self.record
        named = (one.name, one.type, one.set_identifier)
        words = " ".join(shown(each) for each in named if each)
        return f"record {words} (zone {shown(one.zone_id)})"


def managed_identifier(declared: Declared) -> Iterator[Finding]:
    """A steering stack would take the record for its own: it goes by prefix and latency alone."""
    record = declared.record
    if record.latency is False or COMPONENT in components(declared.urn):
        return
    if isinstance(record.set_identifier, Unknown):
        yield _unknown("setIdentifier")
        return
    ours = [each for each in declared.settings.prefixes if record.set_identifier.startswith(each)]
    if ours and record.latency is UNKNOWN:
        yield _unknown("latencyRoutingPolicies")
    elif ours:
        yield (
            f"a latency record with the prefix {shown(ours[0])} outside {COMPONENT}, limit 0: the"
            " steering stack would take it for its own and remove it",
            "give it a set identifier that begins otherwise",
        )


def latency_health_check(declared: Declared) -> Iterator[Finding]:
    """A dead region's record would go on answering.

    An identifier that is not known yet is that of a check which this very run makes.
    """
    record = declared.record
    if record.latency is False or record.health_check_id:
        return
    target = record.evaluates_target if declared.settings.evaluate_target_health else False
    if target is True:
        return
    unknown = {"latencyRoutingPolicies": record.latency, "aliases": target}
    names = [name for name, value in unknown.items() if value is UNKNOWN]
    if names:
        yield _unknown(" and ".join(names))
    else:
        yield "a latency record without a health check, limit 0", "give it a healthCheckId"


def one_per_region(declared: Declared) -> Iterator[Finding]:
    """Route 53 takes one latency record for a name, type and region, and refuses the second."""
    meets = [(urn, _meet(declared.record, other)) for urn, other in declared.others]
    taken = [shown(urn) for urn, met in meets if met is True]
    if taken:
        regions = ", ".join(shown(each) for each in declared.record.regions)
        yield (
            f"{len(taken) + 1} latency records of this name and type for region {regions}, limit 1"
            f" ({some(taken)} came first)",
            "keep one of them",
        )
    unsure = [shown(urn) for urn, met in meets if met is UNKNOWN]
    if unsure and declared.settings.refuse_unknown:
        yield (
            f"cannot be told apart from {some(unsure)} while zoneId, name, type or region of either"
            " is not known",
            "make what they come from in a run before",
        )


def ttl(declared: Declared) -> Iterator[Finding]:
    """Clients would keep a dead address for longer than AWS advises where a check decides."""
    record, limit = declared.record, declared.settings.ttl_limit
    if not record.health_check_id or record.ttl is None:
        return
    if isinstance(record.ttl, Unknown):
        yield _unknown("ttl")
    elif record.ttl > limit:
        yield (
            f"a health-checked record with a TTL of {record.ttl} s, advised limit {limit} s",
            "lower its ttl",
        )


def _unknown(name: str) -> Finding:
    return (
        f"cannot be judged: {name} is not known before the run",
        "write the value down, or make what it comes from in a run before",
    )


def _meet(one: NativeRecord, other: NativeRecord) -> bool | Unknown:
    """Say whether two latency records are of one place, as far as that is known."""
    places = [
        (bare_zone(one.zone_id), bare_zone(other.zone_id)),
        (bare_name(one.name), bare_name(other.name)),
        (one.type, other.type),
    ]
    same = [_same(*each) for each in places]
    regions = [_same(left, right) for left in one.regions for right in other.regions]
    same.append(True if True in regions else UNKNOWN if UNKNOWN in regions else False)
    if False in same:
        return False
    return UNKNOWN if UNKNOWN in same else True


def _same(one: Text, other: Text) -> bool | Unknown:
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        return UNKNOWN
    return one == other
