"""One record set, and the form in which the service accepts it."""

from typing import Any

from local.zone.errors import refuse
from local.zone.names import canonical_name
from local.zone.schema import STRUCTURES
from local.zone.vocabulary import POLICIES, Doc

SetKey = tuple[str, str]  # record type and SetIdentifier, "" for a simple set
ELEMENTS = STRUCTURES["ResourceRecordSet"].names


class RecordSet:
    """A record set with its names in canonical form and its elements in the service's order."""

    def __init__(self, raw: Doc) -> None:
        self.doc: Doc = {name: _copy(raw[name]) for name in ELEMENTS if name in raw}
        self.name = self.doc["Name"] = canonical_name(raw["Name"])
        self.alias: Doc = self.doc.get("AliasTarget", {})
        if self.alias:
            self.alias["DNSName"] = canonical_name(self.alias["DNSName"])
        self.type: str = raw["Type"]
        self.key: SetKey = (self.type, raw.get("SetIdentifier", ""))
        self.values: list[str] = [record["Value"] for record in raw.get("ResourceRecords", ())]
        self.policy = next((policy for policy in POLICIES if policy in raw), "")

    def matches(self, other: "RecordSet") -> bool:
        """Whether every element is the same, the values as text and in any order."""
        mine, theirs = (
            {**each.doc, "ResourceRecords": sorted(each.values)} for each in (self, other)
        )
        return mine == theirs


Group = dict[SetKey, RecordSet]  # the record sets at one name


def check_form(action: str, raw: Doc) -> None:
    """What the service refuses as InvalidInput before it looks at the zone, for DELETE too."""
    policies = sum(policy in raw for policy in POLICIES)
    alias = "AliasTarget" in raw
    plain = sum(name in raw for name in ("TTL", "ResourceRecords"))
    routed = "SetIdentifier" in raw
    if policies == int(routed) and alias != bool(plain) and plain != 1:
        return
    where = (
        f"in Change with [Action={action}, Name={raw['Name']}, Type={raw['Type']}, "
        f"SetIdentifier={raw.get('SetIdentifier', 'null')}]"
    )
    one_policy = "exactly one of [Weight, Region, Failover, GeoLocation, or MultiValueAnswer]"
    one_form = "exactly one of [AliasTarget, all of [TTL, and ResourceRecords], or "
    refuse(
        "InvalidInput",
        (policies and not routed, f"Invalid request: Missing field 'SetIdentifier' {where}"),
        (
            routed and policies != 1,
            f"Invalid request: Expected {one_policy}, but found {_number(policies)} {where}",
        ),
        (
            alias == bool(plain) or plain == 1,
            f"Invalid request: Expected {one_form}TrafficPolicyInstanceId], "
            f"but found {_number(alias)} {where}",
        ),
    )


def _number(found: int) -> str:
    return "more than one" if found else "none"


def _copy(value: Any) -> Any:
    """A copy of plain data; a tenth of what copy.deepcopy takes."""
    if isinstance(value, dict):
        return {name: _copy(child) for name, child in value.items()}
    if isinstance(value, list):
        return [_copy(child) for child in value]
    return value
