"""Simple sets of others that become latency sets of ours: which, when, and what is said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from folds.changes import Plan
from folds.desired import Desired, Refusal
from folds.report import headline
from folds.steering import plan
from folds.summary import removed_names
from folds.waves import first_wave
from folds.zone import LiveSet
from tests.folds.model import (
    APEX,
    AU,
    IE,
    UK,
    US,
    applied,
    converged,
    desired,
    edge,
    empty_zone,
    host,
    names_of,
    simple,
    summary_of,
)

A = host("a")
SIX = edge("us-6", US.region, "2600:1f18::1")


def _wanted(*edges: Any, adopt: tuple[str, ...] = (A,), **more: Any) -> Desired:
    return desired("ab", edges or (IE, UK), "", adopt=adopt, **more)


def _changes(work: Plan, name: str = A) -> list[str]:
    changes = [change for each in work.hosts if each.name == name for change in each.changes]
    return [f"{change.symbol} {change.key[1]} {change.key[2]}".strip() for change in changes]


def _adopted(work: Plan) -> list[str]:
    return [f"{each.name} {each.type}" for each in work.adopted]


def test_simple_set_of_one_box() -> None:
    """It goes and every box's latency set comes, in one host's change; then nothing is left."""
    zone = empty_zone(simple(A, IE.address))
    work = plan(_wanted(), zone)
    assert _changes(work) == [
        "- A",
        "+ A carlos-steering/ie-1",
        "+ A carlos-steering/uk-1",
    ]
    after = applied(zone, work)
    assert names_of(after)[A] == ["ie-1", "uk-1"]
    assert plan(_wanted(), after).empty


@pytest.mark.parametrize(
    "values", [(IE.address,), (UK.address, IE.address), (IE.address, UK.address, US.address)]
)
def test_values_of_several_boxes(values: tuple[str, ...]) -> None:
    """Each has to be the address of an armed box, however many there are."""
    work = plan(_wanted(), empty_zone(simple(A, *values)))
    assert bool(work.adopted) is (US.address not in values)


def test_address_of_a_box_that_stands_by() -> None:
    """It is armed, so the name leads nowhere new; the box that serves answers from now on."""
    second = edge("ie-2", IE.region, "99.81.104.2")
    work = plan(_wanted(IE, second), empty_zone(simple(A, second.address)))
    assert [each.box for each in work.standby] == ["ie-2"]
    assert _changes(work) == ["- A", "+ A carlos-steering/ie-1"]


def test_one_type_is_simple_and_the_other_is_new() -> None:
    """The A set goes, A and AAAA sets come."""
    work = plan(_wanted(IE, SIX), empty_zone(simple(A, IE.address)))
    assert _changes(work) == ["- A", "+ A carlos-steering/ie-1", "+ AAAA carlos-steering/us-6"]


def test_both_types_are_simple() -> None:
    """Both go at once."""
    zone = empty_zone(simple(A, IE.address), simple(A, SIX.address))
    work = plan(_wanted(IE, SIX), zone)
    assert _adopted(work) == [f"{A} A", f"{A} AAAA"]
    assert names_of(applied(zone, work))[A] == ["ie-1", "us-6"]


def test_one_type_is_simple_and_the_other_is_ours() -> None:
    """What is ours stays as it is."""
    zone = converged(desired("ab", [SIX], ""), simple(A, IE.address))
    assert _changes(plan(_wanted(IE, SIX), zone)) == ["- A", "+ A carlos-steering/ie-1"]


def test_edge_host() -> None:
    """It is adopted like any other."""
    name = f"edge.{APEX}"
    wanted = desired("a", [IE], adopt=(name,))
    assert _adopted(plan(wanted, empty_zone(simple(name, IE.address)))) == [f"{name} A"]


def test_name_that_is_not_listed() -> None:
    """It is refused as ever, and its set stays."""
    zone = empty_zone(simple(A, IE.address), simple(host("b"), IE.address))
    work = plan(_wanted(), zone)
    assert _adopted(work) == [f"{A} A"]
    assert work.refused == (
        Refusal(host=host("b"), key="", reason="the name carries a foreign A set"),
    )


def test_name_that_is_adopted_already() -> None:
    """Nothing is said of it, nor of one that never had a set of others."""
    done = plan(_wanted(), converged(_wanted()))
    assert (done.empty, done.refused) == (True, ())
    assert plan(_wanted(), empty_zone()).refused == ()


def test_other_types_beside() -> None:
    """They are not in the way, and stay."""
    text = LiveSet(A, "TXT", ttl=300, values=('"x"',))
    zone = empty_zone(simple(A, IE.address), text)
    assert text in applied(zone, plan(_wanted(), zone)).sets


@pytest.mark.parametrize(
    ("sets", "reason"),
    [
        (
            [simple(A, "192.0.2.9")],
            "foreign A set; not adopted: its A set answers 192.0.2.9, which is no address of an"
            " armed box",
        ),
        (
            [simple(A, IE.address, "192.0.2.9")],
            "foreign A set; not adopted: its A set answers 192.0.2.9, which is no address of an"
            " armed box",
        ),
        (
            [LiveSet(A, "A")],
            "foreign A set; not adopted: its A set is an alias",
        ),
        (
            [replace(simple(A, IE.address), type="CNAME")],
            "foreign CNAME set; not adopted: its CNAME set leads to another name",
        ),
        (
            [replace(simple(A, IE.address), set_identifier="blue")],
            "foreign A set; not adopted: its A set blue has a routing policy",
        ),
        (
            [replace(simple(A, IE.address), set_identifier="new\n/ie-1", region="eu-west-1")],
            r"foreign A set; not adopted: its A set new\n/ie-1 has a routing policy",
        ),
        (
            [simple(A, IE.address), simple(A, "2600:1f18::9")],
            "foreign A set; not adopted: its AAAA set answers 2600:1f18::9, which is no address of"
            " an armed box",
        ),
    ],
)
def test_name_that_cannot_be_adopted(sets: list[LiveSet], reason: str) -> None:
    """It is refused as without the setting, with the reason; it is adopted whole or not at all."""
    zone = empty_zone(*sets)
    work = plan(_wanted(), zone)
    assert work.refused == (Refusal(host=A, key="", reason=f"the name carries a {reason}"),)
    assert not work.adopted
    assert work.hosts == plan(_wanted(adopt=()), zone).hosts


def test_set_that_is_not_in_the_way() -> None:
    """No box has an address of its type: the host converges beside it, and a line says why."""
    zone = empty_zone(simple(A, "2600:1f18::9"))
    work = plan(_wanted(), zone)
    assert work.names == (A, host("b"))
    (refusal,) = work.refused
    assert refusal.reason.startswith("not adopted: its AAAA set answers 2600:1f18::9, which is no")


@pytest.mark.parametrize("more", [{}, {"held": (host("x"),)}, {"withdrawn": (host("x"),)}])
def test_name_that_nothing_steers(more: dict[str, Any]) -> None:
    """Its set stays, and a line says so: a record has to ask for it first."""
    zone = empty_zone(simple(host("x"), IE.address))
    work = plan(_wanted(adopt=(host("x"),), **more), zone)
    assert work.refused == (
        Refusal(host=host("x"), key="", reason="not adopted: no record steers it"),
    )
    assert not work.adopted


def test_apex() -> None:
    """It is never steered, and so never adopted, whatever is ours there."""
    ours = LiveSet(APEX, "AAAA", "carlos-steering/us-6", US.region, 60, (SIX.address,))
    wanted = _wanted(adopt=(APEX,)).model_copy(update={"hosts": (APEX,)})
    work = plan(wanted, empty_zone(simple(APEX, IE.address), ours))
    assert (work.adopted, work.held) == ((), (APEX,))


def test_no_box_is_armed() -> None:
    """Then nothing could take its place."""
    wanted = desired("a", [], "", adopt=(A,))
    assert not plan(wanted, empty_zone(simple(A, IE.address))).adopted


def test_frozen_name() -> None:
    """A host whose change Route 53 refused keeps its simple set."""
    assert not plan(_wanted(), empty_zone(simple(A, IE.address)), frozenset({A})).adopted


def test_no_room_for_all_checks() -> None:
    """The set stays until every box has its check: a name is never left with some of them."""
    zone = empty_zone(simple(A, IE.address))
    wave = first_wave(plan(_wanted(), zone), 0, 1)
    assert len(wave.creations) == 1
    assert (wave.hosts, wave.adopted) == ((), ())


def test_lines() -> None:
    """What goes stands first, with its values and TTL; no identifier is shown as it is."""
    old = replace(simple(A, UK.address, IE.address, ttl=3600), health_check_id="c 1")
    work = plan(_wanted(), empty_zone(old))
    assert work.lines[:2] == (
        f"- {A} A (simple) 18.130.0.1,99.81.104.1 ttl=3600 check=c%201 (adopted)",
        f"+ {A} A carlos-steering/ie-1 eu-west-1 99.81.104.1 ttl=60",
    )
    assert removed_names(work.lines) == work.removals == {(A, "A", "")}
    assert headline(work, 0) == (
        "+4 ~0 -1 of 0 record sets, 2 hosts; +2 ~0 -0 health checks; 1 simple set adopted"
    )


def test_what_the_guards_read() -> None:
    """The set to the letter; it is no removal of ours, and nothing is repointed."""
    old = replace(simple(A, UK.address, IE.address, ttl=3600), health_check_id="c1")
    summary = summary_of(_wanted(), empty_zone(old))
    (found,) = summary.adopted
    assert found.model_dump(mode="json") == {
        "name": A,
        "type": "A",
        "values": [UK.address, IE.address],
        "ttl": 3600,
        "health_check": "c1",
    }
    assert (summary.managed, summary.shrinking, summary.repointed) == (0, (), 0)


def test_quotas() -> None:
    """What goes makes room in the zone, and its values count in the host's one batch."""
    zone = empty_zone(simple(A, IE.address, UK.address), simple(host("z"), "192.0.2.9"))
    summary = summary_of(_wanted(), zone)
    assert (summary.additions, summary.zone_after) == (4, 2 - 1 + 4)
    many = [edge(f"b-{n}", f"region-{n}", f"3.80.{n // 250}.{n % 250 + 1}") for n in range(600)]
    crowded = summary_of(_wanted(*many), empty_zone(simple(A, *(each.address for each in many))))
    assert crowded.crowded[0].values == 1200


def test_end() -> None:
    """It holds the names to adopt that converge: adopted already or not, in any order."""
    names = (A, host("b"), host("x"))
    zone = empty_zone(simple(A, IE.address), simple(host("b"), IE.address))
    wanted = _wanted(adopt=names)
    end = summary_of(wanted, zone).end
    assert summary_of(wanted, applied(zone, plan(wanted, zone))).end == end
    assert summary_of(_wanted(adopt=names[:2]), zone).end == end
    assert summary_of(_wanted(adopt=names[:1]), zone).end != end
    taken = empty_zone(simple(A, IE.address), simple(host("b"), "192.0.2.9"))
    assert summary_of(wanted, taken).end != end


def test_zone_in_another_order() -> None:
    """The same plan, and the same summary."""
    sets = [simple(A, IE.address), simple(A, SIX.address), simple(host("b"), UK.address)]
    wanted = _wanted(IE, UK, SIX, AU, adopt=(A, host("b")))
    ways = [empty_zone(*sets), empty_zone(*reversed(sets))]
    assert plan(wanted, ways[0]) == plan(wanted, ways[1])
    assert summary_of(wanted, ways[0]) == summary_of(wanted, ways[1])
