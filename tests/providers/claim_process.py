"""A process that goes step by step: it sleeps before each call of a port until it is told on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Literal

from providers.claim_errors import ClaimError, ClaimReadFailed
from tests.support.claim_box import FakeBox, Trace
from tests.support.claim_samples import HOST
from tests.support.fake_store import Crashed

Order = Literal["go", "failure", "lost", "crash", "crash after"]
"""``lost``: the step is done, and its answer never comes."""
_PATIENCE = 30.0


@dataclass
class Sleeping(Trace):
    """A trace whose steps wait for an order. ``at`` is the step that comes next."""

    at: str = ""
    order: Order = "go"
    arrived: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    told: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        self.names.append(name)
        self.at = name
        self.arrived.release()
        assert self.told.acquire(timeout=_PATIENCE)
        order = self.order
        if order == "crash":
            raise Crashed
        if order == "failure":
            raise ClaimReadFailed(HOST, "no answer")
        yield
        if order == "crash after":
            raise Crashed
        if order == "lost":
            raise ClaimReadFailed(HOST, "the answer is lost")


class Process:
    """A job on a box, asleep before its first step. ``over`` once it has ended."""

    def __init__(self, box: FakeBox, job: Callable[[FakeBox], None]) -> None:
        self._trace = Sleeping()
        self.box = replace(box, trace=self._trace)
        self.over = False
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(job,), daemon=True)
        self._thread.start()
        self._arrive()

    @property
    def at(self) -> str:
        """The step that it sleeps before, empty once it is over."""
        return "" if self.over else self._trace.at

    def go(self, order: Order = "go") -> None:
        """Take one step, on which something may happen."""
        if self.over:
            return
        self._trace.order = order
        self._trace.told.release()
        self._arrive()

    def finish(self, order: Order = "go") -> None:
        """Take all steps that are left."""
        while not self.over:
            self.go(order)

    def _arrive(self) -> None:
        assert self._trace.arrived.acquire(timeout=_PATIENCE)
        if self.over:
            self._thread.join(_PATIENCE)

    def _run(self, job: Callable[[FakeBox], None]) -> None:
        try:
            job(self.box)
        except (ClaimError, Crashed, AssertionError) as error:
            self.error = error
        finally:
            self.over = True
            self._trace.arrived.release()
