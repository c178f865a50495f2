from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from folds.changes import Plan
from folds.desired import Edge, Refusal
from folds.steering import plan
from folds.zone import LiveSet, LiveZone
from tests.folds.model import (
    APEX,
    AU,
    FOUR,
    IE,
    PREFIX,
    UK,
    US,
    applied,
    converged,
    desired,
    edge,
    empty_zone,
    host,
    names_of,
)

_EDGE = f"edge.{APEX}"


def _symbols(work: Plan) -> dict[str, str]:
    return {each.name: "".join(change.symbol for change in each.changes) for each in work.hosts}


def _foreign(name: str, kind: str, identifier: str = "", region: str = "") -> LiveSet:
    return LiveSet(name, kind, identifier, region, 300, ("192.0.2.9",))


@pytest.mark.behaviour(40)
def test_one_box() -> None:
    """The edge host and each steered host get one latency set, and the address one check."""
    zone = converged(desired("ab", [IE]))
    assert names_of(zone) == {name: ["ie-1"] for name in (host("a"), host("b"), _EDGE)}
    assert [check.address for check in zone.checks] == [IE.address]
    assert {(s.type, s.region, s.ttl, s.values, s.health_check_id) for s in zone.sets} == {
        ("A", IE.region, 60, (IE.address,), zone.checks[0].id)
    }


@pytest.mark.behaviour(41)
def test_empty_apps_domain() -> None:
    """No edge host is minted, steered hosts still are."""
    assert set(names_of(converged(desired("a", domain="")))) == {host("a")}


def test_address_of_version_6() -> None:
    """It gets AAAA sets, beside the A sets of another box in the same region."""
    zone = converged(desired("a", [IE, edge("ie-6", IE.region, "2600:1f18::1")]))
    kinds = {(each.type, each.set_identifier) for each in zone.sets if each.name == host("a")}
    assert kinds == {("A", f"{PREFIX}ie-1"), ("AAAA", f"{PREFIX}ie-6")}


def test_nothing_to_do() -> None:
    """A converged zone needs no change, foreign sets beside it or not."""
    zone = converged(desired("ab"), _foreign(APEX, "MX"), _foreign(host("a"), "TXT"))
    assert plan(desired("ab"), zone).empty


def test_host_withdrawn() -> None:
    """All sets of a name that nobody asks for any more go."""
    assert _symbols(plan(desired("a"), converged(desired("ab")))) == {host("b"): "----"}


def test_box_withdrawn() -> None:
    """Exactly its sets go, and its check after them."""
    zone = converged(desired("a"))
    work = plan(desired("a", [AU, IE, UK]), zone)
    assert _symbols(work) == {host("a"): "-", _EDGE: "-"}
    assert [sweep.address for sweep in work.sweeps] == [US.address]


def test_box_under_a_new_label() -> None:
    """Same region: its set is removed and the new one created, in one host's change."""
    again = IE.model_copy(update={"box": "ie-9", "address": "99.81.104.99"})
    work = plan(desired("a", [again, UK], domain=""), converged(desired("a", [IE, UK], domain="")))
    assert _symbols(work) == {host("a"): "-+"}


def test_two_boxes_that_swap_regions() -> None:
    """Both sets are replaced under their own identifiers; no region is doubled on the way."""
    swapped = [
        IE.model_copy(update={"region": UK.region}),
        UK.model_copy(update={"region": IE.region}),
    ]
    zone = converged(desired("a", [IE, UK]))
    work = plan(desired("a", swapped), zone)
    assert _symbols(work) == {host("a"): "~~", _EDGE: "~~"}
    assert (work.creations, work.sweeps) == ((), ())
    assert plan(desired("a", swapped), applied(zone, work)).empty


@pytest.mark.parametrize(
    "drift",
    [
        {"ttl": 5},
        {"region": "eu-central-1"},
        {"values": ("192.0.2.1",)},
        {"values": (IE.address, "192.0.2.1")},
        {"health_check_id": "x"},
    ],
)
def test_set_changed_by_hand(drift: dict[str, Any]) -> None:
    """It is put back, under its own identifier."""
    zone = converged(desired("a", [IE], domain=""))
    edited = replace(zone, sets=tuple(replace(each, **drift) for each in zone.sets))
    assert _symbols(plan(desired("a", [IE], domain=""), edited)) == {host("a"): "~"}


@pytest.mark.parametrize("other", ["other/ie-1", "carlos-steering", "xcarlos-steering/ie-1", ""])
def test_identifier_of_others(other: str) -> None:
    """What does not begin with the prefix is foreign, and stays."""
    zone = empty_zone(_foreign(f"x.{APEX}", "A", other, "eu-west-1" if other else ""))
    assert plan(desired(domain=""), zone).hosts == ()


def test_prefix_without_a_latency_region() -> None:
    """A weighted set is foreign, whatever its identifier says."""
    zone = empty_zone(_foreign(f"x.{APEX}", "A", f"{PREFIX}ie-1"))
    assert plan(desired(domain=""), zone).hosts == ()


