"""The service's XML schema: which elements a structure or list holds, and what a leaf may say.

Elements stand by their name, or as parent.element where a name has two meanings.
"""

from dataclasses import dataclass
from functools import cache

from local.zone.regions import CHECKER_REGIONS, REGIONS
from local.zone.vocabulary import ENDPOINT_TYPES, RECORD_TYPES

LeafRule = tuple[int, int] | range | list[str]  # limits of the length, the number, the choices


@dataclass(frozen=True)
class Structure:
    """An element's members in the service's order, as spelled below and taken apart."""

    spelled: list[str]
    names: list[str]
    required: list[str]


def _structure(members: str) -> Structure:
    """A structure from its members' names; "!" marks the required ones."""
    spelled = members.split()
    required = [member[:-1] for member in spelled if member.endswith("!")]
    return Structure(spelled, [member.removesuffix("!") for member in spelled], required)


@dataclass(frozen=True)
class ListRule:
    """The name of a list's items, and how many there may be."""

    item: str
    low: int
    high: int


MEMBERS = {
    "CreateHostedZoneRequest": "Name! CallerReference! HostedZoneConfig",
    "HostedZoneConfig": "Comment PrivateZone",
    "ChangeResourceRecordSetsRequest": "ChangeBatch!",
    "ChangeBatch": "Comment Changes!",
    "Change": "Action! ResourceRecordSet!",
    "ResourceRecordSet": (
        "Name! Type! SetIdentifier Weight Region GeoLocation Failover MultiValueAnswer TTL "
        "ResourceRecords AliasTarget HealthCheckId"
    ),
    "ResourceRecord": "Value!",
    "GeoLocation": "ContinentCode CountryCode SubdivisionCode",
    "AliasTarget": "HostedZoneId! DNSName! EvaluateTargetHealth!",
    "CreateHealthCheckRequest": "CallerReference! HealthCheckConfig!",
    "HealthCheckConfig": (
        "IPAddress Port Type! ResourcePath FullyQualifiedDomainName SearchString RequestInterval "
        "FailureThreshold MeasureLatency Inverted Disabled EnableSNI Regions"
    ),
    "UpdateHealthCheckRequest": (
        "HealthCheckVersion IPAddress Port ResourcePath FullyQualifiedDomainName SearchString "
        "FailureThreshold Inverted Disabled EnableSNI Regions ResetElements"
    ),
    "ListTagsForResourcesRequest": "ResourceIds!",
    "ChangeTagsForResourceRequest": "AddTags RemoveTagKeys",
    "Tag": "Key! Value",
}
STRUCTURES = {tag: _structure(members) for tag, members in MEMBERS.items()}
LISTS = {
    "Changes": ListRule("Change", 1, 10**6),
    "ResourceRecords": ListRule("ResourceRecord", 1, 10**6),
    "Regions": ListRule("Region", 3, 64),
    "ResetElements": ListRule("ResettableElementName", 0, 64),
    "ResourceIds": ListRule("ResourceId", 1, 10),
    "AddTags": ListRule("Tag", 1, 10),
    "RemoveTagKeys": ListRule("Key", 1, 10),
}
FLAGS = frozenset(
    {
        "PrivateZone",
        "MultiValueAnswer",
        "EvaluateTargetHealth",
        "EnableSNI",
        "Inverted",
        "Disabled",
        "MeasureLatency",
    }
)
LENGTHS = {
    "Comment": (0, 256),
    "CallerReference": (1, 64),
    "CreateHostedZoneRequest.CallerReference": (1, 128),
    "SetIdentifier": (1, 128),
    "HostedZoneId": (0, 32),
    "HealthCheckId": (0, 64),
    "ResourceRecord.Value": (0, 4000),
    "ContinentCode": (2, 2),
    "CountryCode": (1, 2),
    "SubdivisionCode": (1, 3),
    "IPAddress": (0, 45),
    "ResourcePath": (0, 255),
    "FullyQualifiedDomainName": (0, 255),
    "SearchString": (0, 255),
    "Key": (1, 128),
    "Tag.Value": (0, 256),
    "ResourceId": (1, 64),
}
NUMBERS = {
    "Weight": range(256),
    "TTL": range(2**31),
    "Port": range(1, 65536),
    "RequestInterval": range(10, 31),
    "FailureThreshold": range(1, 11),
    "HealthCheckVersion": range(1, 10**17),
}
CHOICES = {
    "Action": ["CREATE", "DELETE", "UPSERT"],
    "ResourceRecordSet.Type": RECORD_TYPES,
    "ResourceRecordSet.Region": REGIONS,
    "Regions.Region": CHECKER_REGIONS,
    "Failover": ["PRIMARY", "SECONDARY"],
    "HealthCheckConfig.Type": [
        *ENDPOINT_TYPES,
        "CALCULATED",
        "CLOUDWATCH_METRIC",
        "RECOVERY_CONTROL",
    ],
    "ResettableElementName": [
        "FullyQualifiedDomainName",
        "Regions",
        "ResourcePath",
        "ChildHealthChecks",
    ],
    **{flag: ["true", "false"] for flag in FLAGS},
}
LEAVES: dict[str, LeafRule] = {**LENGTHS, **NUMBERS, **CHOICES}
OTHER_LEAVES = (0, 1024)


@cache
def leaf_rule(tag: str, parent: str) -> LeafRule:
    """What a leaf may say; 1,024 characters where the tables name no limit."""
    return LEAVES.get(f"{parent}.{tag}", LEAVES.get(tag, OTHER_LEAVES))
