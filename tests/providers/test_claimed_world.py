"""Random histories of a relocation between two boxes: see `tests.providers.claim_world`."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from providers.claim_ports import Captured, Observed, Permit
from providers.claimed_install import ClaimedInstall
from providers.claimed_retire import ClaimedRetire
from tests.providers.claim_world import ClaimWorld
from tests.support.claim_box import FakeBox
from tests.support.claim_fakes import FakeClaims, FakeGuard, FakeHolds, installer, retirer
from tests.support.claim_samples import HOST

LONGEST = 40


def explore(world: type[ClaimWorld], examples: int, number: int, *phases: Phase) -> None:
    """Run that many histories from a seed, which tells them all."""
    chosen = settings(
        max_examples=examples,
        stateful_step_count=LONGEST,
        deadline=None,
        database=None,
        phases=phases or tuple(Phase),
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )
    run_state_machine_as_test(seed(number)(type("World", (world,), {})), settings=chosen)


@pytest.mark.parametrize("number", range(4))
def test_histories(number: int) -> None:
    """Whoever sleeps, ends or fails wherever: at most one box installs, and all is finished.

    No row is lost or comes back, no hold of somebody else goes, and a run on each box, once all is
    over, ends with what shall be.
    """
    explore(ClaimWorld, 60, number)


class NoLastLook(ClaimWorld):
    """What is read inside the write's transaction is what was read before."""

    def install(self, box: FakeBox) -> ClaimedInstall:
        return replace(installer(box), last_look=Remembered(box, "last_look.read"))


@dataclass
class Remembered(FakeClaims):
    """The claim as it was when the process began."""

    def __post_init__(self) -> None:
        self.seen = self.box.world.read(HOST)

    def read(self, host: str) -> Observed:
        del host
        return self.seen


class NoMark(ClaimWorld):
    """A retirement leaves the activation as it is."""

    def retire(self, box: FakeBox) -> ClaimedRetire:
        return replace(retirer(box), guard=Unmarking(box))


class Unmarking(FakeGuard):
    def retire(self, host: str, captured: Captured) -> None:
        pass


class NoQuiet(ClaimWorld):
    """A region is never quiet."""

    def install(self, box: FakeBox) -> ClaimedInstall:
        return replace(installer(box), region="elsewhere")


class NoCheckOfWhatIsHeld(ClaimWorld):
    """A hold takes the place of anybody else's."""

    def install(self, box: FakeBox) -> ClaimedInstall:
        return replace(installer(box), holds=Grasping(box))


class Grasping(FakeHolds):
    def hold(self, host: str, op: str, permit: Permit) -> None:
        if host in self.box.rows:
            self.box.commit("hold", permit, replace(self.box.rows[host], hold=op))


@pytest.mark.parametrize(
    ("world", "number"), [(NoLastLook, 3), (NoMark, 3), (NoQuiet, 5), (NoCheckOfWhatIsHeld, 5)]
)
def test_program_with_a_fault(world: type[ClaimWorld], number: int) -> None:
    """The histories find each; the seeds are those that find it soon."""
    with pytest.raises(AssertionError):
        explore(world, 400, number, Phase.generate)
