"""``digest``: what the next run would do, whole, and the one line that lets a refusal through."""

from __future__ import annotations

from datetime import datetime

from operate import digest_box, digest_zone
from operate.digest_told import Told
from operate.stack import Stack
from stacks.box_settings import SidecarsSettings, SnapshotSettings


def digest(stack: Stack, now: datetime) -> int:
    """Observe and decide as a run would, and print all of it. Nothing is written.

    An acknowledgement in the environment is left out of it: what it would let through is listed.

    Returns:
        0 if nothing is refused or held back, 1 if the run would fail.

    Raises:
        ControlError, RegistryError, Route53Error, StackError, OperateError: if it cannot be
            answered.
    """
    told = _told(stack)
    print("\n".join(told.lines(stack, now)))
    return 1 if told.failing else 0


def _told(stack: Stack) -> Told:
    settings = stack.settings()
    if isinstance(settings, SidecarsSettings):
        return digest_box.of_sidecars(settings)
    if isinstance(settings, SnapshotSettings):
        return digest_box.of_snapshot(settings)
    return digest_zone.of_zone(stack, settings)
