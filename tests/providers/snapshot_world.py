"""Boxes, a bucket, and everything that happens to them, as a state machine for Hypothesis.

Its own bookkeeping is independent of what is tested: it knows what each machine's registry has
held, and what was current when. Machines of one name are a box and its standby, or a twin.
"""

from __future__ import annotations

import random
import shutil
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import timedelta

from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)

from control.errors import ControlError
from control.snapshot_keys import current_key, generation_prefix, generations
from control.writes import Upload
from operate.errors import OperateError
from operate.restore import Order, put_in_place
from providers.errors import ApplyFailed, GuardRefused
from registry.errors import RegistryError
from registry.verify import verify_file
from tests.support.fake_store import READS, WRITES, Call, Crashed, FakeStore, Fault
from tests.support.snapshots import Machine, machine, quick_folder
from tests.support.steps import Steps, counted

BOXES = ("a1", "b2")
MACHINES_PER_BOX = 3
ROWS = ("r0", "r1", "r2")
STRAYS = ("0.db", "README", "00000000T000000Z.db")
FAULTS = ("crash", "crash after", "down", "lost", "again", "busy")
JUMPS = [timedelta(days=days) for days in (-3650, -1, 0, 1, 3650)] + [timedelta(minutes=-1)]
LONGEST = 20
"""Steps of one history."""

# A row there goes, one that is missing comes.
_TOGGLE = {
    row: (
        f"UPDATE routes SET canary = 1 WHERE slug = '{row}'",  # noqa: S608
        f"INSERT OR IGNORE INTO routes (host, slug) VALUES ('{row}', '{row}')",  # noqa: S608
        f"DELETE FROM routes WHERE slug = '{row}' AND canary = 1",  # noqa: S608
    )
    for row in ROWS
}

_machines = st.integers(0, 2 * MACHINES_PER_BOX - 1)
_boxes = st.sampled_from(BOXES)
_steps, _writes = st.integers(0, 70), st.integers(0, 13)
_faults = st.sampled_from(FAULTS)


@dataclass(eq=False)
class Actor:
    """A machine and what is known of it from outside.

    ``knows`` counts the current snapshots of its box up to the one that it wrote or was restored
    from; ``had`` are the fingerprints that its registry had, ``content`` that before a restore.
    ``down`` says that its registry is not there: a restore came to no end.
    """

    machine: Machine
    knows: int
    had: set[str] = field(default_factory=set)
    content: str = ""
    down: bool = False


