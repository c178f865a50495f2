"""Where a region changes hands, for an engine that makes first and deletes last."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given

from folds.desired import Edge
from folds.native_order import Blocked, Order, order
from folds.steering import plan
from tests.folds.model import FOUR, IE, PREFIX, UK, US, converged, desired, edge, host
from tests.folds.strategies import SOME, Deployment, deployments

HOST = host("a")
IE_2 = edge("ie-2", IE.region, "99.81.104.2")


def _key(box: str) -> tuple[str, str, str]:
    return (HOST, "A", PREFIX + box)


def _order(before: Iterable[Edge], after: Iterable[Edge]) -> Order:
    zone = converged(desired("a", before, domain=""))
    return order(plan(desired("a", after, domain=""), zone), zone.sets)


def test_a_region_that_nobody_had() -> None:
    """There is nothing to take."""
    assert _order([IE], [IE, UK]) == Order({}, ())


def test_a_box_replaced_under_a_new_label() -> None:
    """Its set takes the place of the one that goes."""
    assert _order([IE, UK], [IE_2, UK]) == Order({_key("ie-2"): _key("ie-1")}, ())


def test_another_type_in_the_region() -> None:
    """It stands beside: Route 53 counts by type."""
    assert _order([IE], [edge("ie-1", IE.region, "2600:1f18::1"), US]) == Order({}, ())


def test_a_box_that_moves_into_a_free_region() -> None:
    """Its own set is changed; whose it was nobody has."""
    assert _order([IE], [edge("ie-1", UK.region, IE.address)]) == Order({}, ())


def test_a_box_that_moves_into_a_region_that_is_left() -> None:
    """The engine would move it before it deletes the other."""
    moved = edge("ie-1", UK.region, IE.address)
    assert _order([IE, UK], [moved]) == Order({}, (Blocked(_key("ie-1"), UK.region, _key("uk-1")),))


def test_two_boxes_that_swap_regions() -> None:
    """Neither can be first."""
    swapped = [edge("ie-1", UK.region, IE.address), edge("uk-1", IE.region, UK.address)]
    found = _order([IE, UK], swapped)
    assert [(each.set, each.holder) for each in found.blocked] == [
        (_key("ie-1"), _key("uk-1")),
        (_key("uk-1"), _key("ie-1")),
    ]


def test_a_box_that_comes_for_one_that_moves() -> None:
    """The set that is there goes elsewhere, but not before the new one is made."""
    moved = edge("ie-1", UK.region, IE.address)
    found = _order([IE], [moved, IE_2])
    assert found.takes == {}
    assert [(each.set, each.region) for each in found.blocked] == [(_key("ie-2"), IE.region)]


def test_a_converged_zone() -> None:
    """Nothing comes."""
    assert _order(FOUR, FOUR) == Order({}, ())


@SOME
@given(deployments())
def test_every_arrival(deployment: Deployment) -> None:
    """A set that comes takes a free region, or a leaving set's place, each once, or is blocked."""
    wanted, zone = deployment
    work = plan(wanted, zone)
    found = order(work, zone.sets)
    assert set(found.takes.values()) <= work.removals
    assert len(set(found.takes.values())) == len(found.takes)
    assert not found.takes.keys() & {each.set for each in found.blocked}
    changes = [change for host in work.hosts for change in host.changes]
    added = {change.key for change in changes if change.before is None}
    assert found.takes.keys() <= added