@pytest.mark.parametrize(
    ("foreign", "reason"),
    [
        (("CNAME", "", ""), "a foreign CNAME set"),
        (("A", "", ""), "a foreign A set"),
        (("A", "blue", ""), "a foreign A set"),
        (("A", "other/ie-1", "eu-west-1"), "a foreign A set"),
    ],
)
def test_name_that_a_foreign_set_takes(foreign: tuple[str, str, str], reason: str) -> None:
    """That host alone is refused, loudly; the others converge."""
    zone = empty_zone(_foreign(host("b"), *foreign))
    work = plan(desired("abc"), zone)
    assert set(_symbols(work)) == {host("a"), host("c"), _EDGE}
    assert work.held == ()
    assert work.refused == (Refusal(host=host("b"), key="", reason=f"the name carries {reason}"),)


def test_foreign_set_of_another_type() -> None:
    """TXT and MX stand beside; AAAA too, while every box has an IPv4 address."""
    sets = [_foreign(host("a"), kind) for kind in ("TXT", "MX", "AAAA")]
    assert plan(desired("a"), empty_zone(*sets)).refused == ()


def test_foreign_cname_at_one_of_a_hundred() -> None:
    """99 hosts are created and one is refused by name."""
    labels = [f"h{index}" for index in range(100)]
    work = plan(desired(labels), empty_zone(_foreign(host("h7"), "CNAME")))
    assert len(work.hosts) == 99 + 1  # and the edge host
    assert [refusal.host for refusal in work.refused] == [host("h7")]


def test_foreign_cname_at_the_edge_host() -> None:
    """The synthetic host is refused like any other."""
    work = plan(desired("a"), empty_zone(_foreign(_EDGE, "CNAME")))
    assert [refusal.host for refusal in work.refused] == [_EDGE]


@pytest.mark.parametrize("name", ["a.other.org", "xexample.com", APEX])
def test_host_outside_the_zone(name: str) -> None:
    """Neither another zone's names nor the apex can be steered here."""
    work = plan(desired(hosts=()).model_copy(update={"hosts": (name,)}), empty_zone())
    assert name not in _symbols(work)
    assert work.refused[0].reason == "outside the zone example.com, or its apex"


def test_apps_domain_outside_the_zone() -> None:
    """Its edge host is refused, and says so."""
    work = plan(desired(domain="other.org"), empty_zone())
    assert [refusal.host for refusal in work.refused] == ["edge.other.org"]


def test_foreign_set_appears_at_a_live_host() -> None:
    """The refused host keeps what it has: a refusal is not a withdrawal."""
    zone = converged(desired("ab", [IE]))
    taken = replace(zone, sets=(*zone.sets, _foreign(host("a"), "A", "other/uk", UK.region)))
    work = plan(desired("ab"), taken)
    assert work.held == (host("a"),)
    assert host("a") not in _symbols(work)


def _held(zone: LiveZone, *edges: Edge) -> str:
    wanted = desired("b", edges, held=(host("a"),))
    work = plan(wanted, zone)
    assert work.held == (host("a"),)
    assert plan(wanted, applied(zone, work)).empty
    return _symbols(work).get(host("a"), "")


def test_held_host() -> None:
    """Nothing is added: the new box gets no set."""
    assert _held(converged(desired("ab", [IE])), IE, UK) == ""


def test_held_host_whose_box_retires() -> None:
    """The retired box's set goes, the others stay."""
    assert _held(converged(desired("ab")), IE, UK) == "--"


def test_held_host_whose_box_has_another_address() -> None:
    """That set goes: it leads to an address that is not the box's any more."""
    moved = IE.model_copy(update={"address": "99.81.104.9"})
    assert _held(converged(desired("ab")), moved, AU, UK, US) == "-"


def test_held_host_whose_box_moves() -> None:
    """Box and address are as they were: the set stays, with its old region."""
    moved = IE.model_copy(update={"region": "eu-central-1"})
    assert _held(converged(desired("ab")), moved, AU, UK, US) == ""


@pytest.mark.parametrize("edges", [[], [UK]])
def test_held_host_whose_last_box_retires(edges: list[Edge]) -> None:
    """Its last set stays, and with it the check."""
    zone = converged(desired("a", [IE], domain=""))
    assert _held(zone, *edges) == ""
    assert plan(desired("", edges, held=(host("a"),)), zone).sweeps == ()


def test_held_host_of_two_types() -> None:
    """The last set of each type stays: no resolver is left without an answer."""
    six = edge("us-6", US.region, "2600:1f18::1")
    assert _held(converged(desired("ab", [IE, UK, six])), IE, UK) == ""


def test_held_name_without_live_sets() -> None:
    """There is nothing to keep: it is refused and not held."""
    assert plan(desired("b", held=(host("a"),)), empty_zone()).held == ()


def test_frozen_name() -> None:
    """A host whose change Route 53 refused stays as it is, and so do its checks."""
    zone = converged(desired("ab", [IE]))
    work = plan(desired("b", [UK]), zone, frozenset({host("a")}))
    assert set(_symbols(work)) == {host("b"), _EDGE}
    assert work.sweeps == ()


def test_new_prefix() -> None:
    """Sets under the old one are foreign now, so their hosts are refused, not doubled."""
    zone = converged(desired("a"))
    work = plan(desired("a", prefix="new/"), zone)
    assert work.hosts == ()
    assert {refusal.host for refusal in work.refused} == {host("a"), _EDGE}


def test_reports_of_a_plan() -> None:
    """It names hosts and boxes that answer, and those that stand by."""
    second = edge("uk-2", UK.region, "18.130.0.2")
    work = plan(desired("a", [*FOUR, second]), empty_zone())
    assert work.names == (host("a"), _EDGE)
    assert (work.serving, work.standby) == (FOUR, (second,))
