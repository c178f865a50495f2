"""What a change is seen to leave behind: observed and never refused."""

from local.zone.account import Account
from local.zone.record_sets import Group
from local.zone.request import Request


def observe_change(
    account: Account, request: Request, zone: str, name: str, groups: tuple[Group, Group]
) -> None:
    """Record what is wrong at a name that a batch touched; groups: before it and after it."""
    old, new = groups
    if _emptied(old, new):
        account.record_violation("host_emptied", request, zone=zone, name=name)
    for key, record_set in new.items():
        check = record_set.doc.get("HealthCheckId")
        if check is not None and check not in account.health_checks:
            where = {"zone": zone, "name": name, "set": list(key)}
            account.record_violation("missing_health_check", request, **where, health_check=check)
    policies = {(record_set.type, record_set.policy) for record_set in new.values()}
    if len(policies) > len({kind for kind, _ in new}):
        account.record_violation("mixed_policies", request, zone=zone, name=name)


def observe_deleted_check(account: Account, request: Request, identifier: str) -> None:
    """Record the sets that still refer to a health check about to go."""
    users = [
        [zone.id, record_set.name, *record_set.key]
        for zone in account.zones.values()
        for record_set in zone.record_sets()
        if record_set.doc.get("HealthCheckId") == identifier
    ]
    if users:
        kind = "deleted_health_check_in_use"
        account.record_violation(kind, request, health_check=identifier, sets=users)


def _emptied(old: Group, new: Group) -> bool:
    """Whether a name with a routed set is left with nothing but TXT."""
    routed = any(identifier and kind != "TXT" for kind, identifier in old)
    return routed and all(kind == "TXT" for kind, _ in new)
