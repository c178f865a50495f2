"""One Route 53 record of any program, as its resource declares it to the engine.

Properties: https://www.pulumi.com/registry/packages/aws/api-docs/route53/record/#inputs
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, Final, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Discriminator, Tag
from pydantic.alias_generators import to_camel

from .summary import parsed

RECORD = "aws:route53/record:Record"
"""The type of the resource."""
COMPONENT = "fairlead:steering:Zone"
"""The type of the component that holds the steering stack's own records."""


class Unknown(Enum):
    """What a preview does not know yet, since it comes from what is still to be made."""

    UNKNOWN = "not known yet"


UNKNOWN: Final = Unknown.UNKNOWN
T = TypeVar("T")
Maybe: TypeAlias = Annotated[
    Annotated[T, Tag("known")] | Annotated[Unknown, Tag("unknown")],
    Discriminator(lambda value: "unknown" if value is UNKNOWN else "known"),
]
Text: TypeAlias = Maybe[str]


class _Property(BaseModel):
    # Whatever else a record has is none of the rules' business.
    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel)


class Latency(_Property):
    """One latency routing policy; a record takes one at most."""

    region: Text = ""


class Alias(_Property):
    """What an alias record points at."""

    evaluate_target_health: Maybe[bool] = False


class NativeRecord(_Property):
    """The properties that the rules read; ``ttl`` is in seconds, and none for an alias.

    A property that is left out has its default: a run with ``--target`` shows a record that it
    neither makes nor has made without any.
    """

    zone_id: Text = ""
    name: Text = ""
    type: Text = ""
    set_identifier: Text = ""
    health_check_id: Text = ""
    ttl: Maybe[int | None] = None
    latency_routing_policies: Maybe[tuple[Maybe[Latency], ...]] = ()
    aliases: Maybe[tuple[Maybe[Alias], ...]] = ()

    @property
    def latency(self) -> bool | Unknown:
        """Whether it is a latency record."""
        policies = self.latency_routing_policies
        return policies if isinstance(policies, Unknown) else bool(policies)

    @property
    def regions(self) -> tuple[Text, ...]:
        """The regions that it answers for: one at most, or not known."""
        policies = self.latency_routing_policies
        if isinstance(policies, Unknown):
            return (UNKNOWN,)
        return tuple(each if isinstance(each, Unknown) else each.region for each in policies)

    @property
    def evaluates_target(self) -> bool | Unknown:
        """Whether it is an alias that is only given out while its target is healthy."""
        if isinstance(self.aliases, Unknown):
            return UNKNOWN
        said = [
            each if isinstance(each, Unknown) else each.evaluate_target_health
            for each in self.aliases
        ]
        return UNKNOWN if UNKNOWN in said else any(said)


def read_record(raw: Mapping[str, Any]) -> NativeRecord:
    """Parse a record's properties, an unknown one given as ``UNKNOWN``.

    Raises:
        SummaryUnreadableError: with every mistake in one line.
    """
    return parsed(NativeRecord, {key: each for key, each in raw.items() if each is not None})


def bare_name(name: Text) -> Text:
    r"""Return a record's name as Route 53 compares it: lower case, ``*`` for ``\052``, no dot."""
    if isinstance(name, Unknown):
        return name
    return name.lower().replace("\\052", "*").removesuffix(".")


def bare_zone(zone_id: Text) -> Text:
    """Return a zone's id as the provider takes it: Route 53 itself says ``/hostedzone/<id>``."""
    return zone_id if isinstance(zone_id, Unknown) else zone_id.removeprefix("/hostedzone/")


def components(urn: str) -> tuple[str, ...]:
    """Return the types of the components that a resource is in, the outermost first.

    They are in its URN: ``urn:pulumi:<stack>::<project>::<type>$<type>::<name>``.
    """
    parts = urn.split("::", 3)
    return tuple(parts[2].split("$")[:-1]) if len(parts) > 2 else ()  # noqa: PLR2004 - see above


def shown(text: Text) -> str:
    """Return a text that somebody else wrote as one harmless line of printable ASCII."""
    if isinstance(text, Unknown):
        return f"({text.value})"
    return text.encode("unicode_escape").decode("ascii").replace("##", "#\\x23")
