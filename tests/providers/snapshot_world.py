"""Boxes, a bucket, and everything that happens to them, as a state machine for Hypothesis.

Its own bookkeeping is independent of what is tested: it knows what each machine's registry has
held, and what was current when. Machines of one name are a box and its standby, or a twin.
"""

from __future__ import annotations

from datetime import timedelta

from hypothesis import strategies as st
from hypothesis.stateful import (
    initialize,
    rule,
)

from control.snapshot_keys import current_key, generation_prefix, generations
from tests.providers.snapshot_actors import (
    BOXES,
    FAULTS,
    JUMPS,
    ROWS,
    SOME_ROWS,
    STRAYS,
    WHERE,
    WHICH,
)
from tests.providers.snapshot_bookkeeping import Bookkeeping, name_of
from tests.support.fake_store import Call, Fault


class SnapshotWorld(Bookkeeping):
    """Two boxes, one bucket."""

    @initialize()
    def begin(self) -> None:
        """Each box has a snapshot, as many generations as stay, and keys of somebody else's."""
        for key in [generation_prefix(box) + stray for box in BOXES for stray in STRAYS]:
            self.store.place(key, b"stray")
        for box in BOXES:
            self._pass(self._boot(box, ROWS[:1]))
            (upload,) = self.currents[box]
            for day in range(1, 8):
                key = f"{generation_prefix(box)}2026090{day}T000000Z.db"
                self.store.place(key, upload.data, upload.metadata)

    @rule(which=WHICH, rows=SOME_ROWS)
    def pass_runs(self, which: int, rows: list[str]) -> None:
        """Nothing fails: who goes on from what is current is not refused, and all is whole."""
        actor = self._changed(which, rows)
        if actor.down:
            return
        fresh = self._goes_on(actor)
        if self._pass(actor) == "refused":
            assert not fresh, "a healthy box was refused its own next snapshot"
            return
        self._check_done(actor, fresh=fresh)
        self._check_unchanged(actor)

    @rule(
        which=WHICH, rows=SOME_ROWS, where=WHERE, kind=st.sampled_from(FAULTS), back=st.booleans()
    )
    def pass_fails(
        self, which: int, rows: list[str], where: tuple[int, bool], kind: str, *, back: bool
    ) -> None:
        """One of its calls fails, or the machine goes down there; the change may be taken back."""
        actor = self._changed(which, rows)
        if actor.down:
            return
        self.steps.arm(where[0], kind, writing=where[1])
        self._pass(actor)
        self._check_restore(actor.machine.box)
        if back:
            self.pass_runs(which, rows)

    @rule(which=WHICH, rows=SOME_ROWS, others=SOME_ROWS, at=st.integers(0, 12))
    def passes_race(self, which: int, rows: list[str], others: list[str], at: int) -> None:
        """A twin's whole pass comes in between, at one of its calls of the store."""
        rival = self._twin(self._pick(which))
        actor = self._changed(which, rows)
        if actor.down or rival is None:
            return
        self._toggle(rival, others)
        left = iter([None] * at)

        def meanwhile() -> None:
            self.store.faults = self.steps.store
            self._pass(rival)
            self.acting = actor

        def fault(_: Call) -> Fault | None:
            return None if next(left, meanwhile) is None else Fault("race", meanwhile)

        self.store.faults = fault
        self._pass(actor)
        self.store.faults = self.steps.store
        self._join(rival)

    @rule(which=WHICH, rots=st.integers(0, 2), rows=SOME_ROWS)
    def restore_runs(self, which: int, rots: int, rows: list[str]) -> None:
        """The operator puts its box's snapshot in place, which may have lost its end.

        So may have the generation of the same content. Then the box goes on.
        """
        actor = self._pick(which)
        box = actor.machine.box
        newest = name_of(self.currents[box][-1])
        kept = generations(box, self.store.keys(generation_prefix(box))).keys
        same = [key for key in kept if self.store.objects[key][1]["fingerprint"] == newest]
        for key in [current_key(box), *same][: rots * 2]:
            data, told = self.store.objects[key]
            self.store.place(key, data[:-1000], told)
            self.damaged.add(key)
        self._restore(actor)
        self.pass_runs(which, rows)

    @rule(
        which=WHICH, at=st.integers(0, 70), kind=st.sampled_from(("crash", "crash after", "down"))
    )
    def restore_fails(self, which: int, at: int, kind: str) -> None:
        """It ends part of the way; the old registry is there, or none, or the new one."""
        actor = self._pick(which)
        actor.content = "" if actor.down else actor.machine.fingerprint
        self.steps.arm(at, kind)
        self._restore(actor)

    @rule(box=st.sampled_from(BOXES), rows=st.sampled_from([(), ROWS[:1], ROWS]))
    def standby_boots(self, box: str, rows: tuple[str, ...]) -> None:
        """A machine of the box's name, with a registry of its own."""
        self._boot(box, rows)

    @rule(which=WHICH)
    def twin_boots(self, which: int) -> None:
        """A machine from a copy of another one's disk."""
        if twin := self._twin(self._pick(which)):
            self._join(twin)

    @rule(which=WHICH, jump=st.sampled_from(JUMPS))
    def clock_jumps(self, which: int, jump: timedelta) -> None:
        """A machine's clock goes wrong, or is set right."""
        self._pick(which).machine.now += jump

    # What must hold.
