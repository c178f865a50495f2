"""Random deployments: what a bucket asks for, and a zone that some past has left behind."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import TypeAlias

from hypothesis import strategies as st

from folds.checks import stem
from folds.desired import CheckSettings, Desired, Edge
from folds.zone import LiveCheck, LiveSet, LiveZone
from tests.folds.model import APEX, PREFIX, Route53Refuses, host, insert, live_check

Deployment: TypeAlias = tuple[Desired, LiveZone]

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
_CHECKS = list(product(ADDRESSES, SETTINGS, ["1", "2", "11"]))


def edges() -> st.SearchStrategy[tuple[Edge, ...]]:
    """Up to five armed boxes: shared regions and shared addresses happen."""
    boxes = st.lists(st.sampled_from(_EDGES), unique_by=lambda each: each.box, max_size=5)
    return boxes.map(lambda found: tuple(sorted(found, key=lambda each: each.box)))


def desires() -> st.SearchStrategy[Desired]:
    """Every name is steered, held, withdrawn or absent."""
    fates = st.tuples(*(st.sampled_from("sshwa") for _ in NAMES))
    return st.builds(
        _desired, fates, st.sampled_from([APEX, ""]), st.sampled_from(SETTINGS), edges()
    )


def _desired(
    fates: tuple[str, ...], domain: str, check: CheckSettings, boxes: tuple[Edge, ...]
) -> Desired:
    of = {fate: tuple(n for n, f in zip(NAMES, fates, strict=True) if f == fate) for fate in "shw"}
    return Desired(
        zone="Z1",
        prefix=PREFIX,
        domain=domain,
        check=check,
        edges=boxes,
        hosts=of["s"],
        held=of["h"],
        withdrawn=of["w"],
    )


@st.composite
def deployments(draw: st.DrawFn) -> Deployment:
    """Something desired, and a zone that Route 53 could hold: ours in any state, and others'."""
    desired = draw(desires())
    checks = _checks(desired, draw(st.lists(st.sampled_from(_CHECKS), max_size=6)))
    ids = [each.id for each in checks] or ["check-gone"]
    sets: dict[tuple[str, str, str], LiveSet] = {}
    for each in draw(st.lists(st.sampled_from(_SETS), max_size=24)):
        _insert(sets, replace(each, health_check_id=ids[len(sets) % len(ids)]))
    for each in draw(st.lists(st.sampled_from(_FOREIGN), max_size=6)):
        _insert(sets, each)
    return desired, LiveZone("Z1", APEX, tuple(sets.values()), tuple(checks))


def _insert(sets: dict[tuple[str, str, str], LiveSet], new: LiveSet) -> None:
    with suppress(Route53Refuses):
        insert(sets, new)


def _checks(desired: Desired, drawn: list[tuple[str, CheckSettings, str]]) -> list[LiveCheck]:
    made: dict[str, LiveCheck] = {}
    for address, settings, generation in drawn:
        reference = stem(desired.model_copy(update={"check": settings}), address) + generation
        made[reference] = live_check(reference, address, settings)
    foreign = [live_check(reference, ADDRESSES[0], SETTINGS[0]) for reference in OTHERS_CHECKS]
    return [*made.values(), *foreign[: len(drawn) % 3]]