class SnapshotWorld(RuleBasedStateMachine):
    """Two boxes, one bucket."""

    def __init__(self) -> None:
        super().__init__()
        self.closing = ExitStack()
        self.folder = self.closing.enter_context(quick_folder())
        self.steps = Steps()
        self.closing.enter_context(counted(self.steps))
        self.store = FakeStore(faults=self.steps.store, on_write=self._written)
        self.currents: dict[str, list[Upload]] = {box: [] for box in BOXES}
        self.damaged: set[str] = set()
        self.actors: list[Actor] = []
        self.acting: Actor | None = None

    def teardown(self) -> None:
        try:
            for box in BOXES:
                self._check_restore(box)
        finally:
            self.closing.close()

    @initialize()
    def begin(self) -> None:
        for box in BOXES:
            for stray in STRAYS:
                self.store.place(generation_prefix(box) + stray, b"stray")
            self._boot(box, ROWS[:1])

    # What happens to machines.

    @rule(which=_machines, row=st.sampled_from(ROWS))
    def toggle_row(self, which: int, row: str) -> None:
        """Add a row, or take it out: contents come back."""
        if not self._pick(which).down:
            self._pick(which).machine.sql(*_TOGGLE[row])

    @rule(which=_machines, jump=st.sampled_from(JUMPS))
    def clock_jumps(self, which: int, jump: timedelta) -> None:
        self._pick(which).machine.now += jump

    @rule(box=_boxes, rows=st.sampled_from([(), ROWS[:1], ROWS]))
    def standby_boots(self, box: str, rows: tuple[str, ...]) -> None:
        """A machine of the box's name, with a registry of its own."""
        self._boot(box, rows)

    @rule(which=_machines)
    def twin_boots(self, which: int) -> None:
        """A machine from a copy of another one's disk."""
        one = self._pick(which)
        if not one.down:
            path = self.folder / f"twin-{len(list(self.folder.iterdir()))}.db"
            one.machine.sql("PRAGMA wal_checkpoint(TRUNCATE)")
            shutil.copyfile(one.machine.registry, path)
            self._join(Actor(one.machine.twin(path), one.knows, set(one.had)))

    @rule(box=_boxes)
    def snapshot_rots(self, box: str) -> None:
        """The current snapshot loses its end, on the store's disk."""
        if current := self.store.objects.get(current_key(box)):
            self.store.place(current_key(box), current[0][:-1000], current[1])
            self.damaged.add(box)

    # What they do.

    @rule(which=_machines)
    def pass_runs(self, which: int) -> None:
        """Nothing fails: who goes on from what is current is not refused, and all is whole."""
        actor = self._pick(which)
        if actor.down:
            return
        box, fresh = actor.machine.box, self._goes_on(actor)
        if self._pass(actor) == "refused":
            assert not fresh, "a healthy box was refused its own next snapshot"
            return
        live = actor.machine.fingerprint
        assert _name(self.currents[box][-1]) == live == actor.machine.meta.fingerprint
        self._check_unchanged(actor)

    @rule(which=_machines, at=_steps, kind=_faults)
    def pass_fails(self, which: int, at: int, kind: str) -> None:
        """One of its calls fails, or the machine goes down there."""
        self._failing_pass(which, at, kind, writing=False)

    @rule(which=_machines, at=_writes, kind=_faults)
    def pass_fails_at_a_write(self, which: int, at: int, kind: str) -> None:
        """The same, at one of the few calls that write something."""
        self._failing_pass(which, at, kind, writing=True)

    def _failing_pass(self, which: int, at: int, kind: str, *, writing: bool) -> None:
        actor = self._pick(which)
        if not actor.down:
            self.steps.arm(at, kind, writing=writing)
            self._pass(actor)
            self._check_restore(actor.machine.box)

    @rule(which=_machines, other=_machines, at=st.integers(0, 8))
    def passes_race(self, which: int, other: int, at: int) -> None:
        """Another machine's whole pass comes in between, at one of its calls of the store."""
        actor, rival = self._pick(which), self._pick(other)
        if actor.down or rival.down or actor is rival:
            return
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

    @rule(which=_machines)
    def restore_runs(self, which: int) -> None:
        """The operator puts its box's snapshot in place."""
        actor = self._pick(which)
        if self.currents[actor.machine.box]:
            self._restore(actor)

    @rule(which=_machines, at=_steps, kind=st.sampled_from(("crash", "crash after", "down")))
    def restore_fails(self, which: int, at: int, kind: str) -> None:
        """It ends part of the way; the old registry is there, or none, or the new one."""
        actor = self._pick(which)
        if self.currents[actor.machine.box]:
            actor.content = "" if actor.down else actor.machine.fingerprint
            self.steps.arm(at, kind)
            self._restore(actor)

    # What must hold.

    def _written(self, upload: Upload) -> None:
        """Nobody's content is overwritten by one that never had it; fathers make one line."""
        for box in BOXES:
            if upload.key == current_key(box):
                self._current_written(box, upload)

    def _current_written(self, box: str, upload: Upload) -> None:
        actor, line = self.acting, self.currents[box]
        assert actor is not None
        assert actor.machine.box == box
        father = _name(line[-1]) if line else ""
        assert actor.knows == len(line) or father in {*actor.had, _name(upload)}
        assert upload.metadata.get("parent", "") == father
        line.append(upload)
        actor.knows = len(line)
        self.damaged.discard(box)

    def _check_unchanged(self, actor: Actor) -> None:
        self.store.calls.clear()
        assert actor.machine.decided().plan.empty
        assert self.store.counted(WRITES) == 0
        assert self.store.counted(READS) == 2

    def _check_deletions(self) -> None:
        """Only the lexically oldest generation, and only where there were more than eight."""
        for key, there in self.store.deleted:
            box = key.split("/")[2]
            found = generations(box, there)
            assert len(found.keys) > 8
            assert key == found.keys[0]
        self.store.deleted.clear()
        for box in BOXES:
            assert all(generation_prefix(box) + stray in self.store.objects for stray in STRAYS)

    def _check_restore(self, box: str) -> None:
        """What is restored is the content that became current last."""
        if not self.currents[box]:
            return
        target = self.folder / "drill.db"
        probe = Actor(Machine(self.store, target, box), 0)
        self._restore(probe)
        assert probe.knows == len(self.currents[box])
        target.unlink()

    def _expected(self, box: str) -> set[str]:
        """The fingerprints that a restore may bring."""
        newest = _name(self.currents[box][-1])
        kept = generations(box, self.store.keys(generation_prefix(box))).keys
        at_hand = {self.store.objects[key][1]["fingerprint"] for key in kept}
        if box not in self.damaged or newest in at_hand:
            return {newest}
        return at_hand

    # How it is done.

    def _boot(self, box: str, rows: tuple[str, ...]) -> None:
        made = machine(self.folder, *rows, store=self.store, box=box)
        self._join(Actor(made, 0))

    def _join(self, actor: Actor) -> None:
        mine = [each for each in self.actors if each.machine.box == actor.machine.box]
        if len(mine) == MACHINES_PER_BOX:
            self.actors.remove(mine[0])
        self.actors.append(actor)

    def _pick(self, which: int) -> Actor:
        return self.actors[which % len(self.actors)]

    def _goes_on(self, actor: Actor) -> bool:
        line = self.currents[actor.machine.box]
        same = line and _name(line[-1]) == actor.machine.fingerprint
        return actor.knows == len(line) or bool(same)

    def _pass(self, actor: Actor) -> str:
        """Run a pass: done, refused, failed or ended. The registry's content stays as it is."""
        before = self._content(actor)
        actor.had.add(before)
        self.acting = actor
        outcome = self._attempt(actor)
        self.steps.arm(None, "")
        assert self._content(actor) == before
        line = self.currents[actor.machine.box]
        if outcome == "done" and line and _name(line[-1]) == before:
            actor.knows = len(line)
        self._check_deletions()
        return outcome

    def _attempt(self, actor: Actor) -> str:
        try:
            actor.machine.pass_()
        except Crashed:
            return "ended"
        except ApplyFailed:
            return "failed"
        except GuardRefused:
            return "refused"
        return "done"

    def _content(self, actor: Actor) -> str:
        armed, self.steps.at = self.steps.at, None
        try:
            return actor.machine.fingerprint
        finally:
            self.steps.arm(armed, self.steps.kind, writing=self.steps.writing)

    def _restore(self, actor: Actor) -> None:
        box, target = actor.machine.box, actor.machine.registry
        order = Order("control", box, target, replace=True, now=actor.machine.now, new_id="line-0")
        faulty, expected = self.steps.at is not None, self._expected(box)
        try:
            put_in_place(self.store, order)
            done = True
        except (Crashed, ControlError, OperateError, RegistryError):
            done = False
        self.steps.arm(None, "")
        assert done or faulty or not expected
        assert not done or verify_file(target).fingerprint in expected
        self._look_at_what_is_there(actor)

    def _look_at_what_is_there(self, actor: Actor) -> None:
        """After a restore, at its end or not: the new registry, the old one or none."""
        line = self.currents[actor.machine.box]
        actor.down = not actor.machine.registry.exists()
        if actor.down:
            return
        found = verify_file(actor.machine.registry)
        if found.lineage and found.lineage.pending == "" and found.lineage.last == _name(line[-1]):
            actor.knows, actor.had = len(line), {found.fingerprint}
        else:
            assert found.fingerprint == actor.content


def _name(upload: Upload) -> str:
    return upload.metadata["fingerprint"]


def explore(examples: int, number: int) -> None:
    """Run that many random histories from a seed, which tells them all."""
    chosen = settings(
        max_examples=examples,
        stateful_step_count=LONGEST,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )
    world = type("SnapshotWorld", (SnapshotWorld,), {})
    run_state_machine_as_test(seed(number)(world), settings=chosen)


def fresh_seed() -> int:
    """Return a seed never used before, and print it."""
    number = random.randrange(2**32)
    print(f"snapshot world: seed {number}")  # noqa: T201
    return number
