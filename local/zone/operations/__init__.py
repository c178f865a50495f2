"""The operations of the API: which request each answers, and what runs it."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from local.zone.account import Account
from local.zone.operations import health_checks, hosted_zones, record_sets, tags
from local.zone.request import Request
from local.zone.vocabulary import VERSION, Doc

Run = Callable[[Account, Request], Doc]


@dataclass(frozen=True)
class Operation:
    """An operation's HTTP method, path pattern, name and function."""

    method: str
    pattern: str
    name: str
    run: Run


OPERATIONS = [
    Operation("POST", "hostedzone", "CreateHostedZone", hosted_zones.create_hosted_zone),
    Operation("GET", "hostedzone", "ListHostedZones", hosted_zones.list_hosted_zones),
    Operation(
        "GET", "hostedzonesbyname", "ListHostedZonesByName", hosted_zones.list_hosted_zones_by_name
    ),
    Operation("GET", "hostedzone/([^/]+)", "GetHostedZone", hosted_zones.get_hosted_zone),
    Operation("DELETE", "hostedzone/([^/]+)", "DeleteHostedZone", hosted_zones.delete_hosted_zone),
    Operation(
        "POST",
        "hostedzone/([^/]+)/rrset",
        "ChangeResourceRecordSets",
        record_sets.change_resource_record_sets,
    ),
    Operation(
        "GET",
        "hostedzone/([^/]+)/rrset",
        "ListResourceRecordSets",
        record_sets.list_resource_record_sets,
    ),
    Operation("GET", "change/([^/]+)", "GetChange", hosted_zones.get_change),
    Operation("POST", "healthcheck", "CreateHealthCheck", health_checks.create_health_check),
    Operation("GET", "healthcheck", "ListHealthChecks", health_checks.list_health_checks),
    Operation("GET", "healthcheck/([^/]+)", "GetHealthCheck", health_checks.get_health_check),
    Operation(
        "POST", "healthcheck/([^/]+)", "UpdateHealthCheck", health_checks.update_health_check
    ),
    Operation(
        "DELETE", "healthcheck/([^/]+)", "DeleteHealthCheck", health_checks.delete_health_check
    ),
    Operation(
        "GET", "healthcheckcount", "GetHealthCheckCount", health_checks.get_health_check_count
    ),
    Operation("GET", "tags/([^/]+)/([^/]+)", "ListTagsForResource", tags.list_tags_for_resource),
    Operation("POST", "tags/([^/]+)", "ListTagsForResources", tags.list_tags_for_resources),
    Operation(
        "POST", "tags/([^/]+)/([^/]+)", "ChangeTagsForResource", tags.change_tags_for_resource
    ),
]


def find_operation(method: str, version: str, path: str) -> tuple[Operation | None, list[str]]:
    """The operation that a request names, with its path arguments; None where there is none."""
    if version != VERSION:
        return None, []
    for operation in OPERATIONS:
        matched = re.fullmatch(operation.pattern, path)
        if matched and operation.method == method:
            return operation, list(matched.groups())
    return None, []
