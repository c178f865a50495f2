from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone
from itertools import product

import pytest

from control.claims import Claim, Completed, Obligation, Op
from folds.claims import (
    Chosen,
    Place,
    Refused,
    RowDecision,
    choices,
    completed_hold,
    quiet_until,
    relocation_row,
    serving,
)
from tests.support import claim_samples as samples
from tests.support.claim_samples import AU, IE, NOW, UK, UNREADABLE

READY, NONE, RETIRING = RowDecision("ready"), RowDecision("none"), RowDecision("retiring")
HELD, CAUGHT_UP = RowDecision("held", "op-41"), RowDecision("retiring", "op-41")
LATER = ("installing", "settling", "releasing ", "RELEASING")

# (phase, role, is there a row, is the fence closed) -> decision, for a box that is not lost.
TABLE = {
    **{("releasing", "source", row, False): READY for row in (False, True)},
    **{("releasing", "source", row, True): HELD for row in (False, True)},
    **{
        (phase, "source", row, fence): HELD
        for phase, row, fence in product(LATER, (False, True), (False, True))
    },
    **{
        (phase, role, row, fence): HELD if row else NONE
        for phase, role, row, fence in product(
            ("releasing", *LATER), ("target", "other"), (False, True), (False, True)
        )
    },
}
EVERY = dict(samples.every_claim())
BOXES = {"source": "ie-1", "target": "uk-1", "other": "au-1"}


def without_ha(place: Place) -> Place:
    return replace(place, region_ha=False)


@pytest.mark.parametrize("lost", [(), ("zz-1",), ("ie-1", "uk-1", "au-1")])
@pytest.mark.parametrize(("phase", "role", "has_row", "closed"), TABLE)
def test_row_while_its_host_relocates(
    phase: str, role: str, *, has_row: bool, closed: bool, lost: tuple[str, ...]
) -> None:
    """Every phase, role, row, fence and loss; only the source in releasing looks at the fence."""
    claim = replace(samples.relocating(phase), lost=lost)
    decided = relocation_row(claim, BOXES[role], has_row=has_row, fence_closed=closed)

    expected = TABLE[phase, role, has_row, closed]
    assert decided == (RETIRING if BOXES[role] in lost else expected)


def test_table_is_whole() -> None:
    """No combination is left out."""
    assert len(TABLE) == 5 * 3 * 2 * 2


@pytest.mark.behaviour(158)
@pytest.mark.parametrize(("name", "claim"), EVERY.items())
@pytest.mark.parametrize("place", [IE, UK, AU, without_ha(IE), replace(IE, box="")])
def test_fence_that_matters(name: str, claim: Claim, place: Place) -> None:
    """Both answers differ for the source in releasing alone, and only then is it worth a look."""
    matters = place == IE and name in {"releasing", "releasing by ie-1"}

    found = choices(claim, place)
    assert isinstance(found, Refused) or (found[0] != found[1]) == matters


def test_source_in_releasing() -> None:
    """An open fence leaves the row ready; a closed one holds it, and says so."""
    found = choices(samples.relocating(), IE)

    relocating = "relocating ie-1 to uk-1, releasing, fence"
    assert found == (
        Chosen(READY, hold_only=False, reason=f"{relocating} open", fence_closed=False),
        Chosen(HELD, hold_only=True, reason=f"{relocating} closed", fence_closed=True),
    )


@pytest.mark.behaviour(177)
@pytest.mark.parametrize("place", [IE, AU])
def test_held_row_that_another_box_executes(place: Place) -> None:
    """It is held and nothing else is done, whatever the fence."""
    reason = "relocating ie-1 to uk-1, installing"
    hold = Chosen(HELD, hold_only=True, reason=reason)

    assert choices(samples.relocating("installing"), place) == (hold, hold)


@pytest.mark.behaviour(178)
@pytest.mark.parametrize("place", [IE, UK])
def test_held_row_that_this_box_executes(place: Place) -> None:
    """With a fence that nobody saw closed it is not hold-only, so it is refused."""
    found = choices(samples.relocating("installing", executor=place.box), place)

    assert not isinstance(found, Refused)
    assert [(each.row, each.hold_only) for each in found if each] == [(HELD, False)] * 2


@pytest.mark.behaviour(151)
@pytest.mark.parametrize("claim", [samples.moving(), samples.serving(), samples.serving("uk-1")])
def test_operation_that_does_not_relocate(claim: Claim) -> None:
    """A move is decided by the serving path, region availability on or off."""
    assert choices(claim, IE) == (None, None)


@pytest.mark.behaviour(150)
@pytest.mark.parametrize(("name", "claim"), EVERY.items())
def test_claim_without_region_availability(name: str, claim: Claim) -> None:
    """The serving path decides all of them, and there is no hold."""
    assert choices(claim, without_ha(IE)) == (None, None), name


