from __future__ import annotations

from folds.desired import Refusal
from folds.report import LONGEST, headline, listing, remarks
from folds.steering import plan
from tests.folds.model import IE, UK, converged, desired, edge, empty_zone, host


def test_headline_of_records_and_checks() -> None:
    """Additions, replacements, removals, the sets there are, hosts; checks where they change."""
    zone = converged(desired("ab", [IE], domain=""))
    work = plan(desired("bc", [IE], domain=""), zone)
    assert headline(work, 2) == "+1 ~0 -1 of 2 record sets, 2 hosts"
    work = plan(desired("bc", [IE, UK], domain=""), zone)
    assert headline(work, 2) == "+3 ~0 -1 of 2 record sets, 3 hosts; +1 ~0 -0 health checks"


def test_long_listing() -> None:
    """200 lines, then the command that lists the rest."""
    lines = tuple(map(str, range(LONGEST)))
    assert listing(lines, "command").splitlines() == [*lines]
    assert listing((*lines, "x", "y"), "command").splitlines() == [*lines, "and 2 more: command"]


def test_remarks() -> None:
    """What is refused, held or standing by, and why; the name of a nameless record is said."""
    refused = (Refusal(host="", key="apps/bab/x/instances/y.json", reason="not legal"),)
    zone = converged(desired("a", [IE], domain=""))
    second = edge("ie-2", IE.region, "99.81.104.2")
    wanted = desired("", [IE, second], "", refused=refused, held=(host("a"),))
    assert remarks(plan(wanted, zone)) == (
        "refused: (no host) (apps/bab/x/instances/y.json): not legal",
        "held: a.bab.example.com: its record is refused, its live sets stay",
        "standby: ie-2 (99.81.104.2): ie-1 answers in eu-west-1, which takes one A set",
    )


def test_nothing_to_remark() -> None:
    """A plain plan needs no words."""
    assert remarks(plan(desired("a"), empty_zone())) == ()
