"""The rules for one record set on its own: its values and its place in the zone.

Each function yields (whether the rule is broken, the service's message), in the service's order.
"""

from collections import Counter
from collections.abc import Iterator

from local.zone.errors import Check
from local.zone.record_sets import Group, RecordSet
from local.zone.settings import Settings
from local.zone.values import value_problem
from local.zone.zones import Zone

MAX_VALUES = 400


def value_checks(wanted: RecordSet, settings: Settings) -> Iterator[Check]:
    """How many values there are, and each of them."""
    single = wanted.type == "CNAME" or (
        wanted.policy == "Region" and not settings.allow_multi_value_latency
    )
    yield single and len(wanted.values) > 1, f"{_this(wanted)} must have exactly one value"
    too_many = f"Cannot have more than {MAX_VALUES} records in a RRSet."
    yield len(wanted.values) > MAX_VALUES, too_many
    for value, count in Counter(wanted.values).items():
        yield count > 1, f"Duplicate Resource Record: '{value}'"
        problem = value_problem(wanted.type, value)
        yield problem, f"Invalid Resource Record: '{problem}'"


def place_checks(wanted: RecordSet, zone: Zone) -> Iterator[Check]:
    """What the zone and the name admit: the type, the routing policy, the alias."""
    name, kind, policy, alias = wanted.name, wanted.type, wanted.policy, wanted.alias
    this = _this(wanted)
    outside = f"RRSet with DNS name {name} is not permitted in zone {zone.name}"
    wildcard_ns = kind == "NS" and name.startswith("\\052.")
    multivalue = policy == "MultiValueAnswer" and (kind == "CNAME" or alias)
    yield not zone.holds(name), outside
    at_apex = name == zone.name
    yield kind == "CNAME" and at_apex, f"{this} is not permitted at apex in zone {zone.name}"
    yield kind == "SOA" and not at_apex, f"{this} is permitted only at apex in zone {zone.name}"
    yield wildcard_ns, f"{this} is not permitted: NS takes no wildcard"
    yield policy and kind in ("NS", "SOA", "DS"), f"{this} does not support routing policies"
    yield multivalue, f"{this} cannot be a multivalue answer"
    yield alias and kind in ("NS", "SOA"), f"{this} cannot be an alias"


def alias_checks(wanted: RecordSet, zone: Zone, targets: Group) -> Iterator[Check]:
    """An alias into its own zone: targets is what stands at its target's name by now."""
    if wanted.alias.get("HostedZoneId") != zone.id:
        return
    target, kind = wanted.alias["DNSName"], wanted.type
    tried = f"Tried to create an alias that targets {target}, type {kind} in zone {zone.id}, but"
    missing = target != wanted.name and all(key[0] != kind for key in targets)
    outside = "the alias target name does not lie within the target zone"
    yield not zone.holds(target), f"{tried} {outside}"
    yield missing, f"{tried} that target was not found"


def _this(wanted: RecordSet) -> str:
    return f"RRSet of type {wanted.type} with DNS name {wanted.name}"
