"""Steps 3 and 4 of a steering stack: what was seen becomes a plan and its verdict. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from folds.changes import Plan
from folds.desired import Desired
from folds.steering import plan as plan_of
from folds.summary import summarize
from policy.guards import SteeringSummary, Violation, steering_violations
from stacks.observation import Observation
from stacks.settings import SteeringSettings
from stacks.wanted import desired_of


@dataclass(frozen=True, slots=True)
class Decision:
    """Everything that the first four steps worked out."""

    desired: Desired
    plan: Plan
    summary: SteeringSummary
    violations: tuple[Violation, ...]

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


def decide(settings: SteeringSettings, seen: Observation, acknowledged: str = "") -> Decision:
    """Fold what was seen into a plan and its verdict.

    ``acknowledged`` is the digest that the operator let through, or empty.
    """
    desired = desired_of(settings, seen.documents, seen.live)
    plan = plan_of(desired, seen.live)
    summary = summarize(desired, seen.live, plan, acknowledged)
    return Decision(desired, plan, summary, steering_violations(summary))
