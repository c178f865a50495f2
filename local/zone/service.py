"""A strict emulator of the Amazon Route 53 REST/XML API (2013-04-01), to judge DNS tools with.

Run:    python route53_emulator.py --port 0 --state FILE.json --log CALLS.jsonl [--rate 5 --burst 5] [--fault SPEC.json]
Import: with ZoneEmulator(rate=5, faults=[{"op": "GetChange", "nth": 2, "do": "throttle"}]) as emulator: ... emulator.url
Each field of Settings is a keyword of ZoneEmulator and a flag (--zone-quota 50, --no-allow-test-nets). A ZoneEmulator has .zones,
.health_checks, .calls (op, time, status, error, changes, units, chars, fault, ...) and .violations.
Control, unthrottled: GET /_emulator/state|calls|violations; POST /_emulator/seed (JSON as /_emulator/state gives it, record sets
as boto3 has them), /_emulator/faults (JSON), /_emulator/reset (empties the call log and the counters of nth and every).
Faults: [{"op": NAME or "*", "nth": k or "every": m (neither: each call), "delay": seconds, "do": "throttle" | "500" |
"503" | "prior_request" | "drop_before" | "drop_after" | {"delay": s}}]; drop_after applies the call, loses the answer.

Rules: [doc] AWS documentation or service model; [seen] answers of the live service quoted in public issues; [ours] a
judgement where neither settles it, strict unless it says otherwise. A mark holds up to the next mark.
Requests. [seen] Unknown, repeated, missing elements, enumerations, lengths: InvalidInput "Invalid XML ; cvc-"; element
order is free, as boto3 sends the caller's. [doc] Unsigned calls are refused ([ours] signatures are not verified).
[doc] Above rate/burst, counted over all operations: 400 Throttling (rate=0, the default: no limit).
PriorRequestNotComplete, [ours] for prior_window seconds after an accepted change (default 0 = off).
Names. [doc] Lower-cased; final dot optional, always returned; all but a-z 0-9 - _ returned as \\ooo, so * is \\052;
label <= 63, name <= 255 with its dots; within the zone; no * for NS. [ours] Lone backslashes are refused.
Changes. [doc] All or nothing; DELETE matches every field, [ours] values as text in any order: "a.b" is not "a.b.".
[seen] Judged in order on a working copy (a CREATE before the DELETE that makes room fails); each failing change adds
messages to "[msg1, msg2]" and [ours] leaves the copy alone. [seen] A set named twice in a batch is refused, [ours] but
as DELETE then CREATE. [seen] InvalidInput, for DELETE too: a policy without SetIdentifier (MultiValueAnswer=false
counts), SetIdentifier without exactly one policy, not exactly one of AliasTarget and TTL+ResourceRecords. [doc] One
policy per name and type, no simple set beside it; one latency set per region, one geolocation set per place, [ours]
one failover set per role; some texts. Several values in a latency set (API reference: no, guide: yes) by
allow_multi_value_latency, default on. [doc] NS, SOA, DS take no policy; multivalue no CNAME, no alias; weighted sets
share a TTL, [ours] judged on the final state like [seen] the apex SOA and NS. [doc] CNAME alone at its name, not at
the apex, one value. [seen] An alias into its own zone needs its target first. A, AAAA, CNAME, NS, PTR, TXT, SPF values
are checked ([ours] other types are not), no duplicates. [doc] 1,000 ResourceRecords "including alias records"
(alias_units=1), 32,000 characters, UPSERT doubles both; 400 values a set; 100 routed sets per name and type; 10,000
sets a zone. [ours] 1,000 Change elements. [doc] NoSuchHealthCheck, [ours] before InvalidChangeBatch and not for DELETE
(a set whose check is gone must be removable).
Lists. [doc] By reversed labels with the dot, type, [ours] identifier, compared in escaped form. [doc] The cursor is >=
name, type, identifier; type without name is InvalidInput. [seen] MaxItems above 300 means 300; without it the live
service answered 100 in 2023: default_page=300 is the documented maximum, --default-page 100 the observation. [ours]
Zones and health checks list by id; pages of health checks hold at most 100 (the newest docs say 1,000).
Health checks. [doc] Same reference and settings: the existing check ([ours] status 201, current settings count); other
settings or a deleted check's reference: HealthCheckAlreadyExists ([ours] for ever). [doc] 200 checks; number ranges;
no IPAddress in RFC 5735/6598/5156 ranges ([ours] documentation nets by allow_test_nets, default on). [seen] TCP takes
no path, and no name with an address; IPv6 returns as 2001:db8:0:0:0:0:0:4. [ours] RequestInterval 10 or 30, the path
begins with /, str-match types need a string, defaults are filled in. [doc] Endpoints need an address or a name;
UpdateHealthCheck compares versions and cannot add or remove IPAddress; a check in use can be deleted; 10 tags a
resource.
Violations are observed, never refused: host_emptied (a name with a routed set is left with nothing but TXT),
missing_health_check (a set at a touched name), deleted_health_check_in_use, mixed_policies.
Not modelled: private zones, traffic policies, CIDR/geoproximity/AZ routing, alias targets elsewhere, health checks
other than of endpoints, 1,000 creations a day.
"""
from __future__ import annotations

import argparse
import bisect
import copy
import ipaddress
import itertools
import json
import re
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit
from xml.etree import ElementTree
from xml.sax.saxutils import escape

Doc = dict[str, Any]  # an XML structure: element name -> text, number, flag, list or structure
SetKey = tuple[str, str]  # record type and SetIdentifier, "" for a simple set
Check = tuple[object, str]  # whether a rule is broken, and what to say then
Answer = tuple[int, dict[str, str], bytes]
Found = TypeVar("Found")

XMLNS = "https://route53.amazonaws.com/doc/2013-04-01/"
RECORD_TYPES = "SOA A TXT NS CNAME MX NAPTR PTR SRV SPF AAAA CAA DS TLSA SSHFP SVCB HTTPS".split()
REGIONS = """us-east-1 us-east-2 us-west-1 us-west-2 ca-central-1 ca-west-1 mx-central-1 sa-east-1 eu-west-1 eu-west-2
    eu-west-3 eu-central-1 eu-central-2 eu-north-1 eu-south-1 eu-south-2 il-central-1 me-south-1 me-central-1 af-south-1
    ap-east-1 ap-east-2 ap-south-1 ap-south-2 ap-southeast-1 ap-southeast-2 ap-southeast-3 ap-southeast-4 ap-southeast-5
    ap-southeast-6 ap-southeast-7 ap-northeast-1 ap-northeast-2 ap-northeast-3 cn-north-1 cn-northwest-1 us-gov-east-1
    us-gov-west-1 eusc-de-east-1""".split()
