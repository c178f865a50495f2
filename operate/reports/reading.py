"""Working a report out: read what a run would read, and decide as it would."""

from __future__ import annotations

from datetime import datetime

from operate.reports.asked import Asked
from operate.reports.box import of_sidecars, of_snapshot
from operate.reports.value import Report
from operate.reports.zone import of_zone
from operate.stack import Stack
from stacks.box_settings import SidecarsSettings, SnapshotSettings


def report_of(stack: Stack, now: datetime) -> Report:
    """Observe and decide as a run of the stack would. Nothing is written.

    An acknowledgement in the environment is left out of it: what it would let through is listed.

    Raises:
        ControlError, RegistryError, Route53Error, StackError, OperateError: if it cannot be
            answered.
    """
    asked, settings = Asked(stack, now), stack.settings()
    if isinstance(settings, SidecarsSettings):
        return of_sidecars(asked, settings)
    if isinstance(settings, SnapshotSettings):
        return of_snapshot(asked, settings)
    return of_zone(asked, settings)
