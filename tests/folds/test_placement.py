from __future__ import annotations

from collections.abc import Iterable

import pytest

from control.records import Edge as EdgeFile
from folds.changes import Plan
from folds.desired import Edge
from folds.placement import armed, placed
from folds.steering import plan
from folds.zone import LiveZone
from tests.folds.model import IE, PREFIX, UK, applied, converged, desired, edge, host, names_of

_IE_2 = edge("ie-2", IE.region, "99.81.104.2")
_IE_0 = edge("ie-0", IE.region, "99.81.104.9")


def _run(zone: LiveZone, edges: Iterable[Edge]) -> tuple[LiveZone, Plan]:
    work = plan(desired("a", edges), zone)
    return applied(zone, work), work


def test_disarmed_edge() -> None:
    """Only an armed box gets sets; boxes come by label."""
    files = [
        EdgeFile(box="uk-1", aws_region=UK.region, address=UK.address, armed=True),
        EdgeFile(box="us-1", aws_region="", address="", armed=False),
        EdgeFile(box="ie-1", aws_region=IE.region, address=IE.address, armed=True),
    ]
    assert armed(files) == (IE, UK)


def test_second_box_of_a_region() -> None:
    """Nobody holds the region: the first by label serves, the other stands by."""
    assert placed([IE, _IE_2, UK], [], [PREFIX]) == ((IE, UK), (_IE_2,))


def test_box_that_holds_the_region_keeps_it() -> None:
    """A newcomer takes nothing from the box that is live, whatever its label."""
    live = converged(desired("a", [IE]))
    assert placed([IE, _IE_0], live.sets, [PREFIX]) == ((IE,), (_IE_0,))


def test_region_held_in_part_by_two() -> None:
    """After a handover that stopped half way, the one with most sets keeps it."""
    many, few = converged(desired("abc", [_IE_2])), converged(desired("d", [_IE_0], domain=""))
    live = (*many.sets, *few.sets)
    assert placed([_IE_0, _IE_2], live, [PREFIX]) == ((_IE_2,), (_IE_0,))


def test_ipv4_and_ipv6_boxes_of_one_region() -> None:
    """A and AAAA are two types: both boxes serve."""
    six = edge("ie-6", IE.region, "2600:1f18::1")
    assert placed([IE, six], [], [PREFIX]) == ((IE, six), ())


def test_region_held_by_a_retired_box() -> None:
    """The set of a box that is gone gives no rank to anybody."""
    live = converged(desired("a", [_IE_2]))
    assert placed([IE, _IE_0], live.sets, [PREFIX]) == ((_IE_0,), (IE,))


def test_ten_runs_of_a_second_box() -> None:
    """Armed, disarmed and removed again, a second box changes nothing but its own check."""
    zone = converged(desired("a", [IE, UK]))
    for edges in [[IE, UK, _IE_0], [IE, UK, _IE_0], [IE, UK]] * 3:
        zone, work = _run(zone, edges)
        assert work.hosts == ()
        assert len(zone.checks) == len(edges)
    assert names_of(zone)[host("a")] == ["ie-1", "uk-1"]


def test_ten_runs_of_a_handover() -> None:
    """The first box retires, the standby takes over and keeps the region when it returns."""
    zone = converged(desired("a", [IE, _IE_2, UK]))
    zone, work = _run(zone, [_IE_2, UK])
    assert [change.symbol for change in work.hosts[0].changes] == ["-", "+"]
    for edges in [[IE, _IE_2, UK], [_IE_2, UK]] * 5:
        zone, work = _run(zone, edges)
        assert work.hosts == ()
    assert names_of(zone)[host("a")] == ["ie-2", "uk-1"]


@pytest.mark.parametrize("again", range(3))
def test_standby_keeps_its_check(again: int) -> None:
    """A standby is checked all along, so that it can take over at once."""
    zone = converged(desired("a", [IE, _IE_2]))
    for _ in range(again):
        zone, _work = _run(zone, [IE, _IE_2])
    assert sorted(check.address for check in zone.checks) == [IE.address, _IE_2.address]
