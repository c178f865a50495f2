"""The reads of a run: the bucket whole, then the zone whole, or an error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from obstore.store import MemoryStore

from control.errors import ReadsFailed
from control.store import ObjectStore
from local.zone import ZoneEmulator
from route53.errors import ZoneNotFound
from stacks import observation
from stacks.observation import observe
from tests.support.steering import APEX, ZONE, edge, host_of, record, settings
from tests.support.zones import environment

EDGE = {"v": 1, "box": "b0", "aws_region": "eu-west-1", "eip": "192.0.2.1", "armed": True}
TESTING = settings(allow_test_addresses=True)


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[ZoneEmulator]:
    with ZoneEmulator() as emulator:
        emulator.seed({"zones": [{"id": ZONE, "name": APEX}]})
        for name, value in environment(emulator.url).items():
            monkeypatch.setenv(name, value)
        yield emulator


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> MemoryStore:
    """A bucket of one box and one host, which is opened whatever the setting says."""
    memory = MemoryStore()
    monkeypatch.setattr(observation, "open_bucket", lambda _name: ObjectStore(memory))
    write(memory, "control/edges/b0.json", EDGE)
    write(memory, f"apps/bab/h0/instances/{host_of('h0')}.json", {"host": host_of("h0")})
    return memory


def write(memory: MemoryStore, key: str, body: dict[str, Any]) -> None:
    memory.put(key, json.dumps(body).encode())


@pytest.mark.usefixtures("zone", "bucket")
def test_both_sides() -> None:
    """What the bucket says, and what is live."""
    seen = observe(TESTING, print)
    assert seen.documents.edges == (edge(0),)
    assert seen.documents.records == (record("h0", steering=""),)
    assert [each.type for each in seen.live.sets] == ["NS", "SOA"]


@pytest.mark.usefixtures("zone")
def test_a_long_read(bucket: MemoryStore) -> None:
    """It is told of now and then, not object by object."""
    for number in range(1000):
        write(bucket, f"apps/bab/h/instances/{number}.json", {"host": ""})
    told: list[str] = []
    observe(TESTING, told.append)
    assert [line for line in told if "objects" in line] == [
        "steering: read 500 of 1001 objects",
        "steering: read 1000 of 1001 objects",
    ]


@pytest.mark.behaviour(21)
def test_a_bucket_that_cannot_be_read(zone: ZoneEmulator, bucket: MemoryStore) -> None:
    """The zone is not asked then."""
    write(bucket, "control/edges/b1.json", {})
    with pytest.raises(ReadsFailed, match=r"steering: control/edges/b1\.json"):
        observe(TESTING, print)
    assert zone.calls == []


@pytest.mark.usefixtures("bucket")
def test_a_test_address(zone: ZoneEmulator) -> None:
    """The settings reach the reader: documentation nets are valid where they say so."""
    with pytest.raises(ReadsFailed, match=r"192\.0\.2\.1 is in 192\.0\.2\.0/24"):
        observe(settings(), print)
    assert zone.calls == []


def test_a_key_of_the_layout_before_accounts(zone: ZoneEmulator, bucket: MemoryStore) -> None:
    """The settings say whether it is passed over."""
    write(bucket, "apps/hello/instances/x.json", {})
    with pytest.raises(ReadsFailed, match=r"apps/hello/instances/x\.json"):
        observe(TESTING, print)
    lenient = settings(allow_test_addresses=True, ignore_legacy_keys=True)
    assert len(observe(lenient, print).documents.records) == 1
    assert len(zone.calls) == 2


@pytest.mark.usefixtures("bucket")
def test_a_zone_that_is_gone(zone: ZoneEmulator) -> None:
    """A part of what is live is never taken for the whole."""
    zone.zones.clear()
    with pytest.raises(ZoneNotFound, match=f"zone {ZONE}"):
        observe(TESTING, print)
