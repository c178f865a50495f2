"""What a ``ZoneRecords`` does to the world: reconcile, refresh, forget."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from folds.changes import Plan
from folds.checks import owner
from folds.steering import plan
from folds.summary import summarize
from folds.zone import LiveZone
from policy.guards import SteeringSummary
from providers.engine import Engine
from providers.errors import GuardRefused, ProviderError, ZoneChanged
from providers.zone_inputs import ZoneInputs, refusals
from route53.client import Calls, make_client
from route53.converge import Target, converge
from route53.errors import ZoneNotFound
from route53.progress import counted
from route53.read import read_zone

_BUILDING = threading.Lock()  # building a boto3 client is not thread-safe


@dataclass(frozen=True, slots=True)
class Decision:
    """Plans on a fresh read, refusing what the guards or this run's own plan refuse."""

    inputs: ZoneInputs
    first_run: bool

    def __call__(self, live: LiveZone, frozen: frozenset[str]) -> Plan:
        """Return the plan for what is live now.

        Raises:
            GuardRefused: if a mandatory guard refuses it.
            ZoneChanged: if it removes a set that the run's plan did not hold, or a set that it was
                to adopt is another one by now.
        """
        desired = self.inputs.desired
        fresh = plan(desired, live, frozen)
        summary = summarize(desired, live, fresh, self.inputs.summary.acknowledged)
        if other := self._adopted_otherwise(fresh, summary):
            what = f"{counted(len(other), 'simple set')} to adopt not as planned"
            raise _changed(what, " ".join(min(other)), "changed")
        if reasons := refusals(summary, first_run=self.first_run):
            raise GuardRefused("steering: " + "; ".join(reasons))
        if unplanned := fresh.removals - self.inputs.removals:
            what = f"{len(unplanned)} removals are not in its plan"
            raise _changed(what, " ".join(min(unplanned)), "removed")
        return fresh

    def _adopted_otherwise(self, fresh: Plan, summary: SteeringSummary) -> set[tuple[str, str]]:
        """Return name and type of what is adopted and not as planned, or planned and refused now.

        One that is gone while its host converges is as good: a batch of this run took it, or
        somebody made room.
        """
        planned, found = set(self.inputs.summary.adopted), set(summary.adopted)
        names = set(fresh.names)
        refused = {each for each in planned if each.name not in names}
        return {(each.name, each.type) for each in (found - planned) | refused}


def _changed(what: str, first: str, stopped: str) -> ZoneChanged:
    return ZoneChanged(
        f"steering: the zone changed while this run was working: {what},"
        f" limit 0, the first {first}; nothing more is {stopped}, run it again"
    )


def calls_of(engine: Engine) -> Calls:
    """Build the client: every write asks first whether the engine is still there."""
    with _BUILDING:
        return Calls(make_client(), before_write=engine.require, sleep=engine.sleep)


def reconcile(inputs: ZoneInputs, *, first_run: bool) -> dict[str, Any]:
    """Make the zone what is desired, and return the outputs.

    Raises:
        GuardRefused, ZoneChanged, EngineGone: nothing was changed, or nothing more.
        Route53Error: what was done, what was not, and what to do.
    """
    engine, desired = Engine.of_this_process(), inputs.desired
    calls = calls_of(engine)
    result = converge(
        calls,
        Decision(inputs, first_run=first_run),
        Target(desired.zone, desired.health_check_limit, wait_for_sync=desired.wait_for_sync),
        refusals=(ProviderError,),
        progress=engine.progress,
    )
    for warning in result.warnings:
        engine.say(f"steering: {warning}")
    found = [{"address": address, "id": result.checks[address]} for address in result.checks]
    return _outputs(desired.zone, desired.prefix, found)


def refreshed(identity: str) -> dict[str, Any] | None:
    """Return the live outputs of a deployment, ``<zone>/<prefix>``; none if the zone is gone.

    Raises:
        Route53Error: if the zone cannot be read whole.
    """
    zone, _, prefix = identity.partition("/")
    try:
        live = read_zone(calls_of(Engine.of_this_process()), zone)
    except ZoneNotFound:
        return None
    mine = owner(zone, prefix)
    ours = [each for each in live.checks if each.caller_reference.startswith(mine)]
    return _outputs(zone, prefix, [{"address": each.address, "id": each.id} for each in ours])


def forget(props: Mapping[str, Any]) -> None:
    """Say that a zone is forgotten: nothing of it is withdrawn."""
    Engine.of_this_process().say(
        f"steering: zone {props['zone']} ({props['prefix']}) forgotten: its record sets and health"
        " checks stay as they are; python -m operate withdraw takes them out of the zone"
    )


def _outputs(zone: str, prefix: str, checks: list[dict[str, str]]) -> dict[str, Any]:
    ordered = sorted(checks, key=lambda each: (each["address"], each["id"]))
    return {"zone": zone, "prefix": prefix, "healthChecks": ordered}
