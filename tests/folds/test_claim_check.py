from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from control.claims import Claim, Holder
from folds.claim_check import check
from folds.claims import Chosen, Place, Refused, choices
from providers.claim_ports import Selection
from tests.support import claim_samples as samples
from tests.support.claim_samples import (
    AU,
    HOLDER,
    IE,
    INSTANT,
    NOW,
    SELECTED,
    UK,
    UNREADABLE,
)


def asked(
    claim: Claim | None,
    place: Place = IE,
    chosen: Chosen | None = None,
    selected: Selection = SELECTED,
) -> object:
    return check(claim, selected, place, chosen, NOW)


def chosen_for(claim: Claim, place: Place = IE, *, closed: bool = False) -> Chosen:
    found = choices(claim, place)
    assert not isinstance(found, Refused)
    chosen = found[closed]
    assert chosen
    return chosen


def changed(reason: str) -> Refused:
    return Refused("changed", reason)


@pytest.mark.behaviour(162)
@pytest.mark.parametrize(
    ("claim", "place", "selected", "said"),
    [
        (samples.serving(), replace(IE, box=""), SELECTED, "the box is not known"),
        (samples.serving(), replace(IE, region=""), SELECTED, "the region is not known"),
        (
            samples.serving(),
            replace(IE, box="", region=""),
            replace(SELECTED, etag=""),
            "the box and region and ETag of the record is not known",
        ),
        (None, IE, SELECTED, "there is no claim"),
        (replace(samples.serving(), holder=None), IE, SELECTED, "its claim has no holder"),
    ],
)
def test_claim_that_cannot_be_asked(
    claim: Claim | None, place: Place, selected: Selection, said: str
) -> None:
    """Without box, region, ETag, claim or holder there is nothing to compare: unsupported."""
    assert asked(claim, place, selected=selected) == Refused("unsupported", said)


def other(**fields: str | int) -> Claim:
    known = {name: getattr(HOLDER, name) for name in ("key", "incarnation", "family", "stamp")}
    return replace(samples.serving(), holder=Holder(**{**known, **fields}))


@pytest.mark.behaviour(163)
@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (
            replace(samples.serving(), host="x.eleven.bab.sidecar.internal"),
            'its claim is for host "x.eleven.bab.sidecar.internal",'
            f' the record\'s is "{SELECTED.host}"',
        ),
        (
            other(key=SELECTED.key.upper()),
            f'its claim is for key "{SELECTED.key.upper()}", the record\'s is "{SELECTED.key}"',
        ),
        (
            other(incarnation="01J7"),
            'its claim is for incarnation "01J7", the record\'s is "01J8"',
        ),
        (other(stamp=0), "its claim has the stamp 0: nobody took it yet"),
    ],
)
def test_claim_of_another_record(claim: Claim, said: str) -> None:
    """Another host, key or incarnation is not "free", and says what differs."""
    assert asked(claim) == changed(said)


@pytest.mark.behaviour(163)
def test_claim_of_another_family() -> None:
    """No move of a host brings one about, so it is told apart, whatever else differs."""
    said = 'its claim is for family "instance", the record\'s is "sidecar"'

    assert asked(other(family="instance", key="k")) == Refused("misfiled", said)


def test_incarnation_that_is_empty_on_both_sides() -> None:
    """Records from before incarnations have none, and neither has their claim."""
    old = replace(SELECTED, incarnation="")

    assert asked(other(incarnation=""), selected=old) == "local"
    assert asked(samples.serving(), selected=old) != "local"


@pytest.mark.behaviour(164)
@pytest.mark.behaviour(165)
def test_catch_up_claim_without_its_decision() -> None:
    """The reader and the inventory carry none, and are refused; the very same decision passes."""
    claim = samples.completed()
    chosen = chosen_for(claim)
    refused = changed("serving on uk-1")

    assert asked(claim) == refused
    assert asked(claim, chosen=replace(chosen, hold_only=False)) == refused
    assert asked(claim, chosen=chosen_for(samples.relocating("installing"))) == refused
    assert asked(claim, chosen=chosen) == "held"


@pytest.mark.behaviour(153)
def test_completion_that_cannot_be_read() -> None:
    """It is refused as unreadable."""
    said = asked(replace(samples.completed(), completed=UNREADABLE))

    assert isinstance(said, Refused)
    assert said.kind == "unreadable"


@pytest.mark.behaviour(166)
def test_claim_that_another_box_serves() -> None:
    """The serving path's error comes back."""
    assert asked(samples.serving("uk-1")) == changed("serving on uk-1")
    assert asked(samples.moving()) == changed('in an operation "moving" on ie-1')


@pytest.mark.behaviour(167)
@pytest.mark.parametrize("lost", ["ie-1"])
def test_relocating_claim_of_a_lost_box(lost: str) -> None:
    """A row that retires is neither installed nor held."""
    claim = replace(samples.relocating(), lost=(lost,))

    said = changed("relocating ie-1 to uk-1, releasing")
    assert asked(claim, chosen=chosen_for(claim)) == said


