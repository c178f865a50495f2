from __future__ import annotations

from collections.abc import Iterable

import pytest

from folds.desired import Desired, Edge
from folds.zone import LiveSet, LiveZone
from policy.guards import read_steering
from tests.folds.model import (
    APEX,
    AU,
    FOUR,
    IE,
    PREFIX,
    UK,
    US,
    converged,
    desired,
    edge,
    empty_zone,
    host,
    summary_of,
)

_SIX = edge("us-6", US.region, "2600:1f18::1")


def _shrinking(wanted: Desired, zone: LiveZone) -> list[tuple[str, str, int, int, int, bool]]:
    found = summary_of(wanted, zone).shrinking
    return [(e.name, e.type, e.removed, e.replaced, e.left, e.asks) for e in found]


def test_wire() -> None:
    """What is written with camelCase names reads back as it was, numbers as floats too."""
    summary = summary_of(desired("a", [IE, _SIX]), converged(desired("ab")))
    written = summary.model_dump(mode="json", by_alias=True)
    assert read_steering(written) == summary
    assert {type(value) for value in written.values()} == {str, int, list, dict}


def test_counts_of_a_converged_zone() -> None:
    """Managed and desired sets, hosts without edge., all sets of the zone, all checks."""
    zone = converged(desired("ab"), LiveSet(APEX, "MX"))
    summary = summary_of(desired("ab"), zone)
    assert (summary.managed, summary.desired, summary.live_hosts) == (12, 12, 2)
    assert (summary.zone_after, summary.additions, summary.new_checks) == (13, 0, 0)
    assert (summary.checks_peak, summary.held) == (4, 0)
    assert not any((summary.shrinking, summary.vanished, summary.crowded, summary.unchecked))


def test_held_host_is_not_counted_as_managed() -> None:
    """Its sets cannot make a removal look small; what it loses is counted."""
    zone = converged(desired("ab"))
    summary = summary_of(desired("b", [AU, IE, UK], held=(host("a"),)), zone)
    assert (summary.managed, summary.held) == (8, 1)
    assert [(each.name, each.removed, each.asks) for each in summary.shrinking] == [
        (host("a"), 1, True),
        (host("b"), 1, True),
        (f"edge.{APEX}", 1, True),
    ]


def test_box_under_a_new_label() -> None:
    """Removed and added in one name and type: nothing is lost."""
    again = US.model_copy(update={"box": "us-9"})
    zone = converged(desired("a", domain=""))
    wanted = desired("a", [AU, IE, UK, again], domain="")
    assert _shrinking(wanted, zone) == [(host("a"), "A", 1, 1, 4, True)]


def test_box_in_another_region() -> None:
    """A set added elsewhere makes up for none that goes: its users are other users."""
    again = US.model_copy(update={"box": "us-9", "region": "us-west-2"})
    zone = converged(desired("a", domain=""))
    wanted = desired("a", [AU, IE, UK, again], domain="")
    assert _shrinking(wanted, zone) == [(host("a"), "A", 1, 0, 4, True)]


def test_boxes_that_swap_regions() -> None:
    """No set is lost: both are replaced."""
    swapped = [
        IE.model_copy(update={"region": UK.region}),
        UK.model_copy(update={"region": IE.region}),
    ]
    zone = converged(desired("a", [IE, UK], domain=""))
    summary = summary_of(desired("a", swapped, domain=""), zone)
    assert (summary.shrinking, summary.repointed) == ((), 2)


def test_last_set_of_a_type() -> None:
    """A and AAAA are counted apart: the AAAA of every name goes, the A stays."""
    zone = converged(desired("a", [IE, _SIX], domain=""))
    assert _shrinking(desired("a", [IE], domain=""), zone) == [(host("a"), "AAAA", 1, 0, 0, True)]


def test_host_that_is_withdrawn() -> None:
    """Its own record asks for no steering: it neither asks nor vanishes."""
    zone = converged(desired("ab", [IE]))
    wanted = desired("a", [IE], withdrawn=(host("b"),))
    assert summary_of(wanted, zone).vanished == ()
    assert _shrinking(wanted, zone) == [(host("b"), "A", 1, 0, 0, False)]


