"""The names of objects: what a key of the control bucket says by itself."""

from __future__ import annotations

import re
from dataclasses import dataclass

EDGES_PREFIX = "control/edges/"
APPS_PREFIX = "apps/"

LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
"""What a label is: 1 to 63 of a-z, 0-9 and inner hyphens."""
HOST_CHARACTERS = 253
"""The most characters of a host's name."""
ACCOUNT = r"[a-z0-9]{2,}"
"""What an account's short id is."""

_SUFFIX = ".json"
_INSTANCE = re.compile(
    rf"apps/(?P<account>{ACCOUNT})/(?P<app>{LABEL})/instances/(?P<name>[^/]+)\.json"
)
_HOST = re.compile(rf"{LABEL}(?:\.{LABEL})*")
_LEGACY_INSTANCE = re.compile(rf"apps/{LABEL}/instances/.+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class InstanceKey:
    """The three parts of ``apps/<account>/<app>/instances/<name>.json``."""

    account: str
    app: str
    name: str


def is_label(text: str) -> bool:
    """Say whether a text is a label: 1 to 63 of a-z, 0-9 and inner hyphens."""
    return re.fullmatch(LABEL, text) is not None


def is_host(text: str) -> bool:
    """Say whether a text is a host's name: labels with dots between, at most 253 characters.

    Such a name is safe as a file's: it has no slash, no NUL, no capitals, and is never ``.`` or
    ``..``.
    """
    return len(text) <= HOST_CHARACTERS and _HOST.fullmatch(text) is not None


def edge_box(key: str) -> str | None:
    """Return the box of an edges file's key, or None for a stray (behaviours 3, 4, 5).

    The shape alone decides: ``control/edges/<box>.json``, nothing nested, ``<box>`` not empty.
    """
    if not (key.startswith(EDGES_PREFIX) and key.endswith(_SUFFIX)):
        return None
    box = key[len(EDGES_PREFIX) : -len(_SUFFIX)]
    return None if "/" in box or not box else box


def instance_key(key: str) -> InstanceKey | None:
    """Parse ``apps/<account>/<app>/instances/<one non-empty segment>.json``, or return None.

    Account and app follow the platform's name rules. What the last segment says is not part of
    parsing: a record whose name is wrong is refused by itself, it does not vanish.
    """
    match = _INSTANCE.fullmatch(key)
    return InstanceKey(**match.groupdict()) if match else None


def unparsed_instance_key(key: str, *, ignore_legacy: bool) -> bool:
    """Say whether a key looks like an instance record's and cannot be parsed as one.

    To pass over it would be a short read: its host would look withdrawn. ``ignore_legacy`` passes
    over the layout from before accounts, ``apps/<app>/instances/...``, alone.
    """
    looks = key.startswith(APPS_PREFIX) and "/instances/" in key and key.endswith(_SUFFIX)
    if not looks or instance_key(key):
        return False
    return not (ignore_legacy and _LEGACY_INSTANCE.fullmatch(key))