@pytest.mark.behaviour(168)
@pytest.mark.parametrize(
    ("claim", "place"),
    [
        (samples.relocating(), IE),
        (samples.relocating("installing"), UK),
        (samples.relocating("installing", executor="ie-1"), IE),
    ],
)
def test_relocating_claim_on_another_path_than_a_hold(claim: Claim, place: Place) -> None:
    """It is refused before a write, even where the row may stay ready."""
    said = changed(chosen_for(claim, place).reason)

    assert not chosen_for(claim, place).hold_only
    assert asked(claim, place, chosen_for(claim, place)) == said


@pytest.mark.parametrize("place", [IE, UK, AU])
@pytest.mark.parametrize("phase", ["releasing", "installing", "settling"])
def test_relocating_claim_without_a_decision(phase: str, place: Place) -> None:
    """What carries no decision, as the activation's reader, never passes."""
    said = changed(f"relocating ie-1 to uk-1, {phase}")

    assert asked(samples.relocating(phase), place) == said


@pytest.mark.parametrize(
    ("claim", "place", "closed"),
    [
        (samples.relocating(), IE, True),
        (samples.relocating("installing"), IE, False),
        (samples.relocating("installing"), AU, False),
        (samples.relocating(), UK, False),
    ],
)
def test_relocating_claim_that_is_held(claim: Claim, place: Place, *, closed: bool) -> None:
    """What comes next is the check of what is to be held."""
    assert asked(claim, place, chosen_for(claim, place, closed=closed)) == "held"


@pytest.mark.parametrize(
    "now_is",
    [
        samples.serving(),
        samples.serving("uk-1"),
        samples.moving(),
        replace(
            samples.relocating("installing"),
            op=replace(samples.relocating("installing").op, id="op-43"),
        ),
    ],
)
def test_decision_of_another_claim(now_is: Claim) -> None:
    """A hold that was decided on passes only while the claim still decides it."""
    held = chosen_for(samples.relocating("installing"))

    assert isinstance(asked(now_is, chosen=held), Refused)


def test_hold_while_the_phase_moves_on() -> None:
    """The operation is the same, and so is the hold."""
    held = chosen_for(samples.relocating(), closed=True)

    assert asked(samples.relocating("installing"), chosen=held) == "held"


@pytest.mark.behaviour(169)
@pytest.mark.parametrize("region", ["ie", ""])
def test_quiet_region(region: str) -> None:
    """Up to and at the time nothing is installed; one instant later it is."""
    at = samples.quiet(samples.serving(), NOW, region)
    before = samples.quiet(samples.serving(), NOW + timedelta(minutes=5), region)

    quiet = "serving on ie-1, and nothing is installed in region ie up to 2026-09-07T10:0"
    assert asked(at) == changed(f"{quiet}0:00Z")
    assert asked(before) == changed(f"{quiet}5:00Z")
    assert asked(samples.quiet(samples.serving(), NOW - INSTANT, region)) == "local"


def test_quiet_time_that_cannot_be_read() -> None:
    """It is refused as unreadable where it counts, and nowhere else."""
    claim = replace(samples.serving(), quiet_after=UNREADABLE)

    said = Refused("unreadable", f"its claim cannot be used: {UNREADABLE.reason}")
    assert asked(claim) == said
    assert asked(replace(claim, op=samples.serving("uk-1").op)) == changed("serving on uk-1")


@pytest.mark.behaviour(170)
@pytest.mark.parametrize("claim", [samples.completed(), samples.relocating("installing")])
def test_hold_in_a_quiet_region(claim: Claim) -> None:
    """To hold is not to install, whether or not the time can be read."""
    chosen = chosen_for(claim)

    assert asked(samples.quiet(claim, NOW), chosen=chosen) == "held"
    assert asked(replace(claim, quiet_after=UNREADABLE), chosen=chosen) == "held"


@pytest.mark.behaviour(172)
def test_claim_that_is_served_here() -> None:
    """What comes next is the check of this box's own state, region availability on or off."""
    assert asked(samples.serving()) == "local"
    assert asked(samples.serving(), replace(IE, region_ha=False)) == "local"


def test_order() -> None:
    """What is not there, then who, then what is being done, then when."""
    wrong = replace(samples.quiet(other(key="x", stamp=0), NOW), op=samples.moving().op)
    steps = [
        asked(wrong, selected=replace(SELECTED, etag="")),
        asked(wrong),
        asked(replace(wrong, holder=replace(HOLDER, stamp=0))),
        asked(replace(wrong, holder=HOLDER)),
        asked(replace(wrong, holder=HOLDER, op=samples.serving().op)),
    ]

    reasons = [step.reason.split()[:3] for step in steps if isinstance(step, Refused)]
    assert [words[-1] for words in reasons] == ["of", "is", "has", "operation", "ie-1,"]
