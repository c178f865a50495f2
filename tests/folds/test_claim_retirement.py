from __future__ import annotations

from dataclasses import replace

import pytest

from control.claims import Claim
from folds.claim_retirement import may_retire
from folds.claims import Refused
from providers.claim_ports import Retirement
from tests.support import claim_samples as samples
from tests.support.claim_samples import HOLDER, RETIRED

KEYLESS = f"; `carlos remove {RETIRED.host}` removes a row without one"


def asked(claim: Claim | None, row: Retirement = RETIRED) -> object:
    return may_retire(claim, row, "ie-1")


def changed(reason: str) -> Refused:
    return Refused("changed", reason)


@pytest.mark.parametrize(
    "row",
    [
        RETIRED,
        replace(RETIRED, stamp=6),
        replace(RETIRED, stamp=0),
        replace(RETIRED, incarnation="", stamp=0),
        replace(RETIRED, incarnation="01J7", stamp=6),
    ],
)
def test_row_of_the_serving_box(row: Retirement) -> None:
    """It goes, also where it is from before claims, or of an older stamp and incarnation."""
    assert asked(samples.serving(), row) is None


@pytest.mark.parametrize("hold", ["op-41", "operator", "kept by hand", " ", "\x00", "null"])
def test_row_that_is_held(hold: str) -> None:
    """Any word is a hold, and the claim does not matter (a malformed hold is a hold)."""
    said = asked(samples.serving(), replace(RETIRED, hold=hold))

    assert isinstance(said, Refused)
    assert said.reason.startswith('its row is held by "')


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (None, f"there is no claim{KEYLESS}"),
        (replace(samples.serving(), holder=None), f"its claim has no holder{KEYLESS}"),
    ],
)
def test_row_without_a_claim(claim: Claim | None, said: str) -> None:
    """It is unsupported, and the way out is named."""
    assert asked(claim) == Refused("unsupported", said)


@pytest.mark.parametrize("phase", ["releasing", "installing", "settling"])
def test_host_that_relocates(phase: str) -> None:
    """The route is not torn down meanwhile, by whichever box."""
    said = changed(f"relocating ie-1 to uk-1, {phase}")

    assert asked(samples.relocating(phase)) == said
    assert asked(samples.relocating(phase, executor="ie-1")) == said


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (samples.moving(), 'in an operation "moving" on ie-1'),
        (
            samples.serving("uk-1"),
            "serving on uk-1: the obligation to park retires the row here",
        ),
        (
            samples.completed(),
            "serving on uk-1: the obligation to park retires the row here",
        ),
        (
            replace(samples.serving(), lost=("ie-1",)),
            "serving on ie-1, which is given up as lost",
        ),
    ],
)
def test_host_that_this_box_does_not_serve(claim: Claim, said: str) -> None:
    """It keeps the row, and says who retires it."""
    assert asked(claim) == changed(said)


@pytest.mark.parametrize(
    ("claim", "row", "said"),
    [
        (
            replace(samples.serving(), host="x"),
            RETIRED,
            f'its claim is for host "x", the row\'s is "{RETIRED.host}"',
        ),
        (
            replace(samples.serving(), holder=replace(HOLDER, key="k")),
            RETIRED,
            f'its claim is for key "k", the row\'s is "{RETIRED.key}"',
        ),
        (
            samples.serving(),
            replace(RETIRED, incarnation="01J7"),
            'its claim is for incarnation "01J8", the row\'s is "01J7"',
        ),
        (samples.serving(), replace(RETIRED, stamp=8), "its claim has the stamp 7, the row 8"),
        (
            replace(samples.serving(), holder=replace(HOLDER, stamp=0)),
            replace(RETIRED, stamp=0),
            "its claim has the stamp 0, the row 0: nobody took the claim yet",
        ),
    ],
)
def test_claim_of_another_row(claim: Claim, row: Retirement, said: str) -> None:
    """An older stamp or another identity removes nothing."""
    assert asked(claim, row) == changed(said)


def test_claim_of_another_family() -> None:
    """No move of a host brings one about, so it is told apart."""
    other = replace(samples.serving(), holder=replace(HOLDER, family="instance"))
    said = 'its claim is for family "instance", the row\'s is "sidecar"'

    assert asked(other, RETIRED) == Refused("misfiled", said)
