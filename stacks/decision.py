"""Steps 3 and 4 of a steering stack: what was seen becomes a plan and its verdict. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from folds.changes import Plan
from folds.desired import Desired
from folds.native_checks import as_folded, leftovers
from folds.native_plan import as_native
from folds.steering import plan as plan_of
from folds.summary import summarize
from folds.zone import LiveCheck, LiveZone
from policy.guards import SteeringSummary, Violation, steering_violations
from stacks.observation import Observation
from stacks.settings import SteeringSettings
from stacks.wanted import desired_of


@dataclass(frozen=True, slots=True)
class Decision:
    """Everything that the first four steps worked out; ``live`` is the zone as the fold saw it.

    ``leftovers`` are health checks that native runs which were cut short have left behind.
    """

    desired: Desired
    live: LiveZone
    plan: Plan
    summary: SteeringSummary
    violations: tuple[Violation, ...]
    leftovers: tuple[LiveCheck, ...] = ()

    @property
    def refused(self) -> tuple[Violation, ...]:
        """The violations that stop a run, for every stack that has its zone in its state."""
        return tuple(each for each in self.violations if each.level == "mandatory")

    @property
    def answered(self) -> bool:
        """Whether the acknowledged digest lets anything through, or would on a first run."""
        bare = self.summary.model_copy(update={"acknowledged": ""})
        return any(
            steering_violations(bare, first_run=first)
            != steering_violations(self.summary, first_run=first)
            for first in (False, True)
        )


def remaining(decision: Decision, live: LiveZone) -> tuple[str, ...]:
    """Return the lines of what is left of a native decision's end where the zone is now so."""
    return plan_of(decision.desired, as_folded(decision.desired, live)).lines


def decide(settings: SteeringSettings, seen: Observation, acknowledged: str = "") -> Decision:
    """Fold what was seen into a plan and its verdict.

    ``acknowledged`` is the digest that the operator let through, or empty.
    """
    desired = desired_of(settings, seen.documents, seen.live)
    native = settings.realizer == "native"
    live = as_folded(desired, seen.live) if native else seen.live
    plan = plan_of(desired, live)
    summary = summarize(desired, live, plan, acknowledged)
    if native:
        plan, summary = as_native(desired, live, plan, summary)
    left = leftovers(desired, live) if native else ()
    return Decision(desired, live, plan, summary, steering_violations(summary), left)
