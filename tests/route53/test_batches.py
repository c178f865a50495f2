"""From the changes of a plan to change batches."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folds.changes import HostChange, SetChange, WantedSet
from folds.zone import LiveSet
from route53.batches import Batch, BatchLimits, batches, documents
from route53.errors import HostTooLarge
from tests.support.zones import APEX, PREFIX, set_document, shown

CHECKS = {"192.0.2.1": "c1", "2001:db8::1": "c6"}
REGIONS = ["eu-west-1", "eu-west-2", "us-east-1", "us-west-2"]


def wanted(name: str, box: str = "ie-1", address: str = "192.0.2.1") -> WantedSet:
    kind = "AAAA" if ":" in address else "A"
    return WantedSet(name, kind, PREFIX + box, REGIONS[0], 60, address)


def live(name: str, box: str = "ie-1", *values: str, kind: str = "A") -> LiveSet:
    each = LiveSet(name, kind, PREFIX + box, REGIONS[0], 60, values or ("192.0.2.9",), "c9")
    document = {**set_document(each), "Name": f"{name}."}
    return LiveSet(*each.key, each.region, 60, each.values, "c9", document)


def created(name: str, *boxes: str) -> HostChange:
    return HostChange(name, tuple(SetChange(None, wanted(name, box)) for box in boxes))


def removed(name: str, *boxes: str) -> HostChange:
    return HostChange(name, tuple(SetChange(live(name, box), None) for box in boxes))


def replaced(name: str, *boxes: str) -> HostChange:
    pairs = [SetChange(live(name, box), wanted(name, box)) for box in boxes]
    return HostChange(name, tuple(pairs))


def names_of(packed: Iterable[Batch]) -> list[list[str]]:
    return [[host.name for host in batch] for batch in packed]


def test_created_set() -> None:
    """Every field of the set, with the check of its address."""
    name = f"*.a.{APEX}"
    change = HostChange(name, (SetChange(None, wanted(name, "us-1", "2001:db8::1")),))
    (batch,) = batches([change], CHECKS)
    assert documents(batch) == [
        {
            "Action": "CREATE",
            "ResourceRecordSet": {
                "Name": f"\\052.a.{APEX}.",
                "Type": "AAAA",
                "SetIdentifier": f"{PREFIX}us-1",
                "Region": "eu-west-1",
                "TTL": 60,
                "ResourceRecords": [{"Value": "2001:db8::1"}],
                "HealthCheckId": "c6",
            },
        }
    ]


def test_replaced_set() -> None:
    """DELETE is the live set to the letter, so that it fails if somebody changed it."""
    change = replaced(f"a.{APEX}", "ie-1")
    (batch,) = batches([change], CHECKS)
    first, second = documents(batch)
    assert change.changes[0].before
    assert first["ResourceRecordSet"] == change.changes[0].before.document
    assert [first["Action"], second["Action"]] == ["DELETE", "CREATE"]


def test_host_whose_region_changes_hands() -> None:
    """All DELETEs of a host come before its CREATEs: a region must be free to be taken."""
    moved = [*created("a.b", "one", "two").changes, *removed("a.b", "three", "zero").changes]
    (batch,) = batches([HostChange("a.b", tuple(moved))], CHECKS)
    assert shown(documents(batch)) == [
        f"DELETE A a.b {PREFIX}three",
        f"DELETE A a.b {PREFIX}zero",
        f"CREATE A a.b {PREFIX}one",
        f"CREATE A a.b {PREFIX}two",
    ]


def test_hosts_of_one_batch() -> None:
    """They stand in the order of their names, each with all of its changes."""
    (batch,) = batches([replaced("b.c", "x", "y"), created("a.c", "x")], CHECKS)
    actions = [line.split(" ")[0::2] for line in shown(documents(batch))]
    assert actions == [["CREATE", "a.c"], *[["DELETE", "b.c"]] * 2, *[["CREATE", "b.c"]] * 2]


def test_batches_that_only_remove() -> None:
    """They come last; a host that only removes may fill up a batch that adds."""
    hosts = [removed(f"r{number}.a", "x", "y") for number in range(4)] + [created("z.a", "x")]
    packed = batches([*hosts, removed("s.a", "x")], CHECKS, BatchLimits(values=4))
    assert names_of(packed) == [["r2.a", "z.a"], ["r0.a", "r3.a"], ["r1.a", "s.a"]]


def test_alias_and_set_of_several_values() -> None:
    """An alias counts as one value without characters, a set of several values as each."""
    target = {"HostedZoneId": "Z", "DNSName": "b.", "EvaluateTargetHealth": False}
    alias = LiveSet("a.b", "A", PREFIX, "eu-west-1", document={"AliasTarget": target})
    several = live("a.b", "y", "192.0.2.1", "192.0.2.22")
    change = HostChange("a.b", (SetChange(alias, None), SetChange(several, None)))
    ((host,),) = batches([change], CHECKS)
    assert (host.cost, host.sets) == ((3, 19, 2), 2)


@pytest.mark.parametrize(
    ("limits", "measure"),
    [
        (BatchLimits(values=7), "8 values in one batch, limit 7"),
        (BatchLimits(characters=50), "72 characters in one batch, limit 50"),
        (BatchLimits(changes=7), "8 changes in one batch, limit 7"),
    ],
)
def test_host_over_a_limit(limits: BatchLimits, measure: str) -> None:
    """It is never split: the error names host, measure, limit and way out."""
    with pytest.raises(HostTooLarge) as caught:
        batches([replaced("a.b", "w", "x", "y", "z")], CHECKS, limits)
    assert str(caught.value) == (
        f"a.b: its changes need {measure}; arm or withdraw fewer edges at once"
    )


@st.composite
def changes(draw: st.DrawFn) -> list[HostChange]:
    """Hosts with created, removed and replaced sets."""
    kinds = st.sampled_from([created, removed, replaced])
    sizes = draw(st.lists(st.tuples(kinds, st.integers(1, 4)), min_size=1, max_size=40))
    boxes = ["w", "x", "y", "z"]
    return [kind(f"h{n}.{APEX}", *boxes[:size]) for n, (kind, size) in enumerate(sizes)]


@settings(max_examples=60, deadline=None)
@given(changes(), st.randoms(use_true_random=False))
def test_any_hosts_in_any_order(hosts: list[HostChange], chosen: random.Random) -> None:
    """The same batches; each within the limits; no host in two of them; adding ones first."""
    limits = BatchLimits(values=20, characters=240, changes=18)
    packed = batches(hosts, CHECKS, limits)
    shuffled = chosen.sample(hosts, len(hosts))
    assert batches(shuffled, CHECKS, limits) == packed
    names = [name for batch in names_of(packed) for name in batch]
    assert sorted(names) == sorted(host.name for host in hosts)
    adding = [any(host.adds for host in batch) for batch in packed]
    assert adding == sorted(adding, reverse=True)
    for batch in packed:
        values, characters, count = (
            sum(part) for part in zip(*[h.cost for h in batch], strict=True)
        )
        assert (values <= 20, characters <= 240, count <= 18) == (True, True, True)
        assert len(documents(batch)) == count
