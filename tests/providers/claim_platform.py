"""A small model of the platform: it moves one host's claim between two boxes, and parks rows.

It knows what it did, and nothing of how Fairlead decides. What it does on a box it does under the
host's lock, as its own programs do: it waits while a process of the box has the lock.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count

from control.claims import Claim, Completed, Obligation, Op
from providers.claim_ports import Selection
from tests.support.claim_box import FakeBox, FakeRow, World
from tests.support.claim_samples import HOLDER, HOST, IE, INSTANT, KEY, SELECTED, UK

WINDOW = timedelta(minutes=5)
"""How long a region stays quiet after a box was given up: longer than anybody's commit takes."""


@dataclass
class Platform:
    """One host, which ie-1 serves first; ``unholds`` are holds of operations that are off."""

    world: World = field(default_factory=World)
    unholds: set[tuple[str, str]] = field(default_factory=set)
    numbers: count[int] = field(default_factory=lambda: count(41))

    def __post_init__(self) -> None:
        self.boxes = {place.box: FakeBox(self.world, place) for place in (IE, UK)}
        self.incarnation = 8
        self.claim = Claim(HOST, HOLDER, Op("op-40", "serving", "ie-1"))

    @property
    def claim(self) -> Claim:
        """The claim as it is."""
        return self.world.claims[HOST]

    @claim.setter
    def claim(self, claim: Claim) -> None:
        self.world.claims[HOST] = claim

    @property
    def source(self) -> FakeBox:
        """The box that serves, or the one that the host leaves."""
        return self.boxes[self.claim.op.source or self.claim.op.exec]

    @property
    def serves(self) -> bool:
        """Whether nothing is under way."""
        return self.claim.op.kind == "serving"

    def other(self, box: str) -> str:
        """The other box's name."""
        return next(name for name in self.boxes if name != box)

    def free(self, box: FakeBox) -> bool:
        """Whether no process of the box has the host's lock."""
        return HOST not in box.locks

    def new_op(self) -> str:
        return f"op-{next(self.numbers)}"

    def stamped(self) -> Claim:
        """The claim with its next stamp."""
        holder = self.claim.holder
        assert holder
        return replace(self.claim, holder=replace(holder, stamp=holder.stamp + 1))

    @property
    def quiet(self) -> bool:
        """Whether nobody may take over yet from a box that was given up."""
        times = self.claim.quiet_after
        assert isinstance(times, tuple)
        return all(self.world.now <= until for _, until in times)

    def begin(self) -> None:
        """Ask for the host to leave the box that serves."""
        here = self.claim.op.exec
        there = self.other(here)
        if self.serves and not self.claim.lost and self._settled():
            op = Op(self.new_op(), "relocating", here, "releasing", here, there)
            self.claim = replace(self.claim, op=op, completed=None)

    def _settled(self) -> bool:
        return not self.claim.obligations and not self.unholds

    def relocate(self) -> None:
        """All of a relocation at once, while others sleep."""
        self.begin()
        for _ in range(3):
            self.go_on()

    def go_on(self) -> None:
        """Close the source's fence; hand over to the target; let it serve."""
        op, source = self.claim.op, self.source
        if op.phase == "releasing" and op.id not in source.fences:
            if self.free(source):
                source.fences.add(op.id)
        elif op.phase == "releasing":
            moved = replace(op, phase="installing", exec=op.target)
            self.claim = replace(self.stamped(), op=moved)
        elif op.phase == "installing":
            self.claim = replace(
                self.claim,
                op=Op(self.new_op(), "serving", op.target),
                completed=Completed(op.id, op.target),
                obligations=(Obligation("park-local", op.source, op.id),),
            )

    def abort(self) -> None:
        """Call a relocation off: the source serves again, and lets people in."""
        op, source = self.claim.op, self.source
        if op.kind == "relocating" and self.free(source):
            self.claim = replace(self.stamped(), op=Op(self.new_op(), "serving", op.source))
            source.fences.discard(op.id)
            self.unholds |= {(box, op.id) for box in self.boxes}

    def lose(self) -> None:
        """Give the source up: the other box serves, once its region was quiet for a while."""
        op, lost = self.claim.op, self.source.place
        if self.claim.lost or not self._settled():
            return
        there = self.boxes[self.other(lost.box)].place
        self.unholds |= {(box, op.id) for box in self.boxes} if op.phase else set()
        new = self.new_op()
        self.claim = replace(
            self.stamped(),
            op=Op(new, "serving", there.box),
            lost=(lost.box,),
            quiet_after=((there.region, self.world.now + WINDOW),),
            obligations=(Obligation("park-local", lost.box, new),),
        )

    def park(self, box: FakeBox) -> FakeRow | None:
        """Do what a box owes: its row goes, and it is no longer lost. Return the row that went."""
        owed = self.claim.obligations
        assert isinstance(owed, tuple)
        mine = [each for each in owed if each.box == box.place.box]
        row = box.rows.get(HOST)
        if not mine or not self.free(box) or (row and row.hold == "by hand"):
            return None
        gone = box.rows.pop(HOST, None)
        box.inventories.pop(HOST, None)
        box.fences.clear()
        self.unholds -= {each for each in self.unholds if each[0] == box.place.box}
        left = tuple(each for each in owed if each not in mine)
        lost = tuple(each for each in self.claim.lost if each != box.place.box)
        self.claim = replace(self.claim, obligations=left, lost=lost)
        return gone

    def unhold(self) -> None:
        """Take away the holds of operations that are off."""
        for name, op in sorted(self.unholds):
            box = self.boxes[name]
            if self.free(box):
                row = box.rows.get(HOST)
                if row and row.hold == op:
                    box.rows[HOST] = replace(row, hold="")
                self.unholds.discard((name, op))

    def wait(self) -> None:
        """Let a quiet window pass."""
        self.world.now += WINDOW + INSTANT

    def forget_record(self) -> None:
        """Delete the record: its row is to go."""
        self.world.etags.clear()

    def write_record(self) -> None:
        """Write the record anew, as another incarnation, under a stamp of its own."""
        if KEY in self.world.etags or not self.serves:
            return
        self.incarnation += 1
        claim = self.stamped()
        assert claim.holder
        holder = replace(claim.holder, incarnation=f"01J{self.incarnation}")
        self.world.etags[KEY] = f'"e{self.incarnation}"'
        self.claim = replace(claim, holder=holder)

    @property
    def selected(self) -> Selection:
        """The record as it asks for the host now."""
        etag, incarnation = self.world.etags[KEY], f"01J{self.incarnation}"
        return replace(SELECTED, etag=etag, incarnation=incarnation)
