"""Another program of the organisation that runs with the pack, in the real engine.

It declares its records by pulumi-aws, which is the tests' own here, over the Route 53 emulator.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest

from local.engine_env import CHECKOUT
from policy.guards import RECORD
from tests.engine.deployment import WRITES
from tests.engine.policy_lines import Shown, shown
from tests.support.aws_process import aws_process

if TYPE_CHECKING:
    from pathlib import Path

    from local.zone import ZoneEmulator
    from tests.engine.cli import EngineRunner, Stack

pytestmark = pytest.mark.engine
PACK = ("--policy-pack", str(CHECKOUT / "policy"))
MANAGED = ("mandatory", "high", "route53-managed-identifier")
CHECKED = ("mandatory", "medium", "route53-latency-health-check")
ONE = ("mandatory", "medium", "route53-one-per-region")
TTL = ("advisory", "low", "route53-ttl")
_MAIN = """
import pulumi
from pulumi_aws import route53

check = route53.HealthCheck(
    "check", type="HTTPS", ip_address="192.0.2.1", port=443, resource_path="/",
    request_interval=30, failure_threshold=3, reference_name="web", tags={"Name": "web"},
)
zone = pulumi.ComponentResource("fairlead:steering:Zone", "zone")
later = {"CHECK": check.id, "": None}
for name, own in pulumi.Config().require_object("records").items():
    parent = zone if own.get("component") else None
    route53.Record(
        name,
        zone_id="ZWEB",
        name="www.example.com",
        type="A",
        records=["192.0.2.1"],
        ttl=own.get("ttl", 60),
        set_identifier=later.get(own.get("identifier"), own.get("identifier", f"web/{name}")),
        health_check_id=later[own.get("check", "CHECK")],
        latency_routing_policies=[{"region": own["region"]}],
        opts=pulumi.ResourceOptions(parent=parent, depends_on=[check]),
    )
"""
TOMORROW = datetime.now(timezone.utc).date() + timedelta(days=1)
EU = {"region": "eu-west-1"}
US = {"region": "us-east-1"}


@dataclass(frozen=True)
class Web:
    """The program's stack, and the zone that it has a part of."""

    stack: Stack
    zone: ZoneEmulator
    attached: Mapping[str, str]

    def run(
        self, command: str, records: Mapping[str, Any], *words: str, **waivers: Any
    ) -> tuple[bool, set[Shown]]:
        """Preview or update with these records; return whether it succeeds and what is reported."""
        endpoints = json.dumps([{"route53": self.zone.url}])
        self.stack.configure({"scratch:records": records, "aws:endpoints": endpoints})
        given = ("--policy-pack-config", str(self.waivers(**waivers))) if waivers else ()
        told = ("--yes",) if command == "up" else ()
        done = self.stack.run(
            *(command, *told, *PACK, *words, *given, "--show-policy-exceptions"),
            check=False,
            env=self.attached,
        )
        return done.returncode == 0, shown(done.stdout)

    def waivers(self, **document: Any) -> Path:
        """Write them down as the stack's."""
        file = self.stack.home / "exceptions.dev.json"
        file.write_text(json.dumps({"version": 2, **document}))
        return file

    @property
    def sets(self) -> list[str]:
        """The identifiers that are live, sorted."""
        listed = (each.doc.get("SetIdentifier") for each in self.zone.zones["ZWEB"].record_sets())
        return sorted(each for each in listed if each)

    @property
    def writes(self) -> list[dict[str, Any]]:
        """The write calls so far."""
        return [call for call in self.zone.calls if call["op"] in WRITES]


@pytest.fixture(scope="module")
def attached() -> Iterator[Mapping[str, str]]:
    with aws_process() as variables:
        yield variables


@pytest.fixture
def web(
    engine: EngineRunner, tmp_path: Path, zone: ZoneEmulator, attached: Mapping[str, str]
) -> Web:
    zone.seed({"zones": [{"id": "ZWEB", "name": "example.com"}]})
    return Web(engine.project(tmp_path, {"__main__.py": _MAIN}), zone, attached)


def _waiver(until: date, *names: str) -> dict[str, Any]:
    targets = [f"urn:pulumi:dev::scratch::{RECORD}::{name}" for name in names]
    match = [{"policies": [CHECKED[2], ONE[2]], "targets": targets}]
    return {"CHG-7": {"reason": f"the old site, until={until}", "match": match}}


def _checked(file: Path) -> int:
    command = [sys.executable, "-m", "policy.waivers", str(file)]
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, check=False).returncode


