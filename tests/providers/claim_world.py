"""Two boxes, their processes and the platform, as a state machine for Hypothesis.

A process may sleep before any call of a port, while the claim moves and others run; it may end or
fail there, and an answer may be lost. One thing is taken for granted: nobody sleeps between his
last look and the end of his transaction for longer than a region stays quiet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from tests.providers.claim_bookkeeping import Bookkeeping
from tests.providers.claim_process import Order, Process
from tests.support.claim_samples import HOST

AT_ONCE = 2
Move: TypeAlias = tuple[str, str]
BOXES = st.sampled_from(["ie-1", "uk-1"])
WHOSE = st.sampled_from(["serving", "serving", "other"])
SOME = st.lists(WHOSE, min_size=1, max_size=2)
ALONE = st.sampled_from([True, True, False])
WHICH = st.integers(0, AT_ONCE - 1)
SLEEPS = st.sampled_from(
    [
        *("claims.read", "record.check", "fence.closed", "guard.activate", "activation.written"),
        *("guard.capture", "inventory.record", "work.run", "work.run", "guard.locked", "write"),
        *("guard.retire", "remove", "holds.hold", "last_look.read", "commit", "commit"),
    ]
)
MOVES: st.SearchStrategy[Move] = st.tuples(
    st.sampled_from(
        [
            *("begin", "go_on", "go_on", "relocate", "relocate", "abort", "lose", "lose", "wait"),
            *("settle", "settle", "park", "forget_record", "write_record", "hold by hand"),
        ]
    ),
    BOXES,
)
SOME_MOVES = st.lists(MOVES, min_size=1, max_size=3)
ORDERS: st.SearchStrategy[Order] = st.sampled_from(
    ["go", "go", "go", "go", "failure", "lost", "crash", "crash after"]
)


class ClaimWorld(Bookkeeping):
    """One host, two boxes."""

    @initialize()
    def begin(self) -> None:
        """The host is installed on ie-1."""
        self.start("serving", "commit", "go")
        self.finish(0)

    @rule(whose=WHOSE, until=SLEEPS, order=ORDERS)
    def start(self, whose: str, until: str, order: Order) -> None:
        """Begin what is to be done on a box, and sleep on the way, perhaps after a mishap."""
        self.processes = [each for each in self.processes if not each.over]
        box = self.box_of(whose)
        if not (job := self.job_of(box)):
            self.platform.write_record()
        if job and len(self.processes) < AT_ONCE:
            process = Process(box, job)
            self.processes.append(process)
            while not process.over and process.at != until:
                process.go()
            if order != "go":
                process.go(order)
        self.blame()

    @precondition(lambda self: self.processes)
    @rule(which=WHICH, order=ORDERS)
    def step(self, which: int, order: Order) -> None:
        """Wake up for one step."""
        self.processes[which % len(self.processes)].go(order)
        self.blame()

    @precondition(lambda self: self.processes)
    @rule(which=WHICH)
    def finish(self, which: int) -> None:
        """Wake up, and go on to the end."""
        self.processes[which % len(self.processes)].finish()
        self.blame()

    @rule(moves=SOME_MOVES)
    def platform_moves(self, moves: list[Move]) -> None:
        """The platform and its operators do what they can of these."""
        for name, box in moves:
            self._move(name, box)
            self.one_executes()

    @rule(whose=WHOSE, until=SLEEPS, moves=SOME_MOVES, others=SOME, alone=ALONE)
    def sleep(
        self, whose: str, until: str, moves: list[Move], others: list[str], *, alone: bool
    ) -> None:
        """One sleeps on its way, while the claim moves and others run; then it wakes up.

        ``alone``: all others are over before.
        """
        for process in self.processes if alone else ():
            process.finish("crash")
        if alone:
            self._move("settle", "")
        self.start(whose, until, "go")
        sleepers = self.processes[-1:]
        self.platform_moves(moves)
        for other in others:
            self.run(other)
        for sleeper in sleepers:
            sleeper.finish()
        self.blame()

    @rule(whose=WHOSE)
    def run(self, whose: str) -> None:
        """One runs from its start to its end."""
        box = self.box_of(whose)
        if job := self.job_of(box):
            process = Process(box, job)
            process.finish()
            self.processes.append(process)
            self.blame()

    def _move(self, name: str, box: str) -> None:
        moves: dict[str, Callable[[], None]] = {
            "park": lambda: self._park(box),
            "settle": self._settle,
            "hold by hand": lambda: self._hold_by_hand(box),
            "wait": self._wait,
        }
        moves.get(name, getattr(self.platform, name, self._wait))()

    def _wait(self) -> None:
        """Nobody sleeps for that long at the end of a transaction."""
        if not any(each.at == "commit" for each in self.processes):
            self.platform.wait()

    def _park(self, box: str) -> None:
        if self.platform.park(self.boxes[box]):
            self.expected[box] = None

    def _settle(self) -> None:
        """Whoever owes something does it."""
        self._unhold()
        for name, box in self.boxes.items():
            if HOST in box.rows and box.rows[HOST].hold == "by hand":
                self._hold_by_hand(name)
            self._park(name)

    def _unhold(self) -> None:
        before = {name: box.rows.get(HOST) for name, box in self.boxes.items()}
        self.platform.unhold()
        for name, row in before.items():
            if row and self.boxes[name].rows[HOST] != row:
                self.expected[name] = ""

    def _hold_by_hand(self, box: str) -> None:
        """An operator holds a row, or lets it go; not in the middle of a transaction."""
        row = self.boxes[box].rows.get(HOST)
        if row and self.platform.free(self.boxes[box]) and row.hold in ("", "by hand"):
            self.put(box, "" if row.hold else "by hand")

    def teardown(self) -> None:
        """Whatever happened: once all is over, one run on each box ends with what shall be."""
        for process in self.processes:
            process.finish("crash")
        self.blame()
        if self.platform.claim.op.phase == "installing":
            self.platform.go_on()
        self.platform.abort()
        self._settle()
        self._wait()
        for whose in ("serving", "other") * 2:
            self.run(whose)
        self.check_end()
