"""How a plan fits under the quota of health checks: at once, or in waves.

A new check is made beside the old one, so a change of every check's type needs room for both. With
less room, as many addresses as fit move first; their old checks go, and the next wave has room.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from folds.changes import HostChange, Plan, SetChange


def first_wave(plan: Plan, existing: int, limit: int) -> Plan:
    """Return the part of a plan to apply now: all of it where the quota has room.

    ``existing`` counts all checks of the account, ``limit`` is the quota. The answer is empty if
    nothing can move without more quota.
    """
    room = max(0, limit - existing)
    if len(plan.creations) <= room:
        return plan
    deferred = frozenset(each.address for each in plan.creations[room:])
    hosts = [replace(host, changes=_movable(host, deferred)) for host in plan.hosts]
    waiting = _waiting(plan)
    return replace(
        plan,
        hosts=tuple(host for host in hosts if host.changes),
        creations=plan.creations[:room],
        sweeps=tuple(each for each in plan.sweeps if not waiting[each.id] & deferred),
    )


def checks_peak(plan: Plan, existing: int, limit: int) -> int:
    """Return the most checks the account holds while the plan is applied, foreign ones included.

    Where waves do it, that is the limit; where they get stuck, it is what the plan would need.
    """
    needed = existing + len(plan.creations)
    if needed <= limit:
        return needed
    pending = [each.address for each in plan.creations]
    waiting = dict(_waiting(plan))
    count = existing
    while pending:
        free = [check for check, addresses in waiting.items() if not addresses & set(pending)]
        count -= len([waiting.pop(check) for check in free])
        if count >= limit:
            return needed
        taken = pending[: limit - count]
        pending, count = pending[len(taken) :], count + len(taken)
    return limit


def _movable(host: HostChange, deferred: frozenset[str]) -> tuple[SetChange, ...]:
    """Return what of a host can change while some addresses have no check yet.

    Only sets that keep their place: an addition, a removal or a move waits until all of them can.
    """
    if not _addresses(host) & deferred:
        return host.changes
    return tuple(
        change
        for change in host.changes
        if change.after and _in_place(change) and change.after.address not in deferred
    )


def _waiting(plan: Plan) -> Mapping[str, frozenset[str]]:
    """Return by check to sweep the addresses that need a check of their own before it can go."""
    waiting: dict[str, set[str]] = {each.id: set() for each in plan.sweeps}
    for host in plan.hosts:
        addresses = _addresses(host)
        for change in host.changes:
            if change.before and change.before.health_check_id in waiting:
                swap = {change.after.address} if change.after and _in_place(change) else addresses
                waiting[change.before.health_check_id] |= swap
    unmade = {each.address for each in plan.creations}
    return {check: frozenset(addresses & unmade) for check, addresses in waiting.items()}


def _in_place(change: SetChange) -> bool:
    return bool(change.before and change.after and change.before.region == change.after.region)


def _addresses(host: HostChange) -> frozenset[str]:
    return frozenset(change.after.address for change in host.changes if change.after)