def test_records_with_which_all_is_well(web: Web) -> None:
    """A check that the same run makes counts; so does the steering stack's own component."""
    own = {**US, "identifier": "carlos-steering/us-1", "component": True}
    records = {"eu": EU, "us": own}
    assert web.run("up", records) == (True, set())
    assert web.sets == ["carlos-steering/us-1", "web/eu"]
    assert web.run("preview", records, "--expect-no-changes") == (True, set())


def test_records_that_break_every_rule(web: Web) -> None:
    """The preview of an update reports all of it, and nothing is changed."""
    records = {
        "eu": {**EU, "ttl": 300},
        "unchecked": {**US, "check": ""},
        "ours": {"region": "eu-west-2", "identifier": "carlos-steering/uk-1"},
        "later": {"region": "eu-west-3", "identifier": "CHECK"},
    }
    assert web.run("up", records) == (
        False,
        {
            ("", *TTL, "eu"),
            ("", *CHECKED, "unchecked"),
            ("", *MANAGED, "ours"),
            ("", *MANAGED, "later"),
        },
    )
    assert web.writes == []


def test_second_record_of_a_region(web: Web) -> None:
    """The preview stops it before anything is changed; without one, it is the second that stops."""
    done, found = web.run("up", {"a": EU, "b": EU})
    (one,) = found
    assert (done, one[:4], web.writes) == (False, ("", *ONE), [])
    done, found = web.run("up", {"a": EU, "b": EU}, "--skip-preview")
    assert (done, {each[:4] for each in found}) == (False, {("", *ONE)})
    assert len(web.sets) <= 1


def test_second_record_of_a_region_in_a_targeted_run(web: Web) -> None:
    """It meets the record that the run leaves out, whichever of the two is registered first."""
    assert web.run("up", {"a": EU}, "--skip-preview") == (True, set())
    before = web.writes
    target = f"urn:pulumi:dev::scratch::{RECORD}::b"
    done, found = web.run("up", {"a": EU, "b": EU}, "--target", target)
    assert (done, {each[:4] for each in found}, web.writes) == (False, {("", *ONE)}, before)


def test_record_that_is_stopped_without_a_preview(web: Web) -> None:
    """It is not made; an advice is printed, and stops nothing."""
    assert web.run("up", {"eu": {**EU, "check": ""}}, "--skip-preview") == (
        False,
        {("", *CHECKED, "eu")},
    )
    assert web.sets == []
    assert web.run("up", {"eu": {**EU, "ttl": 300}}, "--skip-preview") == (
        True,
        {("", *TTL, "eu")},
    )
    assert web.sets == ["web/eu"]


def test_waiver(web: Web) -> None:
    """It lets through what it names, and nothing else."""
    records = {"eu": {**EU, "check": ""}, "us": {**US, "check": ""}}
    waiver = _waiver(TOMORROW, "eu")
    assert web.run("up", records, exceptions=waiver) == (
        False,
        {("exempted", *CHECKED, "eu"), ("", *CHECKED, "us")},
    )
    assert _checked(web.waivers(exceptions=waiver)) == 0
    assert web.run("up", {"eu": records["eu"]}, "--skip-preview", exceptions=waiver) == (
        True,
        {("exempted", *CHECKED, "eu")},
    )
    assert web.sets == ["web/eu"]


def test_waiver_of_a_pair(web: Web) -> None:
    """It names both, since either may come last; Route 53 has no waiver for the second."""
    done, found = web.run("preview", {"a": EU, "b": EU}, exceptions=_waiver(TOMORROW, "a", "b"))
    assert (done, {each[:4] for each in found}) == (True, {("exempted", *ONE)})


def test_waiver_that_has_expired(web: Web) -> None:
    """The engine would take it, so the check is what refuses it."""
    waiver = _waiver(TOMORROW - timedelta(days=3), "eu")
    done, found = web.run("preview", {"eu": {**EU, "check": ""}}, exceptions=waiver)
    assert (done, found) == (True, {("exempted", *CHECKED, "eu")})
    assert _checked(web.waivers(exceptions=waiver)) == 1


def test_levels_that_are_lowered(web: Web) -> None:
    """The engine would take them, so the check is what refuses them."""
    done, found = web.run("preview", {"eu": {**EU, "check": ""}}, policies={"all": "advisory"})
    assert (done, found) == (True, {("", "advisory", *CHECKED[1:], "eu")})
    assert _checked(web.waivers(policies={"all": "advisory"})) == 1


def test_settings(web: Web) -> None:
    """They are those of the file."""
    policies = {"route53-ttl": {"ttlLimit": 300}, MANAGED[2]: {"prefixes": ["web/"]}}
    assert web.run("preview", {"eu": {**EU, "ttl": 300}}, policies=policies) == (
        False,
        {("", *MANAGED, "eu")},
    )
