"""Making a zone what it should be: the whole of it, or an error that says how far it came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from folds.changes import Plan
from folds.zone import LiveZone
from route53.apply import Applier
from route53.client import Calls
from route53.errors import RUN_AGAIN, NotInSync, PartlyApplied, Route53Error
from route53.isolate import Isolation
from route53.journal import Journal
from route53.progress import Progress, counted, quiet
from route53.rounds import Decide, Rounds, Target
from route53.sync import wait_for_sync

__all__ = ["Result", "Target", "converge"]


@dataclass(frozen=True, slots=True)
class Result:
    """How a run ended: nothing is left to do.

    ``plan`` is the last one decided and ``live`` what it was decided on; ``checks`` maps an address
    to the id of its health check. ``changed`` counts all changes of the run, ``batches`` its change
    batches. ``warnings`` are for people, a line each.
    """

    plan: Plan
    live: LiveZone
    checks: Mapping[str, str]
    changed: int
    batches: int
    warnings: tuple[str, ...]


def converge(
    calls: Calls,
    decide: Decide,
    target: Target,
    *,
    refusals: tuple[type[Exception], ...] = (),
    progress: Progress = quiet,
) -> Result:
    """Apply what ``decide`` decides until nothing is left to do, then wait for all name servers.

    ``refusals`` are the errors by which ``decide`` refuses. They pass as they are before the first
    change, and as the cause of a ``PartlyApplied`` after it.

    Raises:
        PartlyApplied: whatever ended the run after its first change, or a host that Route 53
            refuses; the message says what was done, what was not, and what to do.
        NotInSync: if all is accepted, and some name servers do not have it in time.
        Route53Error: whatever ended the run before its first change.
    """
    journal = Journal()
    applier = Applier(calls, target.zone_id, journal, target.limits, progress)
    isolation = Isolation(applier)
    ending: tuple[type[Exception], ...] = (Route53Error, *refusals)
    try:
        end = Rounds(isolation, decide, target).to_the_end()
        _require_all_accepted(target.zone_id, isolation)
        if target.wait_for_sync and journal.change_id:
            wait_for_sync(calls, journal.change_id, target.sync_budget, progress)
    except NotInSync:
        raise
    except ending as error:
        if not journal.done:
            raise
        raise _partly(target.zone_id, journal, error) from error
    changed, warnings = sum(journal.done.values()), tuple(journal.warnings)
    return Result(end.plan, end.live, end.checks, changed, journal.batches, warnings)


def _partly(zone_id: str, journal: Journal, error: Exception) -> PartlyApplied:
    cause, remedy = str(error), RUN_AGAIN
    if isinstance(error, Route53Error):
        cause, remedy = f"{error.subject}: {error.reason}", error.remedy
    return PartlyApplied(f"zone {zone_id}", f"{journal.text()}; it ended with {cause}", remedy)


def _require_all_accepted(zone_id: str, isolation: Isolation) -> None:
    if not isolation.found:
        return
    names = sorted(isolation.found)
    hosts = counted(len(names), "host")
    raise PartlyApplied(
        f"zone {zone_id}",
        f"Route 53 refuses the changes of {hosts}, limit 0 ({', '.join(names)}), which"
        f" stay as they are; the first: {isolation.found[names[0]].reason}",
        f"mend them; {RUN_AGAIN}",
    )
