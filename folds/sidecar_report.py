"""A sidecars plan as people read it, and as a stack puts it out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from folds.sidecar_changes import Verdict
from folds.sidecar_plan import SidecarPlan
from folds.sidecar_text import shown, unword, word
from policy.guards.words import count

_CHANGES = ("mint", "converge", "remove", "hold")


def headline(plan: SidecarPlan) -> str:
    """Return ``+3 ~1 -2 of 840 rows``, with what was held, held back, protected or declined.

    A held row is none of those counted: nothing but its hold decides about it.
    """
    changed = len(plan.converges) + len(plan.holds)
    counts = f"+{len(plan.mints)} ~{changed} -{len(plan.removals)}"
    others = {
        "held": len(plan.held),
        "held back": len(plan.held_back),
        "protected": len(protected(plan)),
        "declined": len(declined(plan)),
    }
    said = "".join(f", {number} {name}" for name, number in others.items() if number)
    return f"{counts} of {count(plan.summary.owned, 'row')}{said}"


def explained(plan: SidecarPlan) -> tuple[str, ...]:
    """Return a line for every record and every row: the changes, then what stays as it is."""
    staying = [each for each in plan.verdicts if each.action not in _CHANGES]
    return (*plan.lines, *(f"= {_told(each)}" for each in staying))


def remarks(plan: SidecarPlan) -> tuple[str, ...]:
    """Return what is worth a warning, one line each: whole apps first, then hosts."""
    return (*plan.notices, *(_told(each) for each in plan.verdicts if each.loud))


def declined(plan: SidecarPlan) -> tuple[Verdict, ...]:
    """Return what is asked for here and not done."""
    return tuple(each for each in plan.verdicts if each.action == "decline" or _foreign(each))


def protected(plan: SidecarPlan) -> tuple[Verdict, ...]:
    """Return the records that cannot be used, and whose rows are kept for that."""
    return tuple(each for each in plan.verdicts if each.action == "protect")


def outputs(plan: SidecarPlan) -> dict[str, Any]:
    """Return the stack's outputs that the fold knows, all texts printable."""
    held = [each for each in plan.verdicts if each.action == "held back"]
    return {
        "rows": [shown(host) for host in plan.rows],
        "declined": [*map(_put_out, declined(plan))],
        "protected": [*map(_put_out, protected(plan))],
        "heldBack": [*map(_put_out, held)],
    }


def removed_hosts(lines: Iterable[str]) -> frozenset[str]:
    """Read the hosts of removed rows back out of a plan's lines."""
    return frozenset(unword(line.split(" ")[1]) for line in lines if line.startswith("- "))


def _foreign(verdict: Verdict) -> bool:
    return verdict.action == "foreign" and bool(verdict.key)


def _told(verdict: Verdict) -> str:
    key = f" ({shown(verdict.key)})" if verdict.key else ""
    reason = f": {verdict.reason}" if verdict.reason else ""
    return f"{word(verdict.host)}{key} {verdict.action}{reason}"


def _put_out(verdict: Verdict) -> dict[str, str]:
    return {"host": shown(verdict.host), "key": shown(verdict.key), "reason": verdict.reason}
