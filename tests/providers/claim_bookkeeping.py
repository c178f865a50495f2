"""What must hold of a host's claim, whatever happens: the bookkeeping of `claim_world`.

It is independent of what is tested: it looks at the platform, which knows what it did, and at each
commit at the very moment that it counts.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis.stateful import RuleBasedStateMachine, invariant

from control.claims import Completed
from providers.claim_ports import Permit, Retirement
from providers.claimed_install import ClaimedInstall
from providers.claimed_retire import ClaimedRetire
from tests.providers.claim_platform import Platform
from tests.providers.claim_process import Process
from tests.support.claim_box import FakeBox, FakeRow
from tests.support.claim_fakes import installer, retirer
from tests.support.claim_samples import HOST, KEY


class Bookkeeping(RuleBasedStateMachine):
    """Who may have the host. `install` and `retire` are the programs that processes run."""

    def __init__(self) -> None:
        super().__init__()
        self.platform = Platform()
        self.boxes = self.platform.boxes
        self.processes: list[Process] = []
        self.installed = ("", 0)
        self.gone = dict.fromkeys(self.boxes, 0)
        self.expected: dict[str, str | None] = dict.fromkeys(self.boxes)
        for name, box in self.boxes.items():
            box.on_commit = self._audit(name)

    def install(self, box: FakeBox) -> ClaimedInstall:
        return installer(box)

    def retire(self, box: FakeBox) -> ClaimedRetire:
        return retirer(box)

    @invariant()
    def one_executes(self) -> None:
        """At most one box has a row that is ready, and lets people in."""
        lost = self.platform.claim.lost
        ready = [
            name
            for name, box in self.boxes.items()
            if HOST in box.rows and not box.rows[HOST].hold and not box.fences and name not in lost
        ]
        assert len(ready) <= 1, f"both execute: {ready}"

    @invariant()
    def rows_stay(self) -> None:
        """No row comes, goes or is held but by what was committed."""
        for name, box in self.boxes.items():
            row = box.rows.get(HOST)
            assert (row.hold if row else None) == self.expected[name]

    def check_end(self) -> None:
        claim = self.platform.claim
        assert claim.holder
        for name, box in self.boxes.items():
            wanted = name == claim.op.exec and KEY in self.platform.world.etags
            if wanted:
                assert box.rows[HOST].ownership.stamp == claim.holder.stamp
                assert not box.rows[HOST].hold
            else:
                assert HOST not in box.rows

    def box_of(self, whose: str) -> FakeBox:
        serving = self.platform.claim.op.exec
        return self.boxes[serving if whose == "serving" else self.platform.other(serving)]

    def job_of(self, box: FakeBox) -> Callable[[FakeBox], None] | None:
        """What the program would do on a box as things are."""
        if KEY in self.platform.world.etags:
            selected = self.platform.selected
            return lambda twin: self.install(twin).install(selected, twin.write)
        row = box.rows.get(HOST)
        if row is None:
            return None
        owned = row.ownership
        going = Retirement(HOST, KEY, "sidecar", owned.incarnation, owned.stamp, row.hold)
        return lambda twin: self.retire(twin).retire(going, twin.remove)

    def put(self, name: str, hold: str) -> None:
        box = self.boxes[name]
        box.rows[HOST] = FakeRow(box.rows[HOST].ownership, hold)
        self.expected[name] = hold

    def blame(self) -> None:
        for process in self.processes:
            if isinstance(process.error, AssertionError):
                raise process.error

    def _audit(self, name: str) -> Callable[[str, FakeRow | None, Permit], None]:
        """Look at every commit at the moment that it counts."""

        def audit(what: str, new: FakeRow | None, permit: Permit) -> None:
            stamp, row = permit.ownership.stamp, self.boxes[name].rows.get(HOST)
            self.expected[name] = new.hold if new else None
            if what == "hold":
                assert row, "a hold mints no row"
                assert new
                assert row.hold in {"", new.hold}, "the hold was somebody else's"
                assert new.hold in self._holding(name), f"held for {new.hold}"
                return
            assert self._entitled(name), f"{what} on {name} under {self.platform.claim}"
            if what == "remove":
                self.gone[name] = stamp
                return
            box, last = self.installed
            assert last < stamp or box == name, f"{box} installed since, under {last}"
            assert self.gone[name] < stamp, "a row that went is back"
            self.installed = (name, stamp)

        return audit

    def _entitled(self, name: str) -> bool:
        """Whether a box has the host, or still has it: nobody else can have it yet."""
        platform, claim = self.platform, self.platform.claim
        if name in claim.lost:
            return platform.quiet
        releasing = claim.op.phase == "releasing" and not self.boxes[name].fences
        return claim.op.exec == name and (platform.serves or releasing)

    def _holding(self, name: str) -> set[str]:
        """The operations that a box may hold its row for, or that were called off just now."""
        claim, off = self.platform.claim, self.platform.unholds
        under_way = {claim.op.id} if claim.op.phase else set()
        done = {claim.completed.op} if isinstance(claim.completed, Completed) else set()
        return {*under_way, *done, *(op for box, op in off if box == name)}
