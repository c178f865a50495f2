"""The names of a box's registry snapshot: the current one, what describes it, its generations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timezone

from control.keys import is_label

CURRENT_PREFIX = "control/registry-snapshot/"
GENERATIONS_PREFIX = "control/registry-snapshots/"
STAMP = "%Y%m%dT%H%M%SZ"

_DATABASE, _META = ".db", ".json"
_GENERATION = re.compile(r"(\d{8}T\d{6}Z)\.db", re.ASCII)


def current_key(box: str) -> str:
    """Return the key of a box's current snapshot (behaviour 42)."""
    return f"{CURRENT_PREFIX}{box}{_DATABASE}"


def meta_key(box: str) -> str:
    """Return the key of what describes the current snapshot (behaviour 42)."""
    return f"{CURRENT_PREFIX}{box}{_META}"


def generation_prefix(box: str) -> str:
    """Return the prefix that a box's generations lie under (behaviour 42)."""
    return f"{GENERATIONS_PREFIX}{box}/"


def generation_key(box: str, now: datetime) -> str:
    """Return the key of the generation of a moment, which has a time zone (behaviours 50, 51)."""
    return f"{generation_prefix(box)}{now.astimezone(timezone.utc):{STAMP}}{_DATABASE}"


@dataclass(frozen=True, slots=True)
class Generations:
    """What lies under a box's prefix, each group sorted: stamps sort as their times do.

    ``foreign`` keys are not ours: they do not count, and they are never deleted.
    """

    keys: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()


def generations(box: str, listing: Iterable[str]) -> Generations:
    """Tell a box's generations, ``<stamp>.db``, from the other keys under its prefix."""
    ours: list[str] = []
    foreign: list[str] = []
    for key in sorted(listing):
        name = key.removeprefix(generation_prefix(box))
        (ours if _is_generation(name) else foreign).append(key)
    return Generations(tuple(ours), tuple(foreign))


def boxes(listing: Iterable[str], folders: Iterable[str]) -> tuple[str, ...]:
    """Return the boxes that have anything, sorted.

    ``listing`` is of `CURRENT_PREFIX`, ``folders`` of `GENERATIONS_PREFIX`.
    """
    names = {
        key.removeprefix(CURRENT_PREFIX).removesuffix(suffix)
        for key in listing
        for suffix in (_DATABASE, _META)
        if key.endswith(suffix)
    }
    return tuple(sorted(name for name in names | set(folders) if is_label(name)))


def _is_generation(name: str) -> bool:
    match = _GENERATION.fullmatch(name)
    try:
        return bool(match) and bool(datetime.strptime(name, f"{STAMP}{_DATABASE}"))  # noqa: DTZ007
    except ValueError:
        return False
