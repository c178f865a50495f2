"""Carrying out one wave of a plan: health checks, then change batches, then the sweep.

A set must never point at a check that is not there, so checks come first and go last. A failure
ends the wave where it happens: a failed batch sweeps nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from folds.changes import Plan
from route53.batches import REAL_LIMITS, Batch, BatchLimits, batches, documents
from route53.checks import create_check, remove_check, tag_check, update_check
from route53.client import Calls
from route53.errors import BatchRefused, Conflict, LostAnswer
from route53.journal import CHANGED, CREATED, SWEPT, UPDATED, Journal
from route53.progress import Progress, counted, quiet


@dataclass(frozen=True, slots=True)
class Applier:
    """Applies plans to one zone, keeps the journal, and tells how far it is."""

    calls: Calls
    zone_id: str
    journal: Journal
    limits: BatchLimits = REAL_LIMITS
    progress: Progress = quiet

    def wave(self, plan: Plan) -> dict[str, str]:
        """Apply a plan, or that part of one which fits under the quota of health checks.

        Returns the check of each address.

        Raises:
            BatchRefused, Conflict, LostAnswer: the live side has to be read again.
            Route53Error: any other. The journal says what was done until then.
        """
        checks = {**plan.checks, **self._create(plan)}
        for number, update in enumerate(plan.updates, 1):
            self._tell(f"updating health check {number} of {len(plan.updates)}")
            update_check(self.calls, update)
            self.journal.note(UPDATED)
        packed = batches(plan.hosts, checks, self.limits)
        for number, batch in enumerate(packed, 1):
            self._tell(f"sending change batch {number} of {len(packed)}")
            self.send(batch)
        for number, check in enumerate(plan.sweeps, 1):
            self._tell(f"removing health check {number} of {len(plan.sweeps)}")
            remove_check(self.calls, check)
            self.journal.note(SWEPT)
        return checks

    def send(self, batch: Batch) -> None:
        """Send one change batch, which Route 53 applies whole or not at all.

        Raises:
            BatchRefused: if it was not applied.
            Route53Error: any other.
        """
        changes = documents(batch)
        hosts = counted(len(batch), "host")
        about = f"zone {self.zone_id}, a change batch of {hosts} from {batch[0].name}"
        try:
            answer = self.calls.write(
                "change_resource_record_sets",
                about,
                HostedZoneId=self.zone_id,
                ChangeBatch={"Changes": changes},
            )
        except Conflict as error:
            raise BatchRefused(error, {host.name: host.documents for host in batch}) from error
        except LostAnswer:
            self.journal.warnings.append(
                f"{about}: its answer was lost, so this run does not wait for all name servers"
            )
            raise
        self.journal.batches += 1
        self.journal.change_id = answer["ChangeInfo"]["Id"]
        self.journal.note(CHANGED, sum(host.sets for host in batch))

    def _create(self, plan: Plan) -> dict[str, str]:
        created: dict[str, str] = {}
        labels = {edge.address: edge.box for edge in (*plan.standby, *plan.serving)}
        for number, creation in enumerate(plan.creations, 1):
            self._tell(f"creating health check {number} of {len(plan.creations)}")
            identifier = create_check(self.calls, creation)
            created[creation.address] = identifier
            self.journal.note(CREATED)
            label = f"edge {labels[creation.address]} {creation.address}"
            if warning := tag_check(self.calls, identifier, label):
                self.journal.warnings.append(warning)
        return created

    def _tell(self, what: str) -> None:
        self.progress(f"zone {self.zone_id}: {what}")
