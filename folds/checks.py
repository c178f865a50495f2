"""Health checks: their identity, which of them exist, what to create, update or sweep.

A check is ours by its caller reference, ``fairlead/<12 hex>/<20 hex>/<generation>``: the first part
stands for zone and prefix, the second for address, type and interval. Two zones of one account
share nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from folds.changes import CheckCreation, CheckUpdate
from folds.desired import CheckSettings, Desired
from folds.zone import LiveCheck


@dataclass(frozen=True, slots=True)
class Checks:
    """What becomes of the checks. ``serving`` maps an address to the live check it keeps."""

    serving: dict[str, LiveCheck]
    creations: tuple[CheckCreation, ...]
    updates: tuple[CheckUpdate, ...]
    ours: tuple[LiveCheck, ...]


def owner(zone: str, prefix: str) -> str:
    """Return what every reference of one deployment begins with."""
    return f"fairlead/{_hex(12, zone, prefix)}/"


def stem(desired: Desired, address: str) -> str:
    """Return an address's caller reference without the generation, at most 44 characters."""
    identity = _hex(20, address, desired.check.type, str(desired.check.interval))
    return f"{owner(desired.zone, desired.prefix)}{identity}/"


def checks_of(desired: Desired, live: Sequence[LiveCheck]) -> Checks:
    """Match the armed addresses, standby ones too, with the account's checks (behaviour 40)."""
    mine = tuple(owner(desired.zone, prefix) for prefix in desired.prefixes)
    ours = sorted((c for c in live if c.caller_reference.startswith(mine)), key=lambda c: c.id)
    addresses = sorted({edge.address for edge in desired.edges})
    found = {address: _oldest(ours, stem(desired, address)) for address in addresses}
    serving = {address: check for address, check in found.items() if check}
    creations = [
        CheckCreation(address, stem(desired, address), 1, desired.check)
        for address in addresses
        if address not in serving
    ]
    updates = [
        CheckUpdate(check, address, desired.check)
        for address, check in serving.items()
        if _differs(check, address, desired.check)
    ]
    return Checks(serving, tuple(creations), tuple(updates), tuple(ours))


def sweepable(checks: Checks, referred: Iterable[str]) -> tuple[LiveCheck, ...]:
    """Return our checks that serve no armed address and that no live set refers to."""
    kept = {check.id for check in checks.serving.values()} | set(referred)
    return tuple(check for check in checks.ours if check.id not in kept)


def _oldest(ours: Iterable[LiveCheck], reference: str) -> LiveCheck | None:
    generations = [
        (int(tail), check)
        for check in ours
        if check.caller_reference.startswith(reference)
        and (tail := check.caller_reference[len(reference) :]).isdecimal()
        and tail.isascii()
    ]
    return min(generations, key=lambda each: each[0])[1] if generations else None


def _differs(check: LiveCheck, address: str, wanted: CheckSettings) -> bool:
    have = (check.address, check.port, check.path, check.domain_name, check.failure_threshold)
    want = (address, wanted.port, wanted.path, wanted.domain_name, wanted.failure_threshold)
    return have != want


def _hex(length: int, *parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:length]
