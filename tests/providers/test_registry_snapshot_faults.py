"""A pass that fails or ends at any one of its calls, and what the next one makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import pytest

from providers.errors import ApplyFailed, ProviderError
from tests.support.fake_store import READS, WRITES, Crashed, Fault
from tests.support.snapshots import CURRENT, FIRST, META, SECOND, Machine, machine, quick_folder
from tests.support.steps import CRASHES, STORE_FAULTS, Steps, counted


@dataclass
class Trial:
    """A box that is about to write its second snapshot, again and again from the same state."""

    box: Machine
    steps: Steps

    def __post_init__(self) -> None:
        self.box.pass_()
        self.box.mint("b")
        self._registry = self.box.registry.read_bytes()
        self._kept = deepcopy((self.box.store.objects, self.box.now))

    def attempt(self, at: int | None = None, kind: str = "") -> list[str]:
        """Run the pass, with a fault at one step if one is given; return the steps' names."""
        self._reset()
        self.steps.arm(at, kind)
        try:
            self.box.pass_()
        except (Crashed, ProviderError):
            assert at is not None
        names = [*self.steps.names]
        self.steps.arm(None, "")
        self.box.store.calls.clear()
        return names

    def every(self, kind: str) -> Iterator[str]:
        """Run the pass once for each of its calls, and let that one fail.

        What happens to a store's answers is asked of the store's calls alone.
        """
        for at, name in enumerate(self.attempt()):
            if kind not in ("lost", "again", "busy") or name.partition(" ")[0] in READS | WRITES:
                assert self.attempt(at, kind)[at] == name
                yield f"{kind} at {at}: {name}"

    def ended(self, last: str) -> None:
        """Let the pass end with this step: the last of its name."""
        names = self.attempt()
        self.attempt(len(names) - 1 - names[::-1].index(last), "crash after")

    def puts(self) -> list[str]:
        """Run the pass once more; return the keys that it writes."""
        self.box.pass_()
        return [call.key for call in self.box.store.calls if call.op == "put"]

    def _reset(self) -> None:
        for suffix in ("-wal", "-shm", "-journal"):
            Path(f"{self.box.registry}{suffix}").unlink(missing_ok=True)
        self.box.registry.write_bytes(self._registry)
        self.box.store.objects, self.box.now = deepcopy(self._kept)

    def check_whole(self) -> None:
        """Current, its description and its newest generation are what the registry holds."""
        box = self.box
        assert box.meta.fingerprint == box.fingerprint
        assert box.store.objects[CURRENT][1]["fingerprint"] == box.fingerprint
        assert box.decided().plan.empty


@pytest.fixture
def trial() -> Iterator[Trial]:
    steps = Steps()
    with quick_folder() as folder, counted(steps):
        box = machine(folder, "a")
        box.store.faults = steps.store
        yield Trial(box, steps)


@pytest.mark.behaviour(63)
@pytest.mark.parametrize("kind", [*CRASHES, *STORE_FAULTS])
def test_fault_and_then_another_change(trial: Trial, kind: str) -> None:
    """Somebody writes a row after the failed pass: the next pass is not refused, and is whole."""
    for where in trial.every(kind):
        trial.box.mint("c")
        made = trial.box.pass_()
        assert made.fingerprint == trial.box.fingerprint, where
        trial.check_whole()


@pytest.mark.parametrize("kind", CRASHES)
def test_fault_and_nothing_else(trial: Trial, kind: str) -> None:
    """The next pass finishes what is missing, and the one after it writes nothing."""
    for where in trial.every(kind):
        trial.box.pass_()
        trial.check_whole()
        trial.box.store.calls.clear()
        trial.box.pass_()
        assert trial.box.store.counted(WRITES) == 0, where
        assert trial.box.store.counted(READS) == 2, where


@pytest.mark.parametrize("kind", CRASHES)
def test_fault_and_the_change_taken_back(trial: Trial, kind: str) -> None:
    """The registry is again what the bucket describes: what current then holds is found out."""
    for where in trial.every(kind):
        trial.box.sql("DELETE FROM routes WHERE slug = 'b'")
        trial.box.pass_()
        assert trial.box.meta.fingerprint == trial.box.fingerprint, where
        trial.check_whole()


@pytest.mark.behaviour(63)
def test_end_between_current_and_description(trial: Trial) -> None:
    """The next pass writes the description alone: no second generation of the same content."""
    trial.ended(f"put {CURRENT}")
    wanted = trial.box.store.objects[CURRENT][1]["created-at"]

    assert trial.puts() == [META]
    assert trial.box.meta.created_at == wanted
    trial.check_whole()


def test_end_between_description_and_bookkeeping(trial: Trial) -> None:
    """The next pass writes nothing but the registry's lineage."""
    trial.ended(f"put {META}")

    assert trial.puts() == []
    trial.check_whole()


def test_end_before_the_first_write(trial: Trial) -> None:
    """The next pass writes everything."""
    trial.ended("UPDATE fairlead_lineage SET")

    assert trial.puts()[-2:] == [CURRENT, META]
    trial.check_whole()


def test_two_passes_that_end(trial: Trial) -> None:
    """One after its current snapshot, the next before its own: the first one's is still known."""
    trial.ended(f"put {CURRENT}")
    trial.box.mint("c")
    trial.steps.arm(None, "")
    trial.box.store.faults = lambda call: Fault("crash") if call.op == "put" else None
    with pytest.raises(Crashed):
        trial.box.pass_()
    trial.box.store.faults = trial.steps.store
    trial.box.mint("d")
    trial.box.pass_()

    trial.check_whole()


def test_description_that_is_older_than_current(trial: Trial) -> None:
    """The line of fathers leads by way of the snapshot that no description ever named."""
    trial.ended(f"put {CURRENT}")
    unnamed = trial.box.store.objects[CURRENT][1]["fingerprint"]
    trial.box.mint("c")

    assert trial.box.pass_().parent == unnamed != ""


@pytest.mark.parametrize("key", [SECOND, CURRENT, META])
def test_answer_that_is_lost(trial: Trial, key: str) -> None:
    """A write that landed is recognised when the client's own next try is refused for it."""
    names = trial.attempt()
    first = names.index(f"put {key}")
    trial.attempt(first, "again")

    trial.check_whole()
    assert trial.box.store.keys() == [CURRENT, META, FIRST, SECOND]


def test_current_that_vanishes(trial: Trial) -> None:
    """It is judged by what describes it, and made again."""
    trial.attempt()
    trial.box.store.objects.pop(CURRENT)
    trial.box.mint("c")
    trial.box.pass_()

    trial.check_whole()


def test_error_says_what_was_written(trial: Trial) -> None:
    """One line: what failed, what stands, and that the next run goes on."""
    trial.attempt()
    trial.box.mint("c")
    puts = iter(range(4))
    box, steps = trial.box, trial.steps
    box.store.faults = lambda call: (
        Fault("down") if call.op == "put" and next(puts, None) is None else steps.store(call)
    )
    with pytest.raises(ApplyFailed) as caught:
        box.pass_()

    third = SECOND.replace("100200", "100300")
    assert str(caught.value) == (
        f"snapshot: write {META}: injected; written before: {third}, {CURRENT};"
        " the next run goes on"
    )
