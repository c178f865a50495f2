"""Random deployments: what a bucket asks for, and a zone that some past has left behind."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, product
from typing import TypeAlias

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from folds.checks import stem
from folds.desired import CheckSettings, Desired, Edge
from folds.zone import LiveCheck, LiveSet, LiveZone
from tests.folds.model import APEX, PREFIX, Route53Refuses, host, insert, live_check, simple

Deployment: TypeAlias = tuple[Desired, LiveZone]

# A busy machine draws slowly: that is no finding.
_CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
MANY = settings(_CALM, max_examples=500)
SOME = settings(_CALM, max_examples=150)
REACHED = settings(_CALM, max_examples=3000, phases=[Phase.generate], database=None)

NAMES = [host(label) for label in "abcdef"]
EDGE = f"edge.{APEX}"
ESCAPED = rf"\052.bab.{APEX}"
BOXES = ["au-1", "ie-1", "ie-2", "uk-1", "us-1"]
REGIONS = ["ap-southeast-2", "eu-west-1", "eu-west-2", "us-east-1"]
ADDRESSES = ["3.80.0.1", "3.80.0.2", "18.130.0.1", "2600:1f18::1", "2600:1f18::2"]
SETTINGS = [
    CheckSettings(),
    CheckSettings(path="/up", domain_name=EDGE),
    CheckSettings(type="HTTP", port=80),
    CheckSettings(interval=10),
]
OTHERS_CHECKS = ["fairlead/000000000000/x/1", "terraform-2026"]


# Products are sampled whole: one draw an item keeps hundreds of examples quick.
_EDGES = [Edge(box=b, region=r, address=a) for b, r, a in product(BOXES, REGIONS, ADDRESSES)]
_SETS = [
    LiveSet(name, "AAAA" if ":" in address else "A", PREFIX + box, region, ttl, (address,))
    for name, address, box, region, ttl in product(
        [*NAMES, EDGE], ADDRESSES, [*BOXES, "gone-1"], REGIONS, [60, 300]
    )
]
_FOREIGN = [
    LiveSet(name, kind, identifier, region, 300, ("192.0.2.9",))
    for name, (kind, identifier, region) in product(
        [*NAMES, EDGE, ESCAPED, APEX],
        [
            ("A", "", ""),
            ("CNAME", "", ""),
            ("TXT", "", ""),
            ("A", f"{PREFIX}weighted", ""),
            *(("A", "someone/x", region) for region in REGIONS),
        ],
    )
]
_SIMPLE = [
    simple(name, *values)
    for name in [*NAMES[:3], EDGE]
    for kind in (ADDRESSES[:3], ADDRESSES[3:], ["192.0.2.9", ADDRESSES[0]])
    for size in (1, 2)
    for values in combinations(kind, size)
]
_CHECKS = list(product(ADDRESSES, SETTINGS, ["1", "2", "11"]))


# Built once: to build a strategy of so many items costs more than to draw from it.
_DRAWN_EDGES = st.lists(st.sampled_from(_EDGES), unique_by=lambda each: each.box, max_size=5)
_DRAWN_FATES = st.tuples(*(st.sampled_from("ssshwaaa") for _ in NAMES))
_DRAWN_SETS = st.lists(st.sampled_from(_SETS), max_size=24)
_DRAWN_FOREIGN = st.lists(st.sampled_from(_FOREIGN), max_size=6)
_DRAWN_SIMPLE = st.lists(st.sampled_from(_SIMPLE), min_size=1, max_size=8)
_DRAWN_STEERED = st.sampled_from([True, True, False])
_DRAWN_ADOPT = st.sets(st.sampled_from([*NAMES[:3], EDGE, host("z")]), min_size=1)
_DRAWN_CHECKS = st.lists(st.sampled_from(_CHECKS), max_size=6)
_DRAWN_DOMAIN = st.sampled_from([APEX, ""])
_DRAWN_SETTINGS = st.sampled_from(SETTINGS)


@st.composite
def desires(draw: st.DrawFn) -> Desired:
    """Every name is steered, held, withdrawn or absent; boxes share regions and addresses."""
    fates = dict(zip(NAMES, draw(_DRAWN_FATES), strict=True))
    of = {fate: tuple(name for name in NAMES if fates[name] == fate) for fate in "shw"}
    return Desired(
        zone="Z1",
        prefix=PREFIX,
        domain=draw(_DRAWN_DOMAIN),
        check=draw(_DRAWN_SETTINGS),
        edges=tuple(sorted(draw(_DRAWN_EDGES), key=lambda each: each.box)),
        hosts=of["s"],
        held=of["h"],
        withdrawn=of["w"],
    )


@st.composite
def deployments(draw: st.DrawFn) -> Deployment:
    """Something desired, and a zone that Route 53 could hold: ours in any state, and others'."""
    return _deployed(draw, draw(_DESIRES), ())


@st.composite
def adoptions(draw: st.DrawFn) -> Deployment:
    """The same, with simple sets at some names, and some names that are to be adopted.

    Those with simple sets are mostly steered: else there is little to adopt.
    """
    desired = draw(_DESIRES)
    more = {name for name in NAMES[:3] if draw(_DRAWN_STEERED)}
    changes = {
        "adopt": tuple(sorted(draw(_DRAWN_ADOPT))),
        "hosts": tuple(sorted({*desired.hosts} | more)),
        "held": tuple(sorted({*desired.held} - more)),
        "withdrawn": tuple(sorted({*desired.withdrawn} - more)),
    }
    return _deployed(draw, desired.model_copy(update=changes), draw(_DRAWN_SIMPLE))


def _deployed(draw: st.DrawFn, desired: Desired, first: Iterable[LiveSet]) -> Deployment:
    checks = _checks(desired, draw(_DRAWN_CHECKS))
    ids = [each.id for each in checks] or ["check-gone"]
    sets: dict[tuple[str, str, str], LiveSet] = {}
    for each in first:
        _insert(sets, each)
    for each in draw(_DRAWN_SETS):
        _insert(sets, replace(each, health_check_id=ids[len(sets) % len(ids)]))
    for each in draw(_DRAWN_FOREIGN):
        _insert(sets, each)
    return desired, LiveZone("Z1", APEX, tuple(sets.values()), tuple(checks))


_DESIRES = desires()


def _insert(sets: dict[tuple[str, str, str], LiveSet], new: LiveSet) -> None:
    with suppress(Route53Refuses):
        insert(sets, new)


def _checks(desired: Desired, drawn: list[tuple[str, CheckSettings, str]]) -> list[LiveCheck]:
    made: dict[str, LiveCheck] = {}
    for address, check, generation in drawn:
        reference = stem(desired.model_copy(update={"check": check}), address) + generation
        made[reference] = live_check(reference, address, check)
    foreign = [live_check(reference, ADDRESSES[0], SETTINGS[0]) for reference in OTHERS_CHECKS]
    return [*made.values(), *foreign[: len(drawn) % 3]]
