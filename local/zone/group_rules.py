"""The rules for the record sets that share a name, and for the zone as a batch leaves it.

Each function yields (whether the rule is broken, the service's message), in the service's order.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from local.zone.errors import Check
from local.zone.record_sets import Group, RecordSet
from local.zone.vocabulary import POLICIES
from local.zone.zones import Zone

MAX_ROUTED = 100  # routed sets per name and type


def cname_checks(wanted: RecordSet, others: Sequence[RecordSet], zone: str) -> Iterator[Check]:
    """A CNAME stands alone at its name."""
    this = f"RRSet of type {wanted.type} with DNS name {wanted.name} is not permitted"
    beside = any(other.type != wanted.type for other in others)
    blocked = wanted.type != "CNAME" and any(other.type == "CNAME" for other in others)
    other_records = "as it conflicts with other records with the same DNS name"
    other_cname = "because a conflicting RRSet of type  CNAME with the same DNS name already exists"
    yield wanted.type == "CNAME" and beside, f"{this} {other_records} in zone {zone}"
    yield blocked, f"{this} {other_cname} in zone {zone}"


def policy_checks(wanted: RecordSet, others: Sequence[RecordSet]) -> Iterator[Check]:
    """One routing policy per name and type, and no simple set beside it."""
    policy, peers = wanted.policy, [other for other in others if other.type == wanted.type]
    if not peers:
        return
    this = _this(wanted)
    same = "exist with the same name and type."
    yield not policy, f"{this} cannot be created as other RRSets {same}"
    mixed = policy and any(peer.policy != policy for peer in peers)
    if policy == "MultiValueAnswer":
        other = "a non multivalue answer rrset exists with the same name and type."
        yield mixed, f"{this} cannot be created because {other}"
    else:
        other = f"a non-{POLICIES.get(policy)} set exists with the same name and type."
        yield mixed, f"{this} cannot be created as {other}"
    yield from _twin_checks(wanted, peers)
    too_many = f"more than {MAX_ROUTED} sets with the same name and type."
    yield policy and len(peers) >= MAX_ROUTED, f"{this} cannot be created: {too_many}"


def _twin_checks(wanted: RecordSet, peers: Sequence[RecordSet]) -> Iterator[Check]:
    """One latency set per region, one geolocation set per place, one failover set per role."""
    this, policy = _this(wanted), wanted.policy
    if policy not in ("Region", "GeoLocation", "Failover"):
        return
    twin = any(peer.doc.get(policy) == wanted.doc[policy] for peer in peers)
    if policy == "Region":
        region = f"and Region Name={wanted.doc['Region']}"
        exists = "a latency RRSet with the same name, type and region already exists."
        yield twin, f"{this}, {region} cannot be created because {exists}"
    else:
        exists = f"a set with the same name, type and {policy} already exists."
        yield twin, f"{this} cannot be created because {exists}"


def final_checks(zone: Zone, touched: Mapping[str, Group], quota: int) -> Iterator[Check]:
    """The zone as the whole batch would leave it; quota is its record sets."""
    for name, group in touched.items():
        yield from _weighted_checks(name, group)
    apex = touched.get(zone.name, zone.names[zone.name])
    yield ("SOA", "") not in apex, "A HostedZone must contain exactly one SOA record."
    no_ns = "A HostedZone must contain at least one NS record for the zone itself."
    yield ("NS", "") not in apex, no_ns
    growth = sum(len(group) - len(zone.names.get(name, ())) for name, group in touched.items())
    over = growth > 0 and len(zone.order()) + growth > quota
    yield over, f"Exceeded limit MAX_RRSETS_BY_ZONE for zone: {zone.id}"


def _weighted_checks(name: str, group: Group) -> Iterator[Check]:
    weighted = [each for each in group.values() if each.policy == "Weight" and each.values]
    ttls = {(each.type, each.doc["TTL"]) for each in weighted}
    for kind, count in Counter(kind for kind, _ in sorted(ttls)).items():
        this = f"RRSet with DNS name {name} and type {kind}"
        yield count > 1, f"{this} cannot be created as weighted sets must contain the same TTL."


def _this(wanted: RecordSet) -> str:
    identifier = f", SetIdentifier {wanted.key[1]}" if wanted.policy else ""
    return f"RRSet with DNS name {wanted.name}, type {wanted.type}{identifier}"
