"""Names that are adopted, in the real engine: what is shown, refused, done, and gone on with."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterable
from typing import Any

import pytest

from route53.regions import latency_regions
from tests.engine.deployment import DOMAIN, PACK, ZONE, Deployment, digest_of, fill, word

pytestmark = pytest.mark.engine

FIRST, SECOND = f"h000.bab.{DOMAIN}", f"h001.bab.{DOMAIN}"
SIMPLE = {FIRST: ["192.0.2.1"], SECOND: ["192.0.2.2", "192.0.2.3"]}


def _simple(name: str, *addresses: str, kind: str = "A") -> dict[str, Any]:
    values = [{"Value": each} for each in addresses]
    return {"Name": name, "Type": kind, "TTL": 300, "ResourceRecords": values}


def _seed(deployment: Deployment, sets: Iterable[dict[str, Any]]) -> None:
    """Give the zone sets that others made."""
    state = deployment.zone.state()
    state["zones"][0]["record_sets"] += sets
    deployment.zone.seed(state)


def _left(deployment: Deployment) -> dict[str, list[str]]:
    """The simple sets that there are, with their values."""
    simple = (each for each in deployment.sets() if "SetIdentifier" not in each)
    return {
        each["Name"].removesuffix("."): [one["Value"] for one in each["ResourceRecords"]]
        for each in simple
        if "ResourceRecords" in each
    }


def _answering(deployment: Deployment) -> set[str]:
    return {each["Name"].removesuffix(".") for each in deployment.sets()}


@pytest.fixture
def simple(fresh: Deployment) -> Deployment:
    """Four boxes, three hosts, two of which have simple sets that are to be adopted."""
    fill(fresh, boxes=range(4), hosts=3)
    _seed(fresh, [_simple(name, *addresses) for name, addresses in SIMPLE.items()])
    fresh.configure(adopt=[*SIMPLE])
    return fresh


@pytest.mark.parametrize(
    "words",
    [
        ("preview", *PACK),
        ("preview",),
        ("up", "--yes", "--skip-preview", *PACK),
        ("up", "--yes", "--skip-preview"),
        ("up", "--yes", "--skip-preview", *PACK, "--policy-pack-config"),
    ],
    ids=["preview", "preview without the pack", "with the pack", "without it", "disarmed"],
)
def test_without_a_digest(simple: Deployment, words: tuple[str, ...]) -> None:
    """Every way to run shows what would go and refuses it, on a first run too: nothing changes."""
    disarmed = simple.stack.home / "disarmed.json"
    disarmed.write_text(json.dumps({"all": "disabled"}))
    more = [str(disarmed)] if words[-1] == "--policy-pack-config" else []
    refused = simple.run(*words, *more, check=False)
    assert refused.returncode != 0
    assert f"- {SECOND} A (simple) 192.0.2.2,192.0.2.3 ttl=300 (adopted)" in refused.stdout
    assert "in the place of 2 simple sets that others made" in refused.stdout
    assert f"FAIRLEAD_ACKNOWLEDGE={digest_of(refused.stdout)}." in refused.stdout + refused.stderr
    assert "steering-adoption" not in refused.stdout
    assert not simple.writes
    assert _left(simple) == SIMPLE


def test_under_the_digest(simple: Deployment) -> None:
    """Latency sets take their place; the next run changes nothing, and asks for nothing."""
    digest = digest_of(simple.run("preview", *PACK, check=False).stdout)
    simple.up(*PACK, env=word(digest))
    assert _left(simple) == {}
    assert len(simple.sets()) == 4 * 4
    assert not simple.zone.violations
    again = simple.up("--expect-no-changes", *PACK)
    assert "2 unchanged" in again.stdout
    assert "adopted" not in again.stdout
    assert "warning" not in again.stdout


def test_without_the_setting(simple: Deployment) -> None:
    """The hosts are refused as ever, and the run succeeds."""
    simple.configure(adopt=[])
    done = simple.up(*PACK)
    assert f"refused: {FIRST}: the name carries a foreign A set" in done.stdout
    assert _left(simple) == SIMPLE


def test_what_cannot_be_adopted(fresh: Deployment) -> None:
    """Each is refused by itself, for its own reason; the others come, and the run succeeds."""
    fill(fresh, boxes=range(2), hosts=4)
    elsewhere, named, alias = (f"h00{number}.bab.{DOMAIN}" for number in range(3))
    stranger = f"stranger.bab.{DOMAIN}"
    target = {"HostedZoneId": ZONE, "DNSName": "www.example.com", "EvaluateTargetHealth": False}
    _seed(
        fresh,
        [
            _simple("www.example.com", "192.0.2.1"),
            _simple(elsewhere, "192.0.2.1", "192.0.2.9"),
            _simple(named, "www.example.com", kind="CNAME"),
            {"Name": alias, "Type": "A", "AliasTarget": target},
            _simple(stranger, "192.0.2.1"),
        ],
    )
    before = _left(fresh)
    fresh.configure(adopt=[elsewhere, named, alias, stranger])
    done = fresh.up(*PACK)
    for line in (
        f"{elsewhere}: the name carries a foreign A set; not adopted: its A set answers 192.0.2.9,",
        f"{named}: the name carries a foreign CNAME set; not adopted: its CNAME set leads to",
        f"{alias}: the name carries a foreign A set; not adopted: its A set is an alias",
        f"{stranger}: not adopted: no record steers it",
    ):
        assert f"refused: {line}" in done.stdout
    assert _left(fresh) == before
    assert fresh.boxes() == {"b0", "b1"}


def test_names_that_no_host_can_have(simple: Deployment) -> None:
    """They end the run before it reads anything."""
    simple.configure(adopt=[f"*.bab.{DOMAIN}", FIRST])
    refused = simple.run("preview", check=False)
    assert refused.returncode != 0
    assert f'fairlead:adopt: "*.bab.{DOMAIN}" is a wildcard host' in refused.stdout
    assert not simple.zone.calls


@pytest.mark.parametrize("address", ["192.0.2.4", "192.0.2.9"])
def test_set_that_changes_meanwhile(simple: Deployment, address: str) -> None:
    """Between the program's look and the provider's: the run ends before it writes."""
    digest = digest_of(simple.run("preview", check=False).stdout)
    simple.zone.reset()
    group = simple.zone.zones[ZONE].names[f"{FIRST}."]
    looks: list[int] = []

    def edit(call: dict[str, Any]) -> None:
        if call["op"] == "ListResourceRecordSets":
            looks.append(call["index"])
            if len(looks) == 2:
                group["A", ""].doc["ResourceRecords"] = [{"Value": address}]

    simple.zone.on_call = edit
    ended = simple.up("--skip-preview", *PACK, check=False, env=word(digest))
    simple.zone.on_call = None
    assert ended.returncode != 0
    assert f"1 simple set to adopt not as planned, limit 0, the first {FIRST} A" in ended.stdout
    assert not simple.writes
    assert _left(simple) == {**SIMPLE, FIRST: [address]}


def test_killed_half_way(fresh: Deployment) -> None:
    """Every name goes on answering; the rest is adopted under the digest it began with."""
    regions = sorted(each for each in latency_regions() if not each.startswith(("cn-", "us-gov")))
    names = {f"h{number:03}.bab.{DOMAIN}" for number in range(120)}
    fill(fresh, boxes=(), hosts=len(names))
    for number in range(8):
        fresh.edge(number, aws_region=regions[number])
    _seed(fresh, [_simple(name, "192.0.2.1") for name in names])
    fresh.configure(adopt=sorted(names))
    digest = digest_of(fresh.run("preview", check=False).stdout)
    environ = {**fresh.env, **word(digest)}
    log = fresh.stack.home / "log"
    cli = fresh.stack.start("up", "--yes", "--skip-preview", log=log, env=environ)

    def kill(call: dict[str, Any]) -> None:
        if call["op"] == "ChangeResourceRecordSets":
            os.kill(cli.pid, signal.SIGKILL)

    fresh.zone.on_call = kill
    assert cli.wait() == -signal.SIGKILL
    fresh.zone.on_call = None
    refused = fresh.launch("preview", *PACK, check=False)
    assert digest_of(refused.stdout) == digest
    left = _left(fresh)
    assert 0 < len(left) < len(names)
    assert names <= _answering(fresh)
    fresh.stack.launch("up", "--yes", *PACK, env=environ)
    assert _left(fresh) == {}
    assert len(fresh.sets()) == (len(names) + 1) * 8
    assert not fresh.zone.violations