CHECKERS = "us-east-1 us-west-1 us-west-2 eu-west-1 ap-southeast-1 ap-southeast-2 ap-northeast-1 sa-east-1".split()
POLICIES = {"Weight": "weighted", "Region": "latency", "GeoLocation": "geolocation", "Failover": "failover",
            "MultiValueAnswer": "multivalue"}
ENDPOINT_TYPES = ["HTTP", "HTTPS", "HTTP_STR_MATCH", "HTTPS_STR_MATCH", "TCP"]
UNREACHABLE = [ipaddress.ip_network(net) for net in """0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16
    172.16.0.0/12 192.0.0.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/4 240.0.0.0/4 ::/128 ::1/128
    ::ffff:0:0/96 2001::/32 2001:10::/28 2002::/16 3ffe::/16 5f00::/8 fc00::/7 fe80::/10 ff00::/8""".split()]
TEST_NETS = [ipaddress.ip_network(net) for net in "192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 2001:db8::/32".split()]
ENDPOINT = "https://route53.amazonaws.com/2013-04-01"
NAME_SERVERS = ["ns-2048.awsdns-64.com", "ns-2049.awsdns-65.net", "ns-2050.awsdns-66.org", "ns-2051.awsdns-67.co.uk"]
TXT_STRING = r'"((?:[^"\\]|\\.)*)"'
FAULTS = {"throttle": ("Throttling", "Rate exceeded"), "500": ("InternalFailure", "An internal error occurred."),
          "503": ("ServiceUnavailable", "The service is unavailable."), "prior_request": ("PriorRequestNotComplete",
          "The request was rejected because Route 53 was still processing a prior request.")}
STATUS = {"NoSuchHostedZone": 404, "NoSuchHealthCheck": 404, "NoSuchChange": 404, "UnknownOperationException": 404,
          "HostedZoneAlreadyExists": 409, "HealthCheckAlreadyExists": 409, "HealthCheckVersionMismatch": 409,
          "MissingAuthenticationToken": 403, "InternalFailure": 500, "ServiceUnavailable": 503}  # the others: 400


@dataclass
class Settings:
    rate: float = 0.0
    burst: int = 5
    insync_after: float = 1.0
    prior_window: float = 0.0
    zone_quota: int = 10_000
    health_check_quota: int = 200
    alias_units: int = 1
    default_page: int = 300
    allow_multi_value_latency: bool = True
    allow_test_nets: bool = True


