"""A zone's order, kept over many changes, and its cost in a large zone."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local.zone import ZoneEmulator, sort_key
from local.zone.batch import Batch
from local.zone.record_sets import RecordSet
from local.zone.settings import Settings
from local.zone.zones import Zone
from tests.local.zone.support import create, delete, latency

LARGE = 10_000
NAMES = ["example.com", "*.example.com", "a.example.com", "a-b.example.com", "x.a.example.com"]
KEYS = [("A", ""), ("A", "i"), ("A", "j"), ("AAAA", "i"), ("TXT", "")]


def place(record_set: RecordSet) -> tuple[str, str, str]:
    """What a listing orders by."""
    return sort_key(record_set.name), *record_set.key


def record_set(name: str, key: tuple[str, str]) -> RecordSet:
    """Any set of this name, type and identifier."""
    kind, identifier = key
    raw: dict[str, Any] = {"Name": name, "Type": kind, "TTL": 60, "ResourceRecords": []}
    return RecordSet({**raw, "SetIdentifier": identifier} if identifier else raw)


@given(
    changes=st.lists(
        st.dictionaries(st.sampled_from(NAMES), st.sets(st.sampled_from(KEYS)), max_size=3)
    ),
    looked_at=st.sets(st.integers(0, 5)),
)
def test_the_order_is_kept(
    changes: list[dict[str, set[tuple[str, str]]]], looked_at: set[int]
) -> None:
    """Whatever is put and whenever it is asked for, it is what sorting anew would give."""
    zone = Zone("Z1", "example.com.", "Z1")
    for number, change in enumerate(changes):
        groups = {}
        for name, keys in change.items():
            made = [record_set(name, key) for key in keys]
            canonical = record_set(name, KEYS[0]).name
            groups[canonical] = {each.key: each for each in made}
        zone.put(groups)
        if number in looked_at:
            zone.order()
    held = [each for group in zone.names.values() for each in group.values()]
    assert [place(each) for each in zone.record_sets()] == sorted(place(each) for each in held)
    assert all(zone.names.values()), "no name is left without sets"


@pytest.fixture(scope="module")
def large() -> Zone:
    """A zone of 10,000 latency sets, four a host."""
    regions = ("us-east-1", "eu-west-1", "ap-south-1", "sa-east-1")
    sets = [
        latency(f"h{number}.example.com", region, region)
        for number in range(LARGE // 4)
        for region in regions
    ]
    emulator = ZoneEmulator(zone_quota=LARGE * 2)
    emulator.stop()
    emulator.seed({"zones": [{"id": "Z1", "name": "example.com", "record_sets": sets}]})
    return emulator.zones["Z1"]


def seconds_of_a_change(zone: Zone) -> float:
    """The shortest of some times that it takes to add a set and remove it again."""
    wanted = latency("new.example.com", "i", "us-east-1")
    times = []
    for _ in range(5):
        started = time.perf_counter()
        for change in (create(wanted), delete(wanted)):
            batch = Batch(zone, [change], Settings(zone_quota=LARGE * 2))
            batch.check()
            zone.put(batch.touched)
        times.append(time.perf_counter() - started)
    return min(times)


def test_a_small_change_of_a_large_zone_is_quick(large: Zone) -> None:
    """A tenth of what sorting its places takes, at most."""
    ordered = large.order()
    started = time.perf_counter()
    again = sorted((sort_key(name), kind, key, name) for _, kind, key, name in ordered)
    sorting = time.perf_counter() - started
    assert again == ordered
    assert seconds_of_a_change(large) < sorting / 10


def test_a_page_of_a_large_zone_is_a_slice(large: Zone) -> None:
    """The sets from one position to another, whichever they are."""
    names = [each.name for each in large.record_sets(5_000, 5_300)]
    assert len(names) == 300
    assert names == sorted(names, key=sort_key)
    assert large.record_sets(LARGE + 2) == []
