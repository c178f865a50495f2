"""Step 3 of a steering stack, first half: settings and documents become the desired value."""

from __future__ import annotations

from control.scan import SteeringDocuments
from folds.desired import Desired
from folds.hosts import hosts_of
from folds.placement import armed
from folds.zone import LiveZone
from stacks.settings import SteeringSettings


def desired_of(settings: SteeringSettings, documents: SteeringDocuments, live: LiveZone) -> Desired:
    """Return what the bucket asks for. Of the names not steered, only live ones are kept."""
    hosts = hosts_of(documents.records, domain=settings.apps_domain, rule=settings.host_rule)
    managed = {each.name for each in live.sets if each.managed(*settings.prefixes)}
    return Desired(
        zone=settings.zone,
        prefix=settings.set_identifier_prefix,
        former=settings.former_prefix,
        domain=settings.apps_domain,
        ttl=settings.ttl,
        check=settings.health_check.of(settings.apps_domain),
        wait_for_sync=settings.wait_for_sync,
        zone_limit=settings.zone_limit,
        health_check_limit=settings.health_check_limit,
        edges=armed(documents.edges),
        hosts=hosts.steered,
        refused=hosts.refused,
        held=tuple(name for name in hosts.held if name in managed),
        adopt=settings.adopt,
        withdrawn=tuple(name for name in hosts.withdrawn if name in managed),
    )
