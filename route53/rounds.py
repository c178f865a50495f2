"""Rounds of reading, deciding and applying.

what happened                                   what follows
a wave is applied whole, and it was the plan    the end: nothing has to be read again
a wave is applied whole, the plan is longer     the next round: the next wave
a conflict, or the answer to a write is lost    the next round, three tries in all
a batch is refused, and the fresh plan still    the batch is halved until the host is found, which
holds the very same changes                     is frozen for this run; then the next round
anything else                                   the run ends
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from folds.changes import Plan
from folds.waves import first_wave
from folds.zone import LiveZone
from route53.batches import REAL_LIMITS, BatchLimits
from route53.errors import BatchRefused, Conflict, LostAnswer, QuotaExceeded, Rejected
from route53.isolate import Isolation, unchanged
from route53.progress import counted
from route53.read import read_zone

TRIES = 3
MOST_ROUNDS = 300

Decide = Callable[[LiveZone, frozenset[str]], Plan]
"""Takes what is live, and the names to leave alone; returns a plan, or raises to refuse."""


@dataclass(frozen=True, slots=True)
class Target:
    """What to converge, and within what.

    ``health_check_limit`` is the account's quota, ``sync_budget`` is in seconds.
    """

    zone_id: str
    health_check_limit: int = 200
    wait_for_sync: bool = True
    sync_budget: float = 600.0
    limits: BatchLimits = REAL_LIMITS


@dataclass(frozen=True, slots=True)
class End:
    """The last plan, what it was decided on, and the health check of each address after it."""

    plan: Plan
    live: LiveZone
    checks: Mapping[str, str]


@dataclass
class Rounds:
    """One run. ``refused`` is the batch that the last round could not apply."""

    isolation: Isolation
    decide: Decide
    target: Target
    refused: BatchRefused | None = None
    tries: int = 0

    def to_the_end(self) -> End:
        """Go on until a plan is applied whole, but for the hosts in ``isolation.found``.

        Raises:
            Route53Error: whatever ended the run.
        """
        applier = self.isolation.applier
        for _ in range(MOST_ROUNDS):
            live = read_zone(applier.calls, self.target.zone_id, applier.progress)
            plan = self.decide(live, frozenset(self.isolation.found))
            applier.journal.begin(plan)
            try:
                checks = self._apply(plan, len(live.checks))
            except (Conflict, LostAnswer) as error:
                self._try_again(error)
                continue
            if checks is not None:
                return End(plan, live, checks)
        reason = f"not converged after {MOST_ROUNDS} rounds, the limit"
        raise Rejected(f"zone {self.target.zone_id}", reason)

    def _apply(self, plan: Plan, existing: int) -> Mapping[str, str] | None:
        """Apply what can be applied now; return the checks if that was all."""
        batch = unchanged(self.refused, plan) if self.refused else ()
        self.refused = None
        if batch:
            self.isolation.send(batch)
            self.tries = 0
            return None
        wave = first_wave(plan, existing, self.target.health_check_limit)
        if wave.empty and not plan.empty:
            raise self._no_room(plan, existing)
        checks = self.isolation.applier.wave(wave)
        return checks if wave is plan else None

    def _try_again(self, error: Conflict | LostAnswer) -> None:
        self.tries += 1
        if self.tries >= TRIES:
            raise error
        self.refused = error if isinstance(error, BatchRefused) else None

    def _no_room(self, plan: Plan, existing: int) -> QuotaExceeded:
        limit = self.target.health_check_limit
        wanted = counted(len(plan.creations), "health check")
        return QuotaExceeded(
            f"zone {self.target.zone_id}",
            f"{wanted} wanted beside {existing}, limit {limit}",
            "raise the quota at AWS and the setting healthCheckLimit",
        )
