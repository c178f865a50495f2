"""What the guards read of a plan, as a frozen value that every number may enter as a float."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

Count = Annotated[int, Field(ge=0)]


Model = TypeVar("Model", bound=BaseModel)


class SummaryUnreadableError(Exception):
    """A summary lacks a key or holds something that is not what it should be."""


class _Value(BaseModel):
    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True
    )


class Shrinking(_Value):
    """One (name, type) that loses sets.

    ``replaced`` counts those whose region gets another set in the same change (a box under a new
    label), ``left`` the sets afterwards. ``asks``: its record still wants it, or it is ``edge.``.
    """

    name: str
    type: str
    removed: Count
    replaced: Count
    left: Count
    asks: bool


class Crowded(_Value):
    """A host whose change or set count is over what Route 53 takes."""

    name: str
    values: Count
    sets: Count


class SplitAddress(_Value):
    """One address that would answer in several regions."""

    address: str
    regions: tuple[str, ...]


class Adopted(_Value):
    """A simple set of others that goes, because its name is to get latency sets instead.

    ``type`` is A or AAAA; ``values`` are addresses of armed boxes, sorted; ``ttl`` is in seconds.
    """

    name: str
    type: str
    values: tuple[str, ...]
    ttl: Count
    health_check: str


class End(_Value):
    """Where a plan ends: what a digest pins.

    ``boxes`` are those that stay armed, each with record type and region (``ie-1 A eu-west-1``): a
    box that moves to a taken region loses its sets while it stays armed. ``hosts`` is the SHA-256
    of the hosts that stay, sorted and joined by newlines; ``hosts_go`` says whether any host leaves
    in this plan. ``adopted`` is the SHA-256 of the names to adopt that converge, those adopted
    already included, in the same form.
    """

    boxes: tuple[str, ...]
    hosts: str
    hosts_go: bool
    adopted: str


class SteeringSummary(_Value):
    """A steering plan as the guards see it. Every key is required: a missing one is a violation.

    ``managed`` counts the live managed sets without those of held hosts, ``live_hosts`` the names
    that have managed sets (without ``edge.``), ``vanished`` those of them whose record is absent,
    ``shrinking`` what loses sets, held hosts included, ``adopted`` the simple sets of others that
    go, ``former_sets`` counts those of the prefix ``former`` that do. ``ttl`` is in seconds.
    ``acknowledged`` is the digest the operator let through, or empty.
    """

    zone: str
    prefix: str
    former: str
    managed: Count
    desired: Count
    held: Count
    live_hosts: Count
    vanished: tuple[str, ...]
    shrinking: tuple[Shrinking, ...]
    adopted: tuple[Adopted, ...]
    former_sets: Count
    additions: Count
    zone_after: Count
    zone_limit: Count
    new_checks: Count
    checks_peak: Count
    health_check_limit: Count
    crowded: tuple[Crowded, ...]
    unchecked: tuple[str, ...]
    repointed: Count
    split_addresses: tuple[SplitAddress, ...]
    ttl: Count
    end: End
    acknowledged: str


def read_steering(raw: object) -> SteeringSummary:
    """Parse a steering summary: see `parsed`."""
    return parsed(SteeringSummary, raw)


def parsed(model: type[Model], raw: object) -> Model:
    """Parse a summary as it comes from the engine (a mapping or its read-only proxy).

    Raises:
        SummaryUnreadableError: with every mistake in one line.
    """
    if not isinstance(raw, Mapping):
        raise SummaryUnreadableError(f"the summary is a {type(raw).__name__}, not an object")
    try:
        return model.model_validate(dict(raw))
    except ValidationError as error:
        mistakes = (f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise SummaryUnreadableError("; ".join(sorted(mistakes))) from error
