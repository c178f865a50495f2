r"""A strict emulator of the Amazon Route 53 REST/XML API (2013-04-01), to run and test against.

In a test:

    with ZoneEmulator(rate=5, faults=[{"op": "GetChange", "nth": 2, "do": "throttle"}]) as emulator:
        client = boto3.client("route53", endpoint_url=emulator.url, ...)

As a command:

    python -m local.zone --port 0 --state FILE.json --log CALLS.jsonl [--rate 5] [--fault SPEC.json]

Each field of Settings is a keyword of ZoneEmulator and a flag (--zone-quota 50,
--no-allow-test-nets). An emulator has .url, .zones, .health_checks, .tags, .calls (op, index,
time, args, status, error, changes, units, chars, fault), .violations, .settings and .on_call.

Control, unthrottled: GET /_emulator/state, /_emulator/calls, /_emulator/violations; POST
/_emulator/seed (JSON as /_emulator/state gives it, record sets as boto3 has them),
/_emulator/faults (JSON) and /_emulator/reset (empties the call log and the counters of nth and
every).

Faults: [{"op": NAME or "*", "nth": k or "every": m (neither: each call), "delay": seconds,
"do": "throttle" | "500" | "503" | "prior_request" | "expired" | "denied" | "drop_before" |
"drop_after" | {"delay": s}}]. The first rule that fits holds. drop_after applies the call and
loses the answer.

Where each rule comes from: [doc] AWS documentation or service model; [seen] answers of the live
service quoted in public issues; [ours] a judgement where neither settles it, strict unless it
says otherwise. A mark holds up to the next mark.

Requests. [seen] Unknown, repeated and missing elements, enumerations, lengths: InvalidInput
"Invalid XML ; cvc-"; element order is free, as boto3 sends the caller's. [doc] Unsigned calls are
refused ([ours] signatures are not verified). [doc] Above rate and burst, counted over all
operations: 400 Throttling (rate 0, the default: no limit). PriorRequestNotComplete, [ours] for
prior_window seconds after an accepted change (0, the default: never). [seen] ExpiredToken and
AccessDenied are 403.

Names. [doc] Lower-cased; the final dot optional, always returned; all but a-z 0-9 - _ returned as
\ooo, so * is \052; a label at most 63, a name at most 255 with its dots; within the zone; no * for
NS. [ours] Lone backslashes are refused.

Changes. [doc] All or nothing; DELETE matches every field, [ours] values as text in any order:
"a.b" is not "a.b.". [seen] Judged in order on a working copy (a CREATE before the DELETE that makes
room fails); each failing change adds messages to "[msg1, msg2]" and [ours] leaves the copy alone.
[seen] A set named twice in a batch is refused, [ours] but as DELETE then CREATE. [seen]
InvalidInput, for DELETE too: a policy without SetIdentifier (MultiValueAnswer=false counts),
SetIdentifier without exactly one policy, not exactly one of AliasTarget and TTL+ResourceRecords.
[doc] One policy per name and type, no simple set beside it; one latency set per region, one
geolocation set per place, [ours] one failover set per role; some texts. Several values in a latency
set (API reference: no, guide: yes) by allow_multi_value_latency, default on. [doc] NS, SOA, DS take
no policy; multivalue no CNAME, no alias; weighted sets share a TTL, [ours] judged on the final
state like [seen] the apex SOA and NS. [doc] CNAME alone at its name, not at the apex, one value.
[seen] An alias into its own zone needs its target first. A, AAAA, CNAME, NS, PTR, TXT, SPF values
are checked ([ours] other types are not), no duplicates. [doc] 1,000 ResourceRecords "including
alias records" (alias_units=1), 32,000 characters, UPSERT doubles both; 400 values a set; 100 routed
sets per name and type; 10,000 sets a zone. [ours] 1,000 Change elements. [doc] NoSuchHealthCheck,
[ours] before InvalidChangeBatch and not for DELETE (a set whose check is gone must be removable).

Lists. [doc] By reversed labels with the dot, type, [ours] identifier, compared in escaped form.
[doc] The cursor is >= name, type, identifier; type without name is InvalidInput. [seen] MaxItems
above 300 means 300; without it the live service answered 100 in 2023: default_page=300 is the
documented maximum, --default-page 100 the observation. [ours] Zones and health checks list by id;
pages of health checks hold at most 100 (the newest documentation says 1,000).

Health checks. [doc] Same reference and settings: the existing check ([ours] status 201, current
settings count); other settings or a deleted check's reference: HealthCheckAlreadyExists ([ours] for
ever). [doc] 200 checks; number ranges; no IPAddress in RFC 5735/6598/5156 ranges ([ours]
documentation nets by allow_test_nets, default on). [seen] TCP takes no path, and no name with an
address; IPv6 returns as 2001:db8:0:0:0:0:0:4. [ours] RequestInterval 10 or 30, the path begins
with /, str-match types need a string, defaults are filled in. [doc] Endpoints need an address or a
name; UpdateHealthCheck compares versions and cannot add or remove IPAddress; a check in use can be
deleted; 10 tags a resource.

Violations are observed, never refused: host_emptied (a name with a routed set is left with nothing
but TXT), missing_health_check (a set at a touched name), deleted_health_check_in_use,
mixed_policies.

Not modelled: private zones, traffic policies, CIDR, geoproximity and availability-zone routing,
alias targets elsewhere, health checks other than of endpoints, 1,000 creations a day.
"""

from local.zone.emulator import ZoneEmulator
from local.zone.errors import ApiError, EmulatorError, UnknownFaultError
from local.zone.names import canonical_name, sort_key
from local.zone.settings import Settings

__all__ = [
    "ApiError",
    "EmulatorError",
    "Settings",
    "UnknownFaultError",
    "ZoneEmulator",
    "canonical_name",
    "sort_key",
]
