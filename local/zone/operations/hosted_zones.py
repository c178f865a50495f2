"""The operations on hosted zones, and GetChange."""

import time

from local.zone.account import Account, new_id
from local.zone.errors import find, refuse
from local.zone.names import canonical_name, sort_key
from local.zone.request import PAGE, Request
from local.zone.vocabulary import ENDPOINT, NAME_SERVERS, Doc

APEX_SETS = 2  # NS and SOA, which every zone has
NOT_EMPTY = (
    "The specified hosted zone contains non-required resource record sets and so cannot be deleted."
)


def create_hosted_zone(account: Account, request: Request) -> Doc:
    """A new zone; a caller reference is taken for ever."""
    wanted, identifier = request.read(), new_id("Z")
    name, reference = canonical_name(wanted["Name"]), wanted["CallerReference"]
    wildcard = "The leftmost label of a hosted zone cannot be *."
    refuse("InvalidDomainName", (name.startswith("\\052."), wildcard))
    taken = f"hostedzone/{reference}" in account.references
    was_created = "A hosted zone was created with this caller reference."
    refuse("HostedZoneAlreadyExists", (taken, was_created))
    config = wanted.get("HostedZoneConfig", {})
    zone = {"id": identifier, "name": name, "caller_reference": reference, "config": config}
    account.seed({"zones": [zone]})
    return {
        "HostedZone": account.zones[identifier].document(),
        **account.new_change(),
        "DelegationSet": {"NameServers": NAME_SERVERS},
        "Location": f"{ENDPOINT}/hostedzone/{identifier}",
    }


def get_hosted_zone(account: Account, request: Request) -> Doc:
    """A zone by id."""
    zone = account.zone(request.args[0])
    return {"HostedZone": zone.document(), "DelegationSet": {"NameServers": NAME_SERVERS}}


def delete_hosted_zone(account: Account, request: Request) -> Doc:
    """Remove a zone that holds nothing but its NS and SOA."""
    zone = account.zone(request.args[0])
    refuse("HostedZoneNotEmpty", (len(zone.order()) > APEX_SETS, NOT_EMPTY))
    del account.zones[zone.id]
    return account.new_change()


def list_hosted_zones(account: Account, request: Request) -> Doc:
    """A page of zones by id."""
    documents = {zone.id: zone.document() for zone in account.zones.values()}
    return request.page("HostedZones", documents)


def list_hosted_zones_by_name(account: Account, request: Request) -> Doc:
    """A page of zones by name, then id."""
    name, identifier = request.query.get("dnsname"), request.query.get("hostedzoneid")
    alone = "Invalid parameter : hostedzoneid needs dnsname."
    refuse("InvalidInput", (identifier and not name, alone))
    start = (sort_key(canonical_name(name)) if name else "", identifier or "")
    keyed = sorted((sort_key(zone.name), zone.id, zone.name) for zone in account.zones.values())
    keyed, size = [each for each in keyed if each[:2] >= start], request.page_size(PAGE, PAGE)
    _, next_id, next_name = keyed[size] if len(keyed) > size else (None, None, None)
    return {
        "HostedZones": [account.zones[zone_id].document() for _, zone_id, _ in keyed[:size]],
        "DNSName": name,
        "HostedZoneId": identifier,
        "IsTruncated": next_id is not None,
        "NextDNSName": next_name,
        "NextHostedZoneId": next_id,
        "MaxItems": size,
    }


def get_change(account: Account, request: Request) -> Doc:
    """A change, INSYNC when its time has come."""
    change = find(account.changes, request.args[0], "NoSuchChange")
    insync = {"Status": "INSYNC"} if time.time() >= change["insync_at"] else {}
    return {"ChangeInfo": change["info"] | insync}
