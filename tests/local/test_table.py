"""The table of what is live."""

from __future__ import annotations

import random
from dataclasses import replace
from textwrap import dedent

from folds.checks import owner
from folds.desired import Edge, Refusal
from folds.zone import LiveCheck, LiveSet, LiveZone
from local.table import Outcome, render

PREFIX = "carlos-steering/"
IE, UK = ("ie-1", "eu-west-1", "192.0.2.1"), ("uk-1", "eu-west-2", "192.0.2.2")


def live_set(name: str, place: tuple[str, str, str], check: str) -> LiveSet:
    box, region, address = place
    kind = "AAAA" if ":" in address else "A"
    return LiveSet(name, kind, PREFIX + box, region, 60, (address,), check)


def check(identity: str, address: str, reference: str = "fairlead/elsewhere/1/1") -> LiveCheck:
    return LiveCheck(identity, reference, 1, "HTTPS", address, 443, "/")


ZONE = LiveZone(
    "Z1",
    "example.com",
    (
        LiveSet("example.com", "MX", ttl=300, values=("10 mail.example.net.",)),
        live_set("b.example.com", UK, "c2"),
        live_set("b.example.com", IE, "c1"),
        live_set("a.example.com", IE, "c1"),
    ),
    (check("c2", "192.0.2.2"), check("c1", "192.0.2.1"), check("c9", "192.0.2.9")),
)
NOTHING = Outcome(PREFIX, (), (), (), ())


def test_who_answers_where() -> None:
    """Hosts by name, regions by name; a check is shown once, under its number."""
    expected = """\
        host           eu-west-1          eu-west-2
        a.example.com  ie-1 192.0.2.1 #1  -
        b.example.com  ie-1 192.0.2.1 #1  uk-1 192.0.2.2 #2

        check  address    health check                              id
        #1     192.0.2.1  HTTPS port 443 /  every 30 s, 3 failures  c1
        #2     192.0.2.2  HTTPS port 443 /  every 30 s, 3 failures  c2"""
    assert render(ZONE, NOTHING) == dedent(expected)


def test_what_is_left_out_and_why() -> None:
    """Refused, held and standing by come below, one line each with the reason."""
    outcome = Outcome(
        PREFIX,
        serving=(Edge(box="ie-1", region="eu-west-1", address="192.0.2.1"),),
        standby=(Edge(box="ie-2", region="eu-west-1", address="192.0.2.5"),),
        refused=(Refusal(host="*.example.com", key="k", reason="a wildcard"),),
        held=("h.example.com",),
    )
    _, _, left_out = render(ZONE, outcome).split("\n\n")
    lines = left_out.splitlines()
    assert lines[0] == "refused: *.example.com (k): a wildcard"
    assert lines[1].startswith("held: h.example.com: ")
    assert lines[2].startswith("standby: ie-2 (192.0.2.5): ie-1 answers in eu-west-1")


def test_shuffled_zone_gives_the_same_text() -> None:
    """The order of what was read does not matter."""
    shuffler = random.Random(7)
    for _ in range(5):
        sets, checks = list(ZONE.sets), list(ZONE.checks)
        shuffler.shuffle(sets)
        shuffler.shuffle(checks)
        mixed = replace(ZONE, sets=tuple(sets), checks=tuple(checks))
        assert render(mixed, NOTHING) == render(ZONE, NOTHING)


def test_check_of_a_standby_is_shown() -> None:
    """A check that is ours is shown though no set refers to it yet; a foreign one is not."""
    ours = check("c5", "192.0.2.5", owner("Z1", PREFIX) + "x/1")
    text = render(replace(ZONE, checks=(*ZONE.checks, ours)), NOTHING)
    assert "#3     192.0.2.5" in text
    assert "192.0.2.9" not in text


def test_two_families_share_a_cell() -> None:
    """An A and an AAAA set of one region stand side by side."""
    six = live_set("a.example.com", ("ie-6", "eu-west-1", "2001:db8::1"), "c6")
    zone = replace(ZONE, sets=(*ZONE.sets, six), checks=(*ZONE.checks, check("c6", "2001:db8::1")))
    assert "ie-1 192.0.2.1 #1 / ie-6 2001:db8::1 #3" in render(zone, NOTHING)


def test_set_without_a_live_check_says_so() -> None:
    """A set whose check is gone does not look checked."""
    bare = replace(ZONE, checks=())
    assert "ie-1 192.0.2.1 no check" in render(bare, NOTHING)


def test_text_of_others_is_escaped() -> None:
    """A name with a terminal escape in it stays one harmless cell."""
    odd = live_set("\x1b[31m.example.com", IE, "c1")
    text = render(replace(ZONE, sets=(odd,)), NOTHING)
    assert "\\x1b[31m.example.com" in text
    assert text.isascii()
    assert "\x1b" not in text


def test_empty_zone_has_words_for_it() -> None:
    """Nothing live and nothing left out is said in words, not shown as empty headings."""
    assert render(LiveZone("Z1", "example.com", (), ()), NOTHING) == "nothing is managed here"