@pytest.mark.behaviour(166)
@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (samples.serving("uk-1"), "serving on uk-1"),
        (samples.serving(""), "serving on no box"),
        (samples.moving(), 'in an operation "moving" on ie-1'),
        (samples.relocating(), "relocating ie-1 to uk-1, releasing"),
        (samples.relocating("installing"), "relocating ie-1 to uk-1, installing"),
        (replace(samples.serving(), op=Op("", "")), 'in an operation "" on no box'),
        (replace(samples.serving(), lost=("ie-1",)), "serving on ie-1, which is given up as lost"),
        (
            replace(samples.serving(), op=Op("x", "\x1b[31m" + "y" * 300, "##[error]")),
            f'in an operation "\\x1b[31m{"y" * 192}..." on #\\x23[error]',
        ),
    ],
)
def test_claim_that_this_box_does_not_serve(claim: Claim, said: str) -> None:
    """It is refused as changed, and says in whose hands the host is."""
    assert serving(claim, "ie-1") == Refused("changed", said)


def test_claim_that_this_box_serves() -> None:
    """Nothing speaks against it; what others lost does not matter."""
    assert serving(replace(samples.serving(), lost=("uk-1",)), "ie-1") is None


@pytest.mark.behaviour(156)
def test_relocation_completed_elsewhere() -> None:
    """A box that still owes to park keeps its row, retiring, held for the completed operation."""
    claim = samples.completed()
    hold = Chosen(CAUGHT_UP, hold_only=True, reason="relocated, serving on uk-1")

    assert completed_hold(claim, IE) == CAUGHT_UP
    assert choices(claim, IE) == (hold, hold)


@pytest.mark.behaviour(152)
@pytest.mark.parametrize(
    ("claim", "place"),
    [
        (samples.completed(), without_ha(IE)),
        (replace(samples.completed(), holder=None), IE),
        (samples.completed(owes=""), replace(IE, box="")),
        (replace(samples.completed(), op=samples.moving("uk-1").op), IE),
        (replace(samples.completed(), op=samples.relocating().op), IE),
        (replace(samples.completed(), op=Op("", "", "uk-1")), IE),
        (samples.completed(owes="uk-1"), UK),
        (replace(samples.completed(), lost=("ie-1",)), IE),
    ],
)
@pytest.mark.parametrize("unreadable", [False, True])
def test_claim_out_of_the_catch_up(claim: Claim, place: Place, *, unreadable: bool) -> None:
    """Each condition is needed; without one the completion record is not even looked at."""
    asked = replace(claim, completed=UNREADABLE) if unreadable else claim

    assert completed_hold(asked, place) is None


@pytest.mark.behaviour(153)
@pytest.mark.parametrize(
    "claim",
    [
        replace(samples.completed(), completed=UNREADABLE),
        replace(samples.completed(), obligations=UNREADABLE),
    ],
)
def test_completion_that_cannot_be_read(claim: Claim) -> None:
    """It is an error where it is needed, never "no completion"."""
    said = Refused("unreadable", f"its claim cannot be used: {UNREADABLE.reason}")

    assert completed_hold(claim, IE) == said
    assert choices(claim, IE) == said


@pytest.mark.behaviour(154)
def test_relocation_completed_here() -> None:
    """A box on which it ended holds nothing for it, whatever it owes."""
    claim = replace(samples.completed(), completed=Completed("op-41", "ie-1"))

    assert completed_hold(claim, IE) is None


@pytest.mark.behaviour(155)
@pytest.mark.parametrize(
    "owed",
    [
        (),
        (Obligation("park-local", "au-1", "op-41"),),
        (Obligation("park-local", "ie-1", "op-40"),),
        (Obligation("park-remote", "ie-1", "op-41"),),
    ],
)
@pytest.mark.behaviour(157)
def test_relocation_that_this_box_owes_nothing_for(owed: tuple[Obligation, ...]) -> None:
    """Without exactly that obligation the ordinary serving path decides."""
    assert choices(replace(samples.completed(), obligations=owed), IE) == (None, None)


def test_relocation_that_never_completed() -> None:
    """Obligations without a completion hold nothing, and need not be readable."""
    claim = replace(samples.completed(), completed=None, obligations=UNREADABLE)

    assert completed_hold(claim, IE) is None


@pytest.mark.parametrize(
    ("times", "place", "until"),
    [
        ({}, IE, None),
        ({"ie": NOW}, IE, NOW),
        ({"": NOW}, IE, NOW),
        ({"": NOW}, UK, None),
        ({"uk": NOW}, IE, None),
        ({"": NOW.replace(year=2027), "ie": NOW}, IE, NOW),
        ({"ie": datetime(1, 1, 1, tzinfo=timezone.utc)}, IE, None),
    ],
)
def test_quiet_time(times: dict[str, datetime], place: Place, until: datetime | None) -> None:
    """The region's own, else the home's, which is written without a name; Go's zero is none."""
    claim = replace(samples.serving(), quiet_after=tuple(sorted(times.items())))

    assert quiet_until(claim, place) == until


def test_quiet_time_that_cannot_be_read() -> None:
    """It is no "none"."""
    assert quiet_until(replace(samples.serving(), quiet_after=UNREADABLE), IE) == UNREADABLE
