"""What a withdrawal would remove, and whether the operator's word lets it. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from folds.changes import Plan
from folds.desired import Desired
from folds.native_checks import native_checks
from folds.steering import plan as plan_of
from folds.summary import summarize
from folds.zone import LiveCheck, LiveZone
from policy.guards import ADOPTION, SteeringSummary, adoption_digest, steering_violations
from policy.guards.digest import answers
from policy.guards.rules import ACKNOWLEDGEABLE
from providers.zone_inputs import ZoneInputs, refusals
from stacks.settings import SteeringSettings


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """The plan to nothing, and what the guards read of it.

    ``leftovers`` are the health checks of a native stack, which stay.
    """

    desired: Desired
    plan: Plan
    summary: SteeringSummary
    leftovers: tuple[LiveCheck, ...]

    @property
    def inputs(self) -> ZoneInputs:
        """What an apply of exactly this plan needs."""
        return ZoneInputs(desired=self.desired, plan=self.plan.lines, summary=self.summary)

    @property
    def digest(self) -> str:
        """What lets it through: it covers every rule in the way, and the end, which is nothing."""
        return adoption_digest(self.summary)

    @property
    def acknowledged(self) -> bool:
        """Whether the word is for this end. It is needed for the last health checks too."""
        word = self.summary.acknowledged
        meant = answers(word, self.summary, (ADOPTION.name,), ACKNOWLEDGEABLE)
        return meant and not refusals(self.summary, first_run=True)

    @property
    def obstacles(self) -> tuple[str, ...]:
        """The messages of the guards that no digest satisfies."""
        found = steering_violations(self.summary, first_run=True)
        return tuple(e.message for e in found if e.level == "mandatory" and not e.digest)


def withdrawal(zone: LiveZone, settings: SteeringSettings, acknowledged: str) -> Withdrawal:
    """Work out how to remove what is managed in a zone, under the stack's prefix or its former.

    ``acknowledged`` is the digest of the operator's word, or empty. The live names count as
    withdrawn: that they go is no accident of a short read.
    """
    desired = Desired(
        zone=zone.zone_id,
        prefix=settings.set_identifier_prefix,
        former=settings.former_prefix,
        wait_for_sync=settings.wait_for_sync,
        zone_limit=settings.zone_limit,
        health_check_limit=settings.health_check_limit,
        withdrawn=tuple(sorted({s.name for s in zone.sets if s.managed(*settings.prefixes)})),
    )
    plan = plan_of(desired, zone)
    summary = summarize(desired, zone, plan, acknowledged)
    return Withdrawal(desired, plan, summary, native_checks(desired, zone))
