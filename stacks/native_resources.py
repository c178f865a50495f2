"""The native realizer's resources: a component, and below it pulumi-aws's own.

The component's type and all resources' names are stored in the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pulumi
from pulumi_aws.route53 import HealthCheck, Record, RecordLatencyRoutingPolicyArgs

from folds.native import Declared, Key, NativeCheck, NativeSet, resource_name
from folds.native_checks import reference_name
from stacks.native_commands import COMPONENT, NAME


class SteeringZone(pulumi.ComponentResource):
    """All that a native stack declares. Policies know the stack's own records by this parent."""

    def __init__(self) -> None:
        super().__init__(COMPONENT, NAME)


@dataclass(frozen=True, slots=True)
class Place:
    """Where resources are declared: zone and prefix, and the options that all of them have."""

    zone: str
    prefix: str
    options: pulumi.ResourceOptions


@dataclass(frozen=True, slots=True)
class Made:
    """What was declared. ``urns`` is there once the engine has answered every registration.

    ``health_checks`` lists ``{address, id}``, by address.
    """

    urns: pulumi.Output[list[str]]
    health_checks: pulumi.Output[list[dict[str, str]]]


def declare_all(found: Declared, place: Place, takes: Mapping[Key, Key]) -> Made:
    """Declare every check and set; of ``takes``, a set takes the state of the one it comes for."""
    checks = {each.name: _check(each, place) for each in found.checks}
    records = [
        _record(each, place, checks.get(each.check), takes.get(each.key)) for each in found.sets
    ]
    urns = [each.urn for each in (*checks.values(), *records)]
    addresses = [each.address for each in found.checks]
    ids = pulumi.Output.all(*(checks[each.name].id for each in found.checks))
    return Made(
        pulumi.Output.all(*urns),
        ids.apply(lambda known: _listed(zip(addresses, known, strict=True))),
    )


def _listed(checks: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"address": address, "id": identifier} for address, identifier in sorted(checks)]


def _check(each: NativeCheck, place: Place) -> HealthCheck:
    """Declare a health check. TCP takes neither path nor name."""
    settings = each.settings
    return HealthCheck(
        each.name,
        reference_name=reference_name(place.zone, place.prefix),
        type=settings.type,
        ip_address=each.address,
        port=settings.port,
        resource_path=settings.path or None,
        fqdn=settings.domain_name or None,
        request_interval=settings.interval,
        failure_threshold=settings.failure_threshold,
        tags={"Name": f"edge {each.address}"},
        opts=place.options,
    )


def _record(each: NativeSet, place: Place, check: HealthCheck | None, old: Key | None) -> Record:
    """Declare a latency set. What exists is never overwritten: that is pulumi-aws's default."""
    taken = [pulumi.Alias(name=resource_name(old, place.prefix))] if old else None
    return Record(
        each.resource,
        zone_id=place.zone,
        name=each.name,
        type=each.type,
        set_identifier=each.set_identifier,
        latency_routing_policies=[RecordLatencyRoutingPolicyArgs(region=each.region)],
        ttl=each.ttl,
        records=list(each.values),
        health_check_id=check.id if check else each.check_id or None,
        opts=pulumi.ResourceOptions.merge(place.options, pulumi.ResourceOptions(aliases=taken)),
    )
