"""How old something is, for people."""

from __future__ import annotations

from datetime import datetime, timedelta

from control.snapshot_records import SnapshotMeta, moment

_UNITS = ((timedelta(days=1), "d"), (timedelta(hours=1), "h"), (timedelta(minutes=1), "min"))


def age(meta: SnapshotMeta, now: datetime) -> str:
    """Return ``3 h old``, ``0 s old``, or that it is of the future. ``now`` has a time zone."""
    old = now - moment(meta.created_at)
    if old < timedelta(0):
        return f"{amount(-old)} in the future: see the clocks"
    return f"{amount(old)} old"


def amount(length: timedelta) -> str:
    """Return ``3 h``, ``45 min``, ``0 s``: two of a unit at least, but for seconds."""
    for unit, name in _UNITS:
        if length >= 2 * unit:
            return f"{length // unit} {name}"
    return f"{int(length.total_seconds())} s"