class ApiError(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message, self.status = code, message, STATUS.get(code, 400)


def refuse(code: str, *checks: Check) -> None:
    """Raise the first check that failed."""
    for failed, message in checks:
        if failed:
            raise ApiError(code, message)


def find(store: Mapping[str, Found], identifier: str, code: str) -> Found:
    refuse(code, (identifier not in store, f"{code}: nothing found with ID: {identifier}"))
    return store[identifier]


# ---- names and values

def canonical_name(text: str, code: str = "InvalidDomainName") -> str:
    """The form in which Route 53 returns a name: lower case, escaped, with the final dot."""
    labels: list[list[int]] = [[]]
    tokens = re.findall(r"\\[0-3][0-7]{2}|.", text, re.DOTALL)
    for token in tokens:
        number = ord(token) if len(token) == 1 else int(token[1:], 8)
        if token == ".":
            labels.append([])
        else:
            labels[-1].append(number + 32 if 65 <= number <= 90 else number)
    labels = labels if labels[-1] else labels[:-1]
    unsupported = any(token == "\\" or not "!" <= token[0] <= "~" for token in tokens)
    refuse(code, *((failed, f"FATAL problem: {problem} encountered with '{text}'") for failed, problem in (
        (unsupported, "UnsupportedCharacter (Value contains unsupported characters)"),
        (not labels, "DomainNameEmpty (Domain name is empty)"),
        (not all(labels), "DomainLabelEmpty (Domain label is empty)"),
        (any(len(label) > 63 for label in labels), "DomainLabelTooLong (Domain label is too long)"),
        (sum(len(label) + 1 for label in labels) > 255, "DomainNameTooLong (Domain name is too long)"))))
    shown = [[chr(n) if re.match(r"[a-z0-9_-]", chr(n)) else f"\\{n:03o}" for n in label] for label in labels]
    return "".join("".join(label) + "." for label in shown)


def sort_key(name: str) -> str:
    """www.example.com. -> com.example.www. (the final dot takes part in the comparison)."""
    return ".".join(reversed(name[:-1].split("."))) + "."


def address_of(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text.replace("%", " "))  # no scoped addresses
    except ValueError:
        return None


def check_value(kind: str, value: str) -> None:
    """Whether a value is valid for its record type."""
    if kind in ("CNAME", "NS", "PTR"):
        canonical_name(value)
    address, quoted = address_of(value), kind in ("TXT", "SPF")
    strings = [re.sub(r"\\([0-7]{3}|.)", "x", string) for string in re.findall(TXT_STRING, value)]
    problems = ((kind == "A" and (not address or address.version == 6),
                 "ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address)"),
                (kind == "AAAA" and (not address or address.version == 4),
                 "AAAARRDATAIllegalIPv6Address (Value is not a valid IPv6 address)"),
                (quoted and not re.fullmatch(rf"{TXT_STRING}(\s+{TXT_STRING})*", value),
                 "InvalidCharacterString (Value should be enclosed in quotation marks)"),
                (quoted and max(map(len, strings), default=0) > 255, "CharacterStringTooLong (Value is too long)"))
    refuse("InvalidChangeBatch",
           *((failed, f"FATAL problem: {problem} encountered with '{value}'") for failed, problem in problems))


# ---- XML. The tables hold elements by name, or as parent.element where a name has two meanings; "!" marks the required

STRUCTS = {
    "CreateHostedZoneRequest": "Name! CallerReference! HostedZoneConfig", "HostedZoneConfig": "Comment PrivateZone",
    "ChangeResourceRecordSetsRequest": "ChangeBatch!", "ChangeBatch": "Comment Changes!",
    "Change": "Action! ResourceRecordSet!", "ResourceRecordSet": "Name! Type! SetIdentifier Weight Region GeoLocation "
    "Failover MultiValueAnswer TTL ResourceRecords AliasTarget HealthCheckId", "ResourceRecord": "Value!",
    "GeoLocation": "ContinentCode CountryCode SubdivisionCode",
    "AliasTarget": "HostedZoneId! DNSName! EvaluateTargetHealth!",
    "CreateHealthCheckRequest": "CallerReference! HealthCheckConfig!",
    "HealthCheckConfig": "IPAddress Port Type! ResourcePath FullyQualifiedDomainName SearchString RequestInterval "
    "FailureThreshold MeasureLatency Inverted Disabled EnableSNI Regions",
    "UpdateHealthCheckRequest": "HealthCheckVersion IPAddress Port ResourcePath FullyQualifiedDomainName SearchString "
    "FailureThreshold Inverted Disabled EnableSNI Regions ResetElements",
    "ListTagsForResourcesRequest": "ResourceIds!", "ChangeTagsForResourceRequest": "AddTags RemoveTagKeys",
    "Tag": "Key! Value"}
LISTS = {"Changes": ("Change", 1, 10**6), "ResourceRecords": ("ResourceRecord", 1, 10**6), "Regions": ("Region", 3, 64),
         "ResetElements": ("ResettableElementName", 0, 64), "ResourceIds": ("ResourceId", 1, 10),
         "AddTags": ("Tag", 1, 10), "RemoveTagKeys": ("Key", 1, 10)}
FLAGS = "PrivateZone MultiValueAnswer EvaluateTargetHealth EnableSNI Inverted Disabled MeasureLatency".split()
LEAVES: dict[str, Any] = {  # a tuple limits the length, a range the number, a list gives the choices
    "Comment": (0, 256), "CallerReference": (1, 64), "CreateHostedZoneRequest.CallerReference": (1, 128),
    "SetIdentifier": (1, 128), "HostedZoneId": (0, 32), "HealthCheckId": (0, 64), "ResourceRecord.Value": (0, 4000),
    "ContinentCode": (2, 2), "CountryCode": (1, 2), "SubdivisionCode": (1, 3), "IPAddress": (0, 45),
    "ResourcePath": (0, 255), "FullyQualifiedDomainName": (0, 255), "SearchString": (0, 255), "Key": (1, 128),
    "Tag.Value": (0, 256), "ResourceId": (1, 64), "Weight": range(256), "TTL": range(2**31), "Port": range(1, 65536),
    "RequestInterval": range(10, 31), "FailureThreshold": range(1, 11), "HealthCheckVersion": range(1, 10**17),
    "Action": ["CREATE", "DELETE", "UPSERT"], "ResourceRecordSet.Type": RECORD_TYPES, "Regions.Region": CHECKERS,
    "ResourceRecordSet.Region": REGIONS, "Failover": ["PRIMARY", "SECONDARY"],
    "HealthCheckConfig.Type": [*ENDPOINT_TYPES, "CALCULATED", "CLOUDWATCH_METRIC", "RECOVERY_CONTROL"],
    "ResettableElementName": ["FullyQualifiedDomainName", "Regions", "ResourcePath", "ChildHealthChecks"],
    **dict.fromkeys(FLAGS, ["true", "false"])}
RECORD_SET_ORDER = STRUCTS["ResourceRecordSet"].replace("!", "").split()


def read_element(node: ElementTree.Element, parent: str = "") -> Any:
    tag, text = node.tag.removeprefix(f"{{{XMLNS}}}"), node.text or ""
    children = [(child.tag.removeprefix(f"{{{XMLNS}}}"), child) for child in node]

    def expect(condition: object, rule: str, expected: object) -> None:
        refuse("InvalidInput", (not condition, f"Invalid XML ; cvc-{rule}: '{tag}' is '{text}', expected {expected}"))
    if tag in STRUCTS:
        members, given = STRUCTS[tag].split(), dict(children)
        names = [member.strip("!") for member in members]
        expect(len(given) == len(children) and given.keys() <= set(names), "complex-type.2.4.a", names)
        expect(all(member[:-1] in given for member in members if member[-1] == "!"), "complex-type.2.4.b", members)
        return {name: read_element(given[name], tag) for name in names if name in given}
    if tag in LISTS:
        item, low, high = LISTS[tag]
        fits = low <= len(children) <= high and all(name == item for name, _ in children)
        expect(fits, "complex-type.2.4.b", f"{low} to {high} {item}")
        return [read_element(child, tag) for _, child in children]
    rule = LEAVES.get(f"{parent}.{tag}", LEAVES.get(tag, (0, 1024)))
    expect(not children, "type.3.1.2", "no element")
    if isinstance(rule, range):
        expect(re.fullmatch(r"-?\d{1,18}", text) and int(text) in rule, "maxInclusive-valid", rule)
        return int(text)
    if isinstance(rule, tuple):
        expect(rule[0] <= len(text) <= rule[1], "maxLength-valid", f"{rule[0]} to {rule[1]} characters")
        return text
    expect(text in rule, "enumeration-valid", rule)
    return text == "true" if tag in FLAGS else text


def write_element(tag: str, value: Any, attributes: str = "") -> str:
    if isinstance(value, dict):
        inner = "".join(write_element(name, child) for name, child in value.items() if child is not None)
    elif isinstance(value, list):
        inner = "".join(write_element(tag.removesuffix("s"), child) for child in value)
    else:
        inner = str(value).lower() if isinstance(value, bool) else escape(str(value))
    return f"<{tag}{attributes}>{inner}</{tag}>"


# ---- zones and change batches

class RecordSet:
    """A record set with its names in canonical form and its elements in the service's order."""

    def __init__(self, raw: Doc) -> None:
        self.doc: Doc = {name: copy.deepcopy(raw[name]) for name in RECORD_SET_ORDER if name in raw}
        self.name = self.doc["Name"] = canonical_name(raw["Name"])
        self.alias: Doc = self.doc.get("AliasTarget", {})
        if self.alias:
            self.alias["DNSName"] = canonical_name(self.alias["DNSName"])
        self.type: str = raw["Type"]
        self.key: SetKey = (self.type, raw.get("SetIdentifier", ""))
        self.values: list[str] = [record["Value"] for record in raw.get("ResourceRecords", ())]
        self.policy = next((policy for policy in POLICIES if policy in raw), "")

    def equals(self, other: RecordSet) -> bool:
        mine, theirs = ({**each.doc, "ResourceRecords": sorted(each.values)} for each in (self, other))
        return mine == theirs


@dataclass
class Zone:
    id: str
    name: str
    caller_reference: str
    config: Doc = field(default_factory=dict)
    names: dict[str, dict[SetKey, RecordSet]] = field(default_factory=dict)
    busy_until: float = 0.0
    _order: list[tuple[str, str, str, str]] | None = None

    def __post_init__(self) -> None:
        soa = f"{NAME_SERVERS[0]}. awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400"
        self.names[self.name] = {(kind, ""): RecordSet({
            "Name": self.name, "Type": kind, "TTL": ttl, "ResourceRecords": [{"Value": value} for value in values]})
            for kind, ttl, values in (("NS", 172800, [f"{server}." for server in NAME_SERVERS]), ("SOA", 900, [soa]))}

    def holds(self, name: str) -> bool:
        return name == self.name or name.endswith("." + self.name)

    def put(self, groups: Mapping[str, dict[SetKey, RecordSet]]) -> None:
        self.names.update(groups)
        for name in [name for name, group in groups.items() if not group]:
            del self.names[name]
        self._order = None

    def order(self) -> list[tuple[str, str, str, str]]:
        if self._order is None:
            self._order = sorted((sort_key(name), *key, name) for name, group in self.names.items() for key in group)
        return self._order

    def record_sets(self, start: int = 0, end: int | None = None) -> list[RecordSet]:
        return [self.names[name][kind, identifier] for _, kind, identifier, name in self.order()[start:end]]

    def document(self) -> Doc:
        return {"Id": f"/hostedzone/{self.id}", "Name": self.name, "CallerReference": self.caller_reference,
                "Config": {"PrivateZone": False, **self.config}, "ResourceRecordSetCount": len(self.order())}


def check_form(action: str, raw: Doc) -> None:
    """What the live service refuses as InvalidInput, before it looks at the zone."""
    policies, routed = sum(policy in raw for policy in POLICIES), "SetIdentifier" in raw
    alias, plain = "AliasTarget" in raw, sum(name in raw for name in ("TTL", "ResourceRecords"))
    where = (f"in Change with [Action={action}, Name={raw['Name']}, Type={raw['Type']}, "
             f"SetIdentifier={raw.get('SetIdentifier', 'null')}]")
    refuse("InvalidInput", (policies and not routed, f"Invalid request: Missing field 'SetIdentifier' {where}"),
           (routed and policies != 1, "Invalid request: Expected exactly one of [Weight, Region, Failover, "
            f"GeoLocation, or MultiValueAnswer], but found {'more than one' if policies else 'none'} {where}"),
           (alias == bool(plain) or plain == 1, "Invalid request: Expected exactly one of [AliasTarget, all of [TTL, "
            "and ResourceRecords], or TrafficPolicyInstanceId], but found "
            f"{'more than one' if alias else 'none'} {where}"))


class Batch:
    """One change batch, judged in order on a copy-on-write view of its zone."""

    def __init__(self, zone: Zone, changes: Sequence[Doc], settings: Settings) -> None:
        self.zone, self.changes, self.settings = zone, changes, settings
        self.touched: dict[str, dict[SetKey, RecordSet]] = {}
        self._actions: dict[tuple[str, SetKey], list[str]] = {}
        self.units = self.chars = 0  # as the service counts ResourceRecord elements and characters of values
        for change in changes:
            factor = 2 if change["Action"] == "UPSERT" else 1
            values = [record["Value"] for record in change["ResourceRecordSet"].get("ResourceRecords", ())]
            self.units += factor * (len(values) or settings.alias_units)
            self.chars += factor * sum(map(len, values))

    def judge(self) -> None:
        refuse("InvalidChangeBatch", (len(self.changes) > 1000, "[Cannot have more than 1000 changes in a batch.]"),
               (self.units > 1000, "[Number of records limit of 1000 exceeded.]"),
               (self.chars > 32000, "[RDATA character limit of 32000 exceeded.]"))
        messages: list[str] = []
        for change in self.changes:
            try:
                messages += self._judge_change(change["Action"], RecordSet(change["ResourceRecordSet"]))
            except ApiError as error:
                messages.append(error.message)
        messages += [message for failed, message in self._final_checks() if failed]
        refuse("InvalidChangeBatch", (messages, f"[{', '.join(messages)}]"))

    def _judge_change(self, action: str, wanted: RecordSet) -> list[str]:
        """What is wrong with a change; if nothing is, it is made to the working copy."""
        group = self.touched.setdefault(wanted.name, dict(self.zone.names.get(wanted.name, {})))
        actions = self._actions.setdefault((wanted.name, wanted.key), [])
        actions.append(action)
        live, this = group.get(wanted.key), f"resource record set [name='{wanted.name}', type='{wanted.type}'"
        this += f", set-identifier='{wanted.key[1]}'] but" if wanted.key[1] else "] but"
        mismatch = action == "DELETE" and live and not live.equals(wanted)
        wrong = [message for failed, message in (
            (len(actions) > 1 and actions != ["DELETE", "CREATE"], "The request contains an invalid set of changes for "
             f"a resource record set '{wanted.type} {wanted.name}'"),
            (action == "DELETE" and not live, f"Tried to delete {this} it was not found"),
            (mismatch, f"Tried to delete {this} the values provided do not match the current values"),
            (action == "CREATE" and live, f"Tried to create {this} it already exists")) if failed]
        if action == "DELETE" and not wrong:
            del group[wanted.key]
        if action == "DELETE" or wrong:
            return wrong[:1]
        others = [other for key, other in group.items() if key != wanted.key]
        checks = (*self._own_checks(wanted), *self._neighbour_checks(wanted, others))
        problems = [message for failed, message in checks if failed]
        if not problems:
            group[wanted.key] = wanted
        return problems

    def _own_checks(self, wanted: RecordSet) -> Iterator[Check]:
        """The set itself: its values and its place in the zone."""
        name, kind, policy, alias, zone = wanted.name, wanted.type, wanted.policy, wanted.alias, self.zone
        this = f"RRSet of type {kind} with DNS name {name}"
        single = kind == "CNAME" or (policy == "Region" and not self.settings.allow_multi_value_latency)
        yield single and len(wanted.values) > 1, f"{this} must have exactly one value"
        yield len(wanted.values) > 400, "Cannot have more than 400 records in a RRSet."
        for value, count in Counter(wanted.values).items():
            yield count > 1, f"Duplicate Resource Record: '{value}'"
            try:
                check_value(kind, value)
            except ApiError as error:
                yield True, f"Invalid Resource Record: '{error.message}'"
        yield not zone.holds(name), f"RRSet with DNS name {name} is not permitted in zone {zone.name}"
        yield kind == "CNAME" and name == zone.name, f"{this} is not permitted at apex in zone {zone.name}"
        yield kind == "SOA" and name != zone.name, f"{this} is permitted only at apex in zone {zone.name}"
        yield kind == "NS" and name.startswith("\\052."), f"{this} is not permitted: NS takes no wildcard"
        yield policy and kind in ("NS", "SOA", "DS"), f"{this} does not support routing policies"
        yield policy == "MultiValueAnswer" and (kind == "CNAME" or alias), f"{this} cannot be a multivalue answer"
        yield alias and kind in ("NS", "SOA"), f"{this} cannot be an alias"
        if alias.get("HostedZoneId") == zone.id:
            target = alias["DNSName"]
            targets = self.touched.get(target, zone.names.get(target, {}))
            tried = f"Tried to create an alias that targets {target}, type {kind} in zone {zone.id}, but"
            yield not zone.holds(target), f"{tried} the alias target name does not lie within the target zone"
            yield target == name or all(key[0] != kind for key in targets), f"{tried} that target was not found"

    def _neighbour_checks(self, wanted: RecordSet, others: Sequence[RecordSet]) -> Iterator[Check]:
        """Conflicts with the other sets at the same name."""
        name, kind, policy, zone = wanted.name, wanted.type, wanted.policy, self.zone.name
        peers = [other for other in others if other.type == kind]
        twin = policy and any(peer.doc.get(policy) == wanted.doc[policy] for peer in peers)
        mixed = policy and any(peer.policy != policy for peer in peers)
        this = f"RRSet of type {kind} with DNS name {name} is not permitted"
        yield (kind == "CNAME" and len(peers) < len(others),
               f"{this} as it conflicts with other records with the same DNS name in zone {zone}")
        yield (any(other.type == "CNAME" != kind for other in others), f"{this} because a conflicting RRSet of type  "
               f"CNAME with the same DNS name already exists in zone {zone}")
        this = f"RRSet with DNS name {name}, type {kind}" + (f", SetIdentifier {wanted.key[1]}" if policy else "")
        yield peers and not policy, f"{this} cannot be created as other RRSets exist with the same name and type."
        yield (mixed and policy == "MultiValueAnswer",
               f"{this} cannot be created because a non multivalue answer rrset exists with the same name and type.")
        yield (mixed and policy != "MultiValueAnswer",
               f"{this} cannot be created as a non-{POLICIES.get(policy)} set exists with the same name and type.")
        yield (twin and policy == "Region", f"{this}, and Region Name={wanted.doc.get('Region')} cannot be created "
               "because a latency RRSet with the same name, type and region already exists.")
        yield (twin and policy in ("GeoLocation", "Failover"),
               f"{this} cannot be created because a set with the same name, type and {policy} already exists.")
        yield policy and len(peers) >= 100, f"{this} cannot be created: more than 100 sets with the same name and type."

    def _final_checks(self) -> Iterator[Check]:
        """Rules for the zone as the whole batch would leave it."""
        for name, group in self.touched.items():
            ttls = {(each.type, each.doc["TTL"]) for each in group.values() if each.policy == "Weight" and each.values}
            for kind, count in Counter(kind for kind, _ in ttls).items():
                yield count > 1, (f"RRSet with DNS name {name} and type {kind} cannot be created as weighted sets must "
                                  "contain the same TTL.")
        apex = self.touched.get(self.zone.name, self.zone.names[self.zone.name])
        yield ("SOA", "") not in apex, "A HostedZone must contain exactly one SOA record."
        yield ("NS", "") not in apex, "A HostedZone must contain at least one NS record for the zone itself."
        growth = sum(len(group) - len(self.zone.names.get(name, ())) for name, group in self.touched.items())
        yield (growth > 0 and len(self.zone.order()) + growth > self.settings.zone_quota,
               f"Exceeded limit MAX_RRSETS_BY_ZONE for zone: {self.zone.id}")


# ---- health checks

def complete_config(config: Doc) -> Doc:
    """The settings as the service returns them: defaults filled in, IPv6 written out."""
    secure = "HTTPS" in config["Type"]
    full = {"RequestInterval": 30, "FailureThreshold": 3, "MeasureLatency": False, "EnableSNI": secure,
            "Inverted": False, "Disabled": False, "Port": 443 if secure else 80, **config}
    if ":" in full.get("IPAddress", ""):
        groups = ipaddress.IPv6Address(full["IPAddress"]).exploded.split(":")
        full["IPAddress"] = ":".join(f"{int(group, 16):x}" for group in groups)
    return full


def check_config(config: Doc, allow_test_nets: bool) -> None:
    kind, text, name = config["Type"], config.get("IPAddress"), config.get("FullyQualifiedDomainName")
    address, blocked = address_of(text or ""), UNREACHABLE + ([] if allow_test_nets else TEST_NETS)
    refuse(
        "InvalidInput",
        (kind not in ENDPOINT_TYPES, f"Invalid parameter : health checks of type {kind} are not modelled here."),
        (text is not None and not address, f"Invalid parameter : '{text}' is not a valid IP address."),
        (address and any(address in net for net in blocked),
         f"Invalid parameter : IP address {text} is in a local, private, non-routable or multicast range."),
        (not text and not name, "Invalid parameter : IPAddress or FullyQualifiedDomainName is required."),
        (config.get("RequestInterval", 30) not in (10, 30), "Invalid parameter : RequestInterval must be 10 or 30."),
        (not config.get("ResourcePath", "/").startswith("/"), "Invalid parameter : ResourcePath must begin with /."),
        (bool(config.get("SearchString")) != kind.endswith("STR_MATCH"),
         "Invalid parameter : SearchString is required for string matching health checks, and only for them."),
        (kind == "TCP" and "Port" not in config, "Invalid parameter : Port is required for TCP health checks."),
        (kind == "TCP" and "ResourcePath" in config, "TCP health checks must not have a resource path specificed."),
        (kind == "TCP" and text and name,
         "TCP health checks that have IP address must not have a fully qualified domain name specified."))


# ---- the service

@dataclass
class Request:
    op: str
    args: list[str]
    query: dict[str, str]
    body: bytes
    call: Doc  # the log entry, to annotate

    def read(self) -> Doc:
        try:
            root = ElementTree.fromstring(self.body)
        except ElementTree.ParseError as error:
            raise ApiError("InvalidInput", f"Invalid XML ; {error}") from error
        refuse("InvalidInput", (root.tag != f"{{{XMLNS}}}{self.op}Request",
                                f"Invalid XML ; cvc-elt.1: Cannot find the declaration of element '{root.tag}'."))
        document: Doc = read_element(root)
        return document

    def page_size(self, default: int, cap: int) -> int:
        wanted = self.query.get("maxitems", str(default))
        refuse("InvalidInput", (not re.fullmatch(r"[1-9]\d{0,8}", wanted), f"Invalid parameter : maxitems '{wanted}'"))
        return min(int(wanted), cap)

    def page(self, tag: str, documents: Mapping[str, Doc]) -> Doc:
        """At most 100 documents in id order, from the marker on."""
        size, marker = self.page_size(100, 100), self.query.get("marker", "")
        ids = [identifier for identifier in sorted(documents) if identifier >= marker]
        return {tag: [documents[identifier] for identifier in ids[:size]], "Marker": marker, "MaxItems": size,
                "IsTruncated": len(ids) > size, "NextMarker": ids[size] if len(ids) > size else None}


class ZoneEmulator:
    def __init__(self, port: int = 0, state_path: str | Path | None = None, log_path: str | Path | None = None,
                 faults: Sequence[Doc] = (), **settings: Any) -> None:
        self.settings = Settings(**settings)
        self.zones: dict[str, Zone] = {}
        self.health_checks: dict[str, Doc] = {}
        self.references: dict[str, str] = {}  # "healthcheck/REFERENCE", "hostedzone/REFERENCE" -> id, also if deleted
        self.tags: dict[str, dict[str, str]] = {}  # "healthcheck/ID" or "hostedzone/ID" -> tags
        self.changes: dict[str, Doc] = {}
        self.calls: list[Doc] = []
        self.violations: list[Doc] = []
        self._numbers, self._seen = itertools.count(), Counter[str]()
        self._tokens, self._refilled = float(self.settings.burst), time.monotonic()
        self._lock, self._stopped = threading.RLock(), False
        self._state_path = Path(state_path) if state_path else None
        self._log_path = Path(log_path) if log_path else None
        self.set_faults(faults)
        if self._state_path and self._state_path.exists():
            self.seed(json.loads(self._state_path.read_text()))
        self._server = EmulatorServer(("127.0.0.1", port), Handler)
        self._server.emulator = self
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def start(self) -> ZoneEmulator:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def stop(self, *_: object) -> None:
        self._stopped = True  # open connections are cut at their next request
        self._server.shutdown()
        self._server.server_close()

    __enter__, __exit__ = start, stop

    def state(self) -> Doc:
        zones = [{"id": zone.id, "name": zone.name, "caller_reference": zone.caller_reference, "config": zone.config,
                  "record_sets": [record_set.doc for record_set in zone.record_sets()]} for zone in self.zones.values()]
        return {"zones": zones, "health_checks": list(self.health_checks.values()), "references": self.references,
                "tags": self.tags, "changes": self.changes}

    def seed(self, document: Doc) -> None:
        """Add (or replace, by id) zones and health checks. Names are normalised; no other rule is applied."""
        with self._lock:
            for entry in document.get("zones", ()):
                reference = entry.get("caller_reference", entry["id"])
                zone = Zone(entry["id"], canonical_name(entry["name"]), reference, entry.get("config", {}))
                for record_set in map(RecordSet, entry.get("record_sets", ())):
                    zone.names.setdefault(record_set.name, {})[record_set.key] = record_set
                self.zones[zone.id] = zone
                self.references[f"hostedzone/{reference}"] = zone.id
            for entry in document.get("health_checks", ()):
                check = {"CallerReference": entry["Id"], "HealthCheckVersion": 1, **entry,
                         "HealthCheckConfig": complete_config(entry["HealthCheckConfig"])}
                self.health_checks[check["Id"]] = check
                self.references[f"healthcheck/{check['CallerReference']}"] = check["Id"]
            for name in ("references", "tags", "changes"):
                getattr(self, name).update(document.get(name, {}))

    def set_faults(self, rules: Sequence[Doc]) -> None:
        self.faults: list[Doc] = []
        for rule in rules:
            do = rule.get("do", "delay")
            timed = {"do": "delay", **do} if isinstance(do, dict) else {"do": str(do)}
            if timed["do"] not in (*FAULTS, "drop_before", "drop_after", "delay"):
                raise ValueError(f"unknown fault {rule!r}")
            self.faults.append({"op": "*", "nth": None, "every": 1, "delay": 0, **rule, **timed})

    def reset(self) -> None:
        self.calls.clear()
        self._seen.clear()

    def handle(self, method: str, target: str, signed: bool, body: bytes) -> Answer | None:
        """The answer to one HTTP request; None to close the connection without one."""
        if self._stopped:
            return None
        url = urlsplit(target)
        version, _, path = url.path.strip("/").partition("/")
        if version == "_emulator":
            return self._control(method, path, body)
        found = [(op, match.groups(), run) for verb, pattern, op, run in OPERATIONS
                 if verb == method and version == "2013-04-01" and (match := re.fullmatch(pattern, path))]
        op, args, run = found[0] if found else ("Unknown", (), None)
        call: Doc = {"op": op, "time": time.time(), "args": [unquote(arg) for arg in args], "status": None,
                     "error": None, "changes": 0, "units": 0, "chars": 0}
        with self._lock:
            call["index"] = next(self._numbers)
            self.calls.append(call)
            fault = self._fault_for(op)
        time.sleep(fault["delay"])
        with self._lock:
            call["fault"] = fault["do"]
            request = Request(op, call["args"], dict(parse_qsl(url.query, True)), body, call)
            answer = None if fault["do"] == "drop_before" else self._answer(request, run, signed)
            if self._log_path:
                with self._log_path.open("a") as log:
                    log.write(json.dumps(call) + "\n")
            if self._state_path and method != "GET":
                scratch = self._state_path.with_suffix(".new")
                scratch.write_text(json.dumps(self.state()))
                scratch.replace(self._state_path)
        return None if fault["do"] == "drop_after" else answer

    def _answer(self, request: Request, run: Callable[[ZoneEmulator, Request], Doc] | None, signed: bool) -> Answer:
        headers, root = {"Content-Type": "text/xml", "x-amzn-RequestId": str(uuid.uuid4())}, request.op + "Response"
        try:
            if request.call["fault"] in FAULTS:
                raise ApiError(*FAULTS[request.call["fault"]])
            refuse("MissingAuthenticationToken", (not signed, "Missing Authentication Token"))
            self._take_token()
            if run is None:
                raise ApiError("UnknownOperationException", "There is no such operation.")
            document = run(self, request)
            headers |= {"Location": document.pop("Location")} if "Location" in document else {}
            status = 201 if "Location" in headers else 200
        except ApiError as error:
            status, root = error.status, "ErrorResponse"
            request.call |= {"error": error.code, "message": error.message}
            document = {"Error": {"Type": "Sender" if status < 500 else "Receiver", "Code": error.code,
                                  "Message": error.message}, "RequestId": headers["x-amzn-RequestId"]}
        request.call["status"] = status
        return status, headers, ('<?xml version="1.0"?>' + write_element(root, document, f' xmlns="{XMLNS}"')).encode()

    def _fault_for(self, op: str) -> Doc:
        self._seen.update((op, "*"))
        return next((rule for rule in self.faults if rule["op"] in (op, "*") and (
            self._seen[rule["op"]] == rule["nth"] if rule["nth"] else self._seen[rule["op"]] % rule["every"] == 0)),
            {"do": None, "delay": 0})

    def _take_token(self) -> None:
        now, rate = time.monotonic(), self.settings.rate
        self._tokens = min(self.settings.burst, self._tokens + (now - self._refilled) * rate)
        self._refilled = now
        if rate and self._tokens < 1:
            raise ApiError(*FAULTS["throttle"])
        self._tokens -= bool(rate)

    def _control(self, method: str, path: str, body: bytes) -> Answer:
        actions: dict[str, Callable[[], Any]] = {
            "GET state": self.state, "GET calls": lambda: self.calls, "GET violations": lambda: self.violations,
            "POST seed": lambda: self.seed(json.loads(body)), "POST faults": lambda: self.set_faults(json.loads(body)),
            "POST reset": self.reset}
        with self._lock:
            try:
                status, answer = 200, actions[f"{method} {path}"]()
            except (ApiError, LookupError, TypeError, ValueError) as error:
                status, answer = 400, repr(error)
            return status, {"Content-Type": "application/json"}, json.dumps(answer).encode()

    # -- operations

    def new_change(self, comment: str | None = None) -> Doc:
        identifier, stamp = "C" + uuid.uuid4().hex[:20].upper(), time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
        info = {"Id": f"/change/{identifier}", "Status": "PENDING", "SubmittedAt": stamp, "Comment": comment}
        self.changes[identifier] = {"info": info, "insync_at": time.time() + self.settings.insync_after}
        return {"ChangeInfo": info}

    def get_change(self, request: Request) -> Doc:
        change = find(self.changes, request.args[0], "NoSuchChange")
        return {"ChangeInfo": change["info"] | ({"Status": "INSYNC"} if time.time() >= change["insync_at"] else {})}

    def zone(self, identifier: str) -> Zone:
        return find(self.zones, identifier, "NoSuchHostedZone")

    def health_check(self, identifier: str) -> Doc:
        return find(self.health_checks, identifier, "NoSuchHealthCheck")

    def _violation(self, kind: str, request: Request, **details: Any) -> None:
        self.violations.append({"kind": kind, "call": request.call["index"], "op": request.op, **details})

    def create_hosted_zone(self, request: Request) -> Doc:
        wanted, identifier = request.read(), "Z" + uuid.uuid4().hex[:20].upper()
        name, reference = canonical_name(wanted["Name"]), wanted["CallerReference"]
        refuse("InvalidDomainName", (name.startswith("\\052."), "The leftmost label of a hosted zone cannot be *."))
        refuse("HostedZoneAlreadyExists", (
            f"hostedzone/{reference}" in self.references, "A hosted zone was created with this caller reference."))
        self.seed({"zones": [{"id": identifier, "name": name, "caller_reference": reference,
                              "config": wanted.get("HostedZoneConfig", {})}]})
        return {"HostedZone": self.zones[identifier].document(), **self.new_change(),
                "DelegationSet": {"NameServers": NAME_SERVERS}, "Location": f"{ENDPOINT}/hostedzone/{identifier}"}

    def list_hosted_zones_by_name(self, request: Request) -> Doc:
        name, identifier = request.query.get("dnsname"), request.query.get("hostedzoneid")
        refuse("InvalidInput", (identifier and not name, "Invalid parameter : hostedzoneid needs dnsname."))
        start = (sort_key(canonical_name(name)) if name else "", identifier or "")
        keyed = sorted((sort_key(zone.name), zone.id, zone.name) for zone in self.zones.values())
        keyed, size = [entry for entry in keyed if entry[:2] >= start], request.page_size(100, 100)
        _, next_id, next_name = keyed[size] if len(keyed) > size else (None, None, None)
        return {"HostedZones": [self.zones[zone_id].document() for _, zone_id, _ in keyed[:size]], "DNSName": name,
                "HostedZoneId": identifier, "IsTruncated": next_id is not None, "NextDNSName": next_name,
                "NextHostedZoneId": next_id, "MaxItems": size}

    def delete_hosted_zone(self, request: Request) -> Doc:
        zone = self.zone(request.args[0])
        refuse("HostedZoneNotEmpty", (len(zone.order()) > 2, "The specified hosted zone contains non-required resource "
                                      "record sets and so cannot be deleted."))
        del self.zones[zone.id]
        return self.new_change()

    def change_resource_record_sets(self, request: Request) -> Doc:
        document = request.read()["ChangeBatch"]
        zone = self.zone(request.args[0])
        batch = Batch(zone, document["Changes"], self.settings)
        request.call |= {"changes": len(batch.changes), "units": batch.units, "chars": batch.chars}
        for change in batch.changes:
            check_form(change["Action"], change["ResourceRecordSet"])
        if time.monotonic() < zone.busy_until:
            raise ApiError(*FAULTS["prior_request"])
        for change in batch.changes:
            if change["Action"] != "DELETE" and "HealthCheckId" in change["ResourceRecordSet"]:
                self.health_check(change["ResourceRecordSet"]["HealthCheckId"])
        batch.judge()
        before = {name: zone.names.get(name, {}) for name in batch.touched}
        zone.put(batch.touched)
        zone.busy_until = time.monotonic() + self.settings.prior_window
        for name, old in before.items():
            self._observe(request, zone, name, old, batch.touched[name])
        return self.new_change(document.get("Comment"))

    def _observe(self, request: Request, zone: Zone, name: str, old: Mapping[SetKey, RecordSet],
                 new: Mapping[SetKey, RecordSet]) -> None:
        if any(identifier and kind != "TXT" for kind, identifier in old) and all(kind == "TXT" for kind, _ in new):
            self._violation("host_emptied", request, zone=zone.id, name=name)
        for key, record_set in new.items():
            if "HealthCheckId" in record_set.doc and record_set.doc["HealthCheckId"] not in self.health_checks:
                self._violation("missing_health_check", request, zone=zone.id, name=name, set=list(key),
                                health_check=record_set.doc["HealthCheckId"])
        if len({(record_set.type, record_set.policy) for record_set in new.values()}) > len({kind for kind, _ in new}):
            self._violation("mixed_policies", request, zone=zone.id, name=name)

    def list_resource_record_sets(self, request: Request) -> Doc:
        zone, query = self.zone(request.args[0]), request.query
        name, kind, identifier = query.get("name"), query.get("type"), query.get("identifier")
        refuse("InvalidInput", (kind and name is None, "Invalid parameter : type needs name."),
               (identifier and kind is None, "Invalid parameter : identifier needs type."),
               (kind and kind not in RECORD_TYPES, f"Invalid parameter : type '{kind}'"))
        place = "" if name is None else sort_key(canonical_name(name, "InvalidInput"))
        size = request.page_size(self.settings.default_page, 300)
        first = bisect.bisect_left(zone.order(), (place, kind or "", identifier or "", ""))
        after = next(iter(zone.record_sets(first + size, first + size + 1)), None)
        return {"ResourceRecordSets": [record_set.doc for record_set in zone.record_sets(first, first + size)],
                "IsTruncated": after is not None, "NextRecordName": after and after.name, "MaxItems": size,
                "NextRecordType": after and after.type, "NextRecordIdentifier": after and after.key[1] or None}

    def create_health_check(self, request: Request) -> Doc:
        wanted, identifier = request.read(), str(uuid.uuid4())
        reference, config = wanted["CallerReference"], wanted["HealthCheckConfig"]
        check_config(config, self.settings.allow_test_nets)
        if known := self.references.get(f"healthcheck/{reference}"):
            same = self.health_checks.get(known, {}).get("HealthCheckConfig") == complete_config(config)
            refuse("HealthCheckAlreadyExists", (
                not same, "A different health check has already been created with the specified caller reference."))
            identifier = known
        else:
            refuse("TooManyHealthChecks", (len(self.health_checks) >= self.settings.health_check_quota,
                                           "The limit on the number of active health checks has been reached."))
            check = {"Id": identifier, "CallerReference": reference, "HealthCheckConfig": config}
            self.seed({"health_checks": [check]})
        return {"HealthCheck": self.health_checks[identifier], "Location": f"{ENDPOINT}/healthcheck/{identifier}"}

    def update_health_check(self, request: Request) -> Doc:
        check, wanted = self.health_check(request.args[0]), request.read()
        version, reset = check["HealthCheckVersion"], wanted.pop("ResetElements", ())
        refuse("HealthCheckVersionMismatch", (
            wanted.pop("HealthCheckVersion", version) != version, "The health check has changed since that version."))
        old = check["HealthCheckConfig"]
        config = {**{name: value for name, value in old.items() if name not in reset}, **wanted}
        refuse("InvalidInput", (("IPAddress" in config) != ("IPAddress" in old),
                                "Invalid parameter : IPAddress can be neither added nor removed."))
        check_config(config, self.settings.allow_test_nets)
        check |= {"HealthCheckConfig": complete_config(config), "HealthCheckVersion": version + 1}
        return {"HealthCheck": check}

    def delete_health_check(self, request: Request) -> Doc:
        identifier = self.health_check(request.args[0])["Id"]
        users = [[zone.id, record_set.name, *record_set.key] for zone in self.zones.values()
                 for record_set in zone.record_sets() if record_set.doc.get("HealthCheckId") == identifier]
        if users:
            self._violation("deleted_health_check_in_use", request, health_check=identifier, sets=users)
        del self.health_checks[identifier]
        self.tags.pop(f"healthcheck/{identifier}", None)
        return {}

    def tag_set(self, kind: str, identifier: str) -> Doc:
        refuse("InvalidInput", (kind not in ("healthcheck", "hostedzone"), f"Invalid resource type: {kind}"))
        (self.zone if kind == "hostedzone" else self.health_check)(identifier)
        tags = self.tags.get(f"{kind}/{identifier}", {})
        return {"ResourceType": kind, "ResourceId": identifier,
                "Tags": [{"Key": name, "Value": value} for name, value in tags.items()]}

    def change_tags_for_resource(self, request: Request) -> Doc:
        wanted, current = request.read(), self.tag_set(*request.args)["Tags"]
        tags = {tag["Key"]: tag["Value"] for tag in current if tag["Key"] not in wanted.get("RemoveTagKeys", ())}
        tags |= {tag["Key"]: tag.get("Value", "") for tag in wanted.get("AddTags", ())}
        refuse("InvalidInput", (not wanted, "Invalid parameter : AddTags or RemoveTagKeys is needed."),
               (len(tags) > 10, "Invalid parameter : a resource has at most 10 tags."))
        self.tags["/".join(request.args)] = tags
        return {}


OPERATIONS: list[tuple[str, str, str, Callable[[ZoneEmulator, Request], Doc]]] = [
    ("POST", "hostedzone", "CreateHostedZone", ZoneEmulator.create_hosted_zone),
    ("GET", "hostedzone", "ListHostedZones", lambda emulator, request: request.page(
        "HostedZones", {zone.id: zone.document() for zone in emulator.zones.values()})),
    ("GET", "hostedzonesbyname", "ListHostedZonesByName", ZoneEmulator.list_hosted_zones_by_name),
    ("GET", "hostedzone/([^/]+)", "GetHostedZone", lambda emulator, request: {
        "HostedZone": emulator.zone(request.args[0]).document(), "DelegationSet": {"NameServers": NAME_SERVERS}}),
    ("DELETE", "hostedzone/([^/]+)", "DeleteHostedZone", ZoneEmulator.delete_hosted_zone),
    ("POST", "hostedzone/([^/]+)/rrset", "ChangeResourceRecordSets", ZoneEmulator.change_resource_record_sets),
    ("GET", "hostedzone/([^/]+)/rrset", "ListResourceRecordSets", ZoneEmulator.list_resource_record_sets),
    ("GET", "change/([^/]+)", "GetChange", ZoneEmulator.get_change),
    ("POST", "healthcheck", "CreateHealthCheck", ZoneEmulator.create_health_check),
    ("GET", "healthcheck", "ListHealthChecks", lambda emulator, request: request.page(
        "HealthChecks", emulator.health_checks)),
    ("GET", "healthcheck/([^/]+)", "GetHealthCheck", lambda emulator, request: {
        "HealthCheck": emulator.health_check(request.args[0])}),
    ("POST", "healthcheck/([^/]+)", "UpdateHealthCheck", ZoneEmulator.update_health_check),
    ("DELETE", "healthcheck/([^/]+)", "DeleteHealthCheck", ZoneEmulator.delete_health_check),
    ("GET", "healthcheckcount", "GetHealthCheckCount", lambda emulator, _: {"HealthCheckCount": len(emulator.health_checks)}),
    ("GET", "tags/([^/]+)/([^/]+)", "ListTagsForResource", lambda emulator, request: {
        "ResourceTagSet": emulator.tag_set(*request.args)}),
    ("POST", "tags/([^/]+)", "ListTagsForResources", lambda emulator, request: {"ResourceTagSets": [
        emulator.tag_set(request.args[0], identifier) for identifier in request.read()["ResourceIds"]]}),
    ("POST", "tags/([^/]+)/([^/]+)", "ChangeTagsForResource", ZoneEmulator.change_tags_for_resource)]


class EmulatorServer(ThreadingHTTPServer):
    daemon_threads, request_queue_size = True, 128
    emulator: ZoneEmulator


class Handler(BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm = "HTTP/1.1", True
    server: EmulatorServer

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        answer = self.server.emulator.handle(self.command, self.path, "Authorization" in self.headers, body)
        if answer is None:
            self.close_connection = True
            return
        status, headers, payload = answer
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(payload))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(payload)

    do_GET = do_POST = do_DELETE = _serve

    def log_message(self, *_: Any) -> None:
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description="A strict emulator of the Amazon Route 53 API.")
    for name, kind in (("port", int), ("state", Path), ("log", Path), ("fault", Path)):
        parser.add_argument(f"--{name}", type=kind, default=0 if name == "port" else None)
    for setting in fields(Settings):
        option, default = f"--{setting.name.replace('_', '-')}", setting.default
        how: Doc = {"action": argparse.BooleanOptionalAction} if isinstance(default, bool) else {"type": type(default)}
        parser.add_argument(option, default=default, **how)
    options = vars(parser.parse_args())
    port, state, log, fault = (options.pop(name) for name in ("port", "state", "log", "fault"))
    emulator = ZoneEmulator(port, state, log, json.loads(fault.read_text()) if fault else (), **options).start()
    print(f"listening on {emulator.url}", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
