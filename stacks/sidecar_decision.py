"""Steps 2 to 4 of a sidecars stack: bucket, registry and box become a plan and its verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from control.bucket import open_bucket
from control.sidecar_scan import read_sidecars
from control.store import ReadStore
from folds.sidecar_authority import Authorities
from folds.sidecar_changes import Admission
from folds.sidecar_desired import SidecarDesired
from folds.sidecar_placement import concerns
from folds.sidecar_plan import SidecarPlan
from folds.sidecar_questions import questions
from folds.sidecar_rows import Rows
from folds.sidecar_standing import desired_of
from folds.sidecars import plan as plan_of
from policy.guards import Violation, sidecar_violations
from providers.claimed_box import claimed_box
from providers.sidecar_admission import admissions
from providers.sidecar_authorities import authorities
from providers.sidecar_inputs import SidecarInputs, SidecarWork
from providers.sidecar_registry import rows_in
from stacks.box_settings import SidecarsSettings
from stacks.telling import Progress, now_and_then


@dataclass(frozen=True, slots=True)
class BoxSeen:
    """What the bucket asks of the box, its rows, and what the box has against new ones.

    ``authorities`` are what the claims of hosts allow; None where claims are off.
    """

    desired: SidecarDesired
    rows: Rows
    admissions: tuple[Admission, ...] = ()
    authorities: Authorities | None = None


@dataclass(frozen=True, slots=True)
class SidecarsDecision:
    """Everything that the first four steps worked out."""

    seen: BoxSeen
    plan: SidecarPlan
    violations: tuple[Violation, ...]

    @property
    def refused(self) -> tuple[Violation, ...]:
        """The violations that stop the run."""
        return tuple(each for each in self.violations if each.level == "mandatory")

    @property
    def answered(self) -> bool:
        """Whether the acknowledged digest lets anything through."""
        return bool(self.plan.digest) and self.plan.digest == self.plan.summary.acknowledged

    def inputs(self, settings: SidecarsSettings) -> SidecarInputs:
        """Return the resource's inputs: of the other boxes' records only what concerns rows."""
        rows = self.seen.rows
        hosts = {*(each.host for each in rows.rows), *(each.host for each in rows.strange)}
        work = SidecarWork(
            asked=self.seen.desired.without_others(hosts),
            registry=str(settings.registry_path),
            config_gate=settings.config_gate,
        )
        return SidecarInputs(desired=work, plan=self.plan.lines, summary=self.plan.summary)


def observe(settings: SidecarsSettings, progress: Progress, acknowledged: str = "") -> BoxSeen:
    """Read the bucket, then the rows, ask the box about new ones, and then the claims.

    ``acknowledged`` is the digest that the operator let through, or empty: it decides which
    removals there are to ask the claims about.

    Raises:
        ControlError: the accounts or the apps could not be listed (behaviours 93, 99); what else
            of the bucket could not be read is part of the result.
        RegistryError: the rows could not be read (behaviour 114).
    """
    store = open_bucket(settings.bucket)
    desired, rows = asked_and_had(settings, store, progress)
    seen = BoxSeen(desired, rows, admissions(desired, rows, settings.config_gate))
    if not desired.box.claims:
        return seen
    asked = questions(decide(seen, acknowledged).plan)
    claimed = claimed_box(desired.box, settings.registry_path, store)
    return replace(seen, authorities=authorities(asked, desired.box, claimed))


def asked_and_had(
    settings: SidecarsSettings, store: ReadStore, progress: Progress
) -> tuple[SidecarDesired, Rows]:
    """Read what the bucket asks of the box, then its rows. Raises as `observe`."""
    box = settings.place
    documents = read_sidecars(
        store, concerns=partial(concerns, box=box), progress=now_and_then("sidecars", progress)
    )
    return desired_of(documents, box), rows_in(settings.registry_path)


def decide(seen: BoxSeen, acknowledged: str = "") -> SidecarsDecision:
    """Fold what was seen into a plan and its verdict.

    ``acknowledged`` is the digest that the operator let through, or empty.
    """
    plan = plan_of(seen.desired, seen.rows, seen.admissions, acknowledged, seen.authorities)
    return SidecarsDecision(seen, plan, sidecar_violations(plan.summary))
