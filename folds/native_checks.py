"""The native realizer's health checks, seen as the steering fold knows them.

pulumi-aws gives each check a caller reference of its own, ``<reference name>-terraform-<unique>``,
so that the fold's references, which stand for address, type and interval, cannot be told from it.
A check of ours is known by the reference name, and its identity is read from its settings. Of
several with one identity, a run cut short has left all but one behind.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

from folds.checks import owner, stem
from folds.desired import Desired
from folds.zone import LiveCheck, LiveZone

Identity = tuple[str, str, int]
"""Address, type and interval (s): what a check keeps for life."""


def reference_name(zone: str, prefix: str) -> str:
    """Return what every native check's caller reference begins with, at most 27 characters.

    It is none of the other realizer's, so neither touches what the other has made.
    """
    return owner(zone, prefix).strip("/").replace("/", "-")


def identity(check: LiveCheck) -> Identity:
    """Return what a check keeps for life."""
    return (check.address, check.type, check.interval)


def as_folded(desired: Desired, live: LiveZone) -> LiveZone:
    """Return the zone with each native check under the reference that the fold looks for.

    Spare ones keep theirs: to the fold they are somebody else's, counted and left alone.
    """
    kept = _kept(desired, live)
    checks = tuple(
        replace(each, caller_reference=f"{_stem(desired, each)}{kept[each.id]}")
        if each.id in kept
        else each
        for each in live.checks
    )
    return replace(live, checks=checks)


def spare(desired: Desired, folded: LiveZone) -> tuple[LiveCheck, ...]:
    """Return the native checks beside another one of the same identity that no set refers to.

    ``folded`` is what `as_folded` returned. The state knows one of an identity, perhaps this one.
    """
    return native_checks(desired, folded)


def leftovers(desired: Desired, folded: LiveZone) -> tuple[LiveCheck, ...]:
    """Return those that the state surely does not know: sets refer to the other one."""
    used = {each.health_check_id for each in folded.sets if each.managed(desired.prefix)}
    known = {identity(each) for each in folded.checks if each.id in used}
    return tuple(each for each in spare(desired, folded) if identity(each) in known)


def native_checks(desired: Desired, live: LiveZone) -> tuple[LiveCheck, ...]:
    """Return the checks whose reference is native's, of this zone and prefix, by id."""
    mine = f"{reference_name(desired.zone, desired.prefix)}-"
    ours = (each for each in live.checks if each.caller_reference.startswith(mine))
    return tuple(sorted(ours, key=lambda each: each.id))


def _kept(desired: Desired, live: LiveZone) -> dict[str, int]:
    """Return by id a number for each that counts: of one identity the most used is the first.

    The fold takes the lowest. The first counts even if no set refers to it, the others do not.
    """
    used = Counter(each.health_check_id for each in live.sets if each.managed(desired.prefix))
    same: dict[Identity, list[LiveCheck]] = defaultdict(list)
    for each in native_checks(desired, live):
        same[identity(each)].append(each)
    kept: dict[str, int] = {}
    for rivals in same.values():
        ranked = sorted(rivals, key=lambda each: (-used[each.id], each.id))
        counting = [ranked[0], *(each for each in ranked[1:] if used[each.id])]
        kept |= {each.id: number for number, each in enumerate(counting, 1)}
    return kept


def _stem(desired: Desired, check: LiveCheck) -> str:
    settings = desired.check.model_copy(update={"type": check.type, "interval": check.interval})
    return stem(desired.model_copy(update={"check": settings}), check.address)
