"""An emulated account with one hosted zone, and what tests do to it and see of it."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from folds.changes import Plan
from folds.desired import CheckSettings, Desired, Edge
from folds.steering import plan
from folds.zone import LiveCheck, LiveSet, LiveZone
from local.zone import ZoneEmulator
from route53.batches import BatchLimits
from route53.client import Calls, make_client
from route53.converge import Result, Target, converge
from route53.names import decode, encode
from route53.read import read_zone
from route53.rounds import Decide

if TYPE_CHECKING:
    from mypy_boto3_route53 import Route53Client

Doc = dict[str, Any]

ZONE = "Z1"
APEX = "example.com"
PREFIX = "carlos-steering/"
IE = Edge(box="ie-1", region="eu-west-1", address="99.81.104.1")
UK = Edge(box="uk-1", region="eu-west-2", address="18.130.0.1")
US = Edge(box="us-1", region="us-east-1", address="3.80.0.1")
AU = Edge(box="au-1", region="ap-southeast-2", address="13.54.0.1")
FOUR = (AU, IE, UK, US)
READS = ("ListResourceRecordSets", "ListHealthChecks", "GetChange")
AMPLE = BatchLimits()


def nap(_seconds: float) -> None:
    """Pass no time: what is waited for does not depend on it."""


class Account:
    """An emulator, a client of it, and one empty zone; ``clear`` makes all of it anew."""

    def __init__(self, emulator: ZoneEmulator, client: Route53Client) -> None:
        self.emulator, self.client = emulator, client
        self.clear()

    def clear(self) -> None:
        """Forget everything, settings too."""
        account = self.emulator.account
        for store in (account.zones, account.health_checks, account.references, account.tags):
            store.clear()
        account.changes.clear()
        account.violations.clear()
        vars(self.emulator.settings).update(vars(type(self.emulator.settings)(insync_after=0)))
        self.emulator.on_call = None
        self.emulator.set_faults(())
        self.emulator.reset()
        self.emulator.seed({"zones": [{"id": ZONE, "name": APEX}]})

    def calls(self, **options: Any) -> Calls:
        """The wrapper of the calls, which waits without passing time."""
        return Calls(self.client, **{"sleep": nap, **options})

    def live(self, zone: str = ZONE) -> LiveZone:
        """What is live, read through the API; the reads are not in the log."""
        kept = list(self.emulator.calls)
        zone_read = read_zone(self.calls(), zone)
        self.emulator.calls[:] = kept
        return zone_read

    def converge(
        self,
        desired: Desired,
        *,
        limits: BatchLimits = AMPLE,
        decide: Decide | None = None,
        **options: Any,
    ) -> Result:
        """Converge the zone to what is desired; ``options`` are those of ``Calls``."""
        target = Target(desired.zone, desired.health_check_limit, limits=limits)
        return converge(self.calls(**options), decide or deciding(desired), target)

    def plan(self, desired: Desired) -> Plan:
        """What is left to do."""
        return plan(desired, self.live(desired.zone))

    def seed(self, zone: LiveZone) -> None:
        """Put record sets and health checks there, past every rule."""
        sets = [set_document(each) for each in zone.sets]
        checks = [check_document(each) for each in zone.checks]
        entry = {"id": zone.zone_id, "name": zone.name, "record_sets": sets}
        self.emulator.seed({"zones": [entry], "health_checks": checks})

    def foreign(self, prefix: str = PREFIX) -> str:
        """Every set that is not ours, as text to compare."""
        sets = [
            each
            for zone in self.emulator.state()["zones"]
            for each in zone["record_sets"]
            if not ("Region" in each and each["SetIdentifier"].startswith(prefix))
        ]
        return json.dumps(sets)

    def answers(self, zone: str = ZONE) -> dict[str, list[str]]:
        """Every managed name with ``<region> <address>`` of its sets."""
        found: dict[str, list[str]] = {}
        for each in self.live(zone).sets:
            if each.managed(PREFIX):
                found.setdefault(each.name, []).append(f"{each.region} {each.values[0]}")
        return {name: sorted(found[name]) for name in sorted(found)}

    def made(self) -> Counter[str]:
        """How often each operation was called."""
        return Counter(call["op"] for call in self.emulator.calls)

    def writes(self) -> list[str]:
        """The operations of all writing calls, in order."""
        return [call["op"] for call in self.emulator.calls if call["op"] not in READS]

    def batches(self) -> list[Doc]:
        """The log entries of the change batches that were accepted."""
        calls = self.emulator.calls
        return [
            each
            for each in calls
            if each["op"] == "ChangeResourceRecordSets" and each["status"] == 200
        ]

    def fault(self, op: str, do: str, nth: int = 1) -> None:
        """Let the nth call of an operation from now on fail."""
        self.emulator.reset()
        self.emulator.set_faults([{"op": op, "nth": nth, "do": do}])

    def heal(self) -> None:
        """Let no call fail any more; the log begins anew."""
        self.emulator.set_faults(())
        self.emulator.reset()


def wanting(
    hosts: Iterable[str] = (),
    edges: Iterable[Edge] = FOUR,
    check: CheckSettings = CheckSettings(),  # noqa: B008 - frozen
    **more: Any,
) -> Desired:
    """What the bucket asks for: four boxes in four regions, no ``edge.``; a label is a host."""
    names = (name if "." in name else f"{name}.{APEX}" for name in hosts)
    return Desired(
        zone=more.pop("zone", ZONE),
        prefix=PREFIX,
        check=check,
        edges=tuple(sorted(edges, key=lambda each: each.box)),
        hosts=tuple(sorted(names)),
        **more,
    )


def box(label: str, region: str, address: str) -> Edge:
    """An armed edge box."""
    return Edge(box=label, region=region, address=address)


def deciding(desired: Desired) -> Decide:
    """The fold alone, without guards."""

    def decide(live: LiveZone, frozen: frozenset[str]) -> Plan:
        return plan(desired, live, frozen)

    return decide


@contextmanager
def emulated_account() -> Iterator[Account]:
    """An account, whose client is built from the environment as in production."""
    with ZoneEmulator(insync_after=0) as emulator:
        with patch.dict(os.environ, environment(emulator.url)):
            client = make_client()
        yield Account(emulator, client)


def environment(url: str) -> dict[str, str]:
    """The variables that lead boto3 to an emulator, and to no profile of the machine."""
    return {
        "AWS_ENDPOINT_URL_ROUTE_53": url,
        "AWS_ACCESS_KEY_ID": "emulated",
        "AWS_SECRET_ACCESS_KEY": "emulated",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
    }


def set_document(each: LiveSet) -> Doc:
    """A live set as the API has it."""
    document: Doc = {"Name": encode(each.name), "Type": each.type, "TTL": each.ttl}
    document["ResourceRecords"] = [{"Value": value} for value in each.values]
    if each.set_identifier:
        document["SetIdentifier"] = each.set_identifier
        document |= {"Region": each.region} if each.region else {"Weight": 1}
    if each.health_check_id:
        document["HealthCheckId"] = each.health_check_id
    return document


def check_document(check: LiveCheck) -> Doc:
    """A live check as the API has it."""
    config = {
        "Type": check.type,
        "IPAddress": check.address,
        "Port": check.port,
        "RequestInterval": check.interval,
        "FailureThreshold": check.failure_threshold,
    }
    config |= {"ResourcePath": check.path} if check.path else {}
    config |= {"FullyQualifiedDomainName": check.domain_name} if check.domain_name else {}
    return {"Id": check.id, "CallerReference": check.caller_reference, "HealthCheckConfig": config}


def settled(account: Account, desired: Desired) -> None:
    """Nothing is left to do, and no set ever pointed at a missing check or left a host empty."""
    assert account.plan(desired).empty
    assert account.emulator.violations == []
    account.heal()
    assert account.converge(desired).changed == 0
    assert account.writes() == []


def host_names(count: int, label: str = "h") -> tuple[str, ...]:
    """Distinct names in the zone, sorted."""
    return tuple(f"{label}{number:05}.{APEX}" for number in range(count))


def shown(documents: Iterable[Doc]) -> list[str]:
    """Changes in short: ``CREATE A name identifier``."""
    sets = [(each["Action"], each["ResourceRecordSet"]) for each in documents]
    return [
        f"{action} {one['Type']} {decode(one['Name'])} {one.get('SetIdentifier', '')}".strip()
        for action, one in sets
    ]


def on_each(account: Account, op: str, act: Callable[[int], None]) -> None:
    """Run something before each call of an operation is judged; it is told the number, from 1."""
    count = 0

    def watch(call: Doc) -> None:
        nonlocal count
        if call["op"] == op:
            count += 1
            act(count)

    account.emulator.on_call = watch
