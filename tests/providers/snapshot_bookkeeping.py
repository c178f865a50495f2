"""The bookkeeping of `snapshot_world`: what each registry has held, what was current when."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from contextlib import ExitStack

from hypothesis.stateful import (
    RuleBasedStateMachine,
)

from control.errors import ControlError
from control.snapshot_keys import current_key, generation_prefix, generations
from control.writes import Upload
from operate.errors import OperateError
from operate.restore import Order, put_in_place
from providers.errors import ApplyFailed, GuardRefused
from registry.errors import RegistryError
from registry.verify import verify_file
from tests.providers.snapshot_actors import (
    BOXES,
    MACHINES_PER_BOX,
    STRAYS,
    TOGGLE,
    Actor,
)
from tests.support.fake_store import READS, WRITES, Crashed, FakeStore
from tests.support.snapshots import Machine, machine, quick_folder
from tests.support.steps import Steps, counted


class Bookkeeping(RuleBasedStateMachine):
    """What is known of the bucket and its machines, and what must hold of them."""

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

    def _written(self, upload: Upload) -> None:
        """Nobody's content is overwritten by one that never had it; fathers make one line."""
        self.damaged.discard(upload.key)
        for box in BOXES:
            if upload.key == current_key(box):
                self._current_written(box, upload)

    def _current_written(self, box: str, upload: Upload) -> None:
        actor, line = self.acting, self.currents[box]
        assert actor is not None
        assert actor.machine.box == box
        father = name_of(line[-1]) if line else ""
        assert actor.knows == len(line) or father in {*actor.had, name_of(upload)}
        assert upload.metadata.get("parent", "") == father
        line.append(upload)
        actor.knows = len(line)

    def _check_done(self, actor: Actor, *, fresh: bool) -> None:
        """Current and description hold the actor's content, if it goes on from what is current.

        A copy of another machine's disk does not, where that one ended between its current snapshot
        and the description: the copy is as the description says, and reads no more than that. It
        writes nothing, and is refused once it changes.
        """
        now, line = actor.machine.fingerprint, self.currents[actor.machine.box]
        assert actor.machine.meta.fingerprint == now
        overtaken = not fresh and actor.knows < len(line)
        assert overtaken or name_of(line[-1]) == now

    def _check_unchanged(self, actor: Actor) -> None:
        self.store.calls.clear()
        assert actor.machine.decided().plan.empty
        assert self.store.counted(WRITES) == 0
        assert self.store.counted(READS) == 2

    def _check_deletions(self) -> None:
        """Only the lexically oldest generation, and only where there were more than eight."""
        for key, there in self.store.deleted:
            if key not in there:  # a twin was first
                continue
            box = key.split("/")[2]
            found = generations(box, there)
            assert len(found.keys) > 8
            assert key == found.keys[0]
        self.store.deleted.clear()
        for box in BOXES:
            assert all(generation_prefix(box) + stray in self.store.objects for stray in STRAYS)

    def _check_restore(self, box: str) -> None:
        """What is restored is the content that became current last."""
        target = self.folder / "drill.db"
        probe = Actor(Machine(self.store, target, box), 0)
        self._restore(probe)
        assert probe.knows == len(self.currents[box])
        target.unlink()

    def _expected(self, box: str) -> set[str]:
        """The fingerprints that a restore may bring."""
        newest = name_of(self.currents[box][-1])
        kept = generations(box, self.store.keys(generation_prefix(box))).keys
        whole = [key for key in kept if key not in self.damaged]
        at_hand = {self.store.objects[key][1]["fingerprint"] for key in whole}
        if current_key(box) not in self.damaged or newest in at_hand:
            return {newest}
        return at_hand

    # How it is done.

    def _boot(self, box: str, rows: tuple[str, ...]) -> Actor:
        actor = self._join(Actor(machine(self.folder, store=self.store, box=box), 0))
        self._toggle(actor, rows)
        return actor

    def _join(self, actor: Actor) -> Actor:
        mine = [each for each in self.actors if each.machine.box == actor.machine.box]
        if len(mine) == MACHINES_PER_BOX:
            self.actors.remove(mine[0])
        self.actors.append(actor)
        return actor

    def _twin(self, one: Actor) -> Actor | None:
        if one.down:
            return None
        path = self.folder / f"twin-{len(list(self.folder.iterdir()))}.db"
        one.machine.sql("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copyfile(one.machine.registry, path)
        return Actor(one.machine.twin(path), one.knows, set(one.had))

    def _changed(self, which: int, rows: list[str]) -> Actor:
        actor = self._pick(which)
        if not actor.down:
            self._toggle(actor, rows)
        return actor

    def _toggle(self, actor: Actor, rows: Iterable[str]) -> None:
        for row in rows:
            actor.machine.sql(*TOGGLE[row])

    def _pick(self, which: int) -> Actor:
        return self.actors[which % len(self.actors)]

    def _goes_on(self, actor: Actor) -> bool:
        line = self.currents[actor.machine.box]
        same = line and name_of(line[-1]) == actor.machine.fingerprint
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
        if outcome == "done" and line and name_of(line[-1]) == before:
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
        if (
            found.lineage
            and found.lineage.pending == ""
            and found.lineage.last == name_of(line[-1])
        ):
            actor.knows, actor.had = len(line), {found.fingerprint}
        else:
            assert found.fingerprint == actor.content


def name_of(upload: Upload) -> str:
    return upload.metadata["fingerprint"]
