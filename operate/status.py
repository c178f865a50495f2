"""``status``: whether a stack is converged, since when, and what it leaves out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from control.text import printable
from folds.desired import Edge, Refusal
from folds.report import remarks
from operate import status_box
from operate.answers import Update
from operate.outputs import Copies, RecordSet, Rows, Zone, outputs_of
from operate.stack import Stack

NEVER = "never converged"
_SUCCEEDED = "succeeded"


@dataclass(frozen=True, slots=True)
class Status:
    """What is known of a stack. Times are as the CLI gives them, UTC; empty for none.

    ``state`` is ``armed``, ``dormant`` or ``never converged``; ``last_result`` the last update's.
    The rest is of the last run that came to its end: ``outputs`` are its own, ``box`` is what those
    of a box's stack say.
    """

    stack: str
    state: str
    last_converged: str
    last_update: str
    last_result: str
    zone: str = ""
    refused: tuple[Refusal, ...] = ()
    held: tuple[str, ...] = ()
    standby: tuple[Edge, ...] = ()
    serving: tuple[Edge, ...] = ()
    box: Rows | Copies | None = None
    outputs: Mapping[str, Any] = field(default_factory=dict)

    @property
    def converged(self) -> bool:
        """Whether the last update succeeded."""
        return self.last_result == _SUCCEEDED


def status(stack: Stack, *, as_json: bool) -> int:
    """Print the state, when it last converged, and what is refused, held or standing by.

    Returns:
        0 only if the last update succeeded, else 1.

    Raises:
        OperateError: if the CLI does not answer.
    """
    found = status_of(stack.name, stack.history(), stack.outputs())
    print(json.dumps(_document(found), indent=2) if as_json else "\n".join(_lines(found)))
    return 0 if found.converged else 1


def status_of(stack: str, history: Iterable[Update], outputs: Mapping[str, Any]) -> Status:
    """Read history, newest first, and outputs. What was before a destroy does not count.

    Raises:
        OutputsUnreadable: if they are not those of a stack that succeeded.
    """
    since = takewhile(lambda entry: not _destroyed(entry), history)
    updates = [entry for entry in since if entry.kind == "update"]
    good = [entry.end_time or "" for entry in updates if entry.result == _SUCCEEDED]
    last = updates[0] if updates else None
    seen = outputs if good else {}
    box = status_box.read_box(stack, seen)
    zone = outputs_of(stack, Zone, {} if box else seen)
    return Status(
        stack=stack,
        state=status_box.state_of(box) if box else zone.state or NEVER,
        last_converged=next(iter(good), ""),
        last_update=(last.end_time or "") if last else "",
        last_result=last.result if last else "",
        zone=zone.zone,
        refused=zone.refused,
        held=zone.held,
        standby=zone.standby,
        serving=tuple(map(_edge, zone.record_sets)),
        box=box,
        outputs=seen,
    )


def _destroyed(entry: Update) -> bool:
    return entry.kind == "destroy" and entry.result == _SUCCEEDED


def _edge(found: RecordSet) -> Edge:
    box = found.set_identifier.rpartition("/")[2]
    return Edge(box=box, region=found.region, address=found.address)


def _lines(found: Status) -> Iterable[str]:
    zone = f"zone {found.zone}" if found.zone else ""
    subject = status_box.subject(found.box) if found.box else zone
    yield f"stack {found.stack}: {', '.join(filter(None, (found.state, subject)))}"
    yield f"last converged: {found.last_converged or 'never'}"
    if not found.converged and found.last_result:
        yield f"last update: {found.last_result} at {found.last_update}"
    yield from map(printable, (*remarks(found), *status_box.remarks(found.box)))


def _document(found: Status) -> dict[str, Any]:
    common = {
        "stack": found.stack,
        "state": found.state,
        "lastConverged": found.last_converged,
        "lastUpdate": found.last_update,
        "lastResult": found.last_result,
    }
    if found.box:
        return {**common, **found.outputs}
    return {
        **common,
        "zone": found.zone,
        "refused": [each.model_dump(by_alias=True) for each in found.refused],
        "held": list(found.held),
        "standby": [each.model_dump(by_alias=True) for each in found.standby],
    }