def test_host_whose_record_is_absent() -> None:
    """It vanishes."""
    assert summary_of(desired("a"), converged(desired("ab"))).vanished == (host("b"),)


@pytest.mark.parametrize("domain", ["", "apps.example.com", "example.org"])
def test_edge_host_of_an_earlier_domain(domain: str) -> None:
    """Edge. never goes unasked, whatever the apps domain is now."""
    (lost,) = summary_of(desired("a", [IE], domain), converged(desired("a", [IE]))).shrinking
    assert (lost.name, lost.asks) == (f"edge.{APEX}", True)


def test_app_called_edge() -> None:
    """A tenant's host edge.<account>.<domain> is a host like any other."""
    zone = converged(desired(["a", "edge"], [IE]))
    assert [each[-1] for each in _shrinking(desired("a", [IE]), zone)] == [False]


def test_zone_and_checks_after_the_plan() -> None:
    """Additions less removals; checks at their most, foreign ones included."""
    zone = converged(desired("ab"), LiveSet(host("x"), "TXT"))
    new = edge("de-1", "eu-central-1", "3.120.0.1")
    summary = summary_of(desired("ac", [*FOUR, new]), zone)
    assert (summary.zone_after, summary.additions) == (13 - 4 + 1 + 5 + 1, 7)
    assert (summary.checks_peak, summary.new_checks) == (5, 1)


def _repointed(before: Iterable[Edge], after: Iterable[Edge]) -> int:
    zone = converged(desired("a", before, domain=""))
    return summary_of(desired("a", after, domain=""), zone).repointed


def test_sets_that_change_address_or_region() -> None:
    """Under their own label or a new one; a new label alone changes no answer."""
    other = IE.model_copy(update={"address": "99.81.104.9"})
    away = IE.model_copy(update={"region": "eu-central-1"})
    assert _repointed([IE, UK], [other, UK]) == 1
    assert _repointed([IE, UK], [away, UK]) == 1
    assert _repointed([IE, UK], [other.model_copy(update={"box": "ie-9"}), UK]) == 1
    assert _repointed([IE, UK], [IE.model_copy(update={"box": "ie-9"}), UK]) == 0
    assert _repointed([IE, UK], [IE]) == _repointed([IE], [IE, UK]) == 0


def test_address_in_two_regions() -> None:
    """Where both boxes serve; a standby answers nowhere."""
    twin = edge("us-2", US.region, IE.address)
    split = summary_of(desired("a", [IE, twin]), empty_zone()).split_addresses
    assert [(each.address, each.regions) for each in split] == [
        (IE.address, (IE.region, US.region))
    ]
    assert summary_of(desired("a", [IE, US, twin]), empty_zone()).split_addresses == ()


def test_host_with_very_many_values() -> None:
    """What one host's change carries counts the values it deletes and those it creates."""
    values = tuple(f"192.0.2.{index % 256}" for index in range(400))
    regions = ("eu-west-1", "eu-west-2", "us-east-1")
    live = [
        LiveSet(host("a"), "A", f"{PREFIX}old-{region}", region, 60, values) for region in regions
    ]
    (crowded,) = summary_of(desired("a", [IE], domain=""), empty_zone(*live)).crowded
    assert (crowded.name, crowded.values, crowded.sets) == (host("a"), 1201, 1)


def test_over_100_sets_of_a_type() -> None:
    """Every host that changes is named."""
    boxes = [edge(f"b-{index}", f"region-{index}", f"3.80.{index}.1") for index in range(101)]
    summary = summary_of(desired("ab", boxes, domain=""), empty_zone())
    assert [(each.name, each.sets) for each in summary.crowded] == [
        (host("a"), 101),
        (host("b"), 101),
    ]


def test_end() -> None:
    """The boxes that stay armed with type and region, the hosts that stay where any goes."""
    zone = converged(desired("ab", [IE, UK, _SIX]))
    end = summary_of(desired("a", [IE, _SIX]), zone).end
    assert end.boxes == ("ie-1 A eu-west-1", "us-6 AAAA us-east-1")
    assert end.hosts_go
    held = summary_of(desired("b", [IE, _SIX], held=(host("a"),)), zone).end
    assert not held.hosts_go
    assert summary_of(desired("ab", [IE, _SIX]), zone).end == held
