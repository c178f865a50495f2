"""What one scan of the bucket found of sidecars: values, and nothing decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from control.sidecar_keys import AppKey, SidecarKey
from control.sidecar_manifests import SidecarsManifest
from control.sidecar_records import SidecarRecord


@dataclass(frozen=True, slots=True)
class Broken:
    """An object that was read and is not what its key promises. ``reason`` is raw."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unread:
    """An object that could not be read: neither there nor absent. ``reason`` is raw."""

    reason: str


RecordFound: TypeAlias = SidecarRecord | Broken | Unread
ManifestFound: TypeAlias = SidecarsManifest | Unread | None
"""``None`` where there is no such object, which is an answer: the app has no sidecars. A manifest
that is not one counts as unread (behaviour 97)."""


@dataclass(frozen=True, slots=True)
class SidecarDocuments:
    """All that the bucket says of sidecars, sorted by key.

    ``accounts`` are those with an account manifest, readable or not. ``records`` has each key that
    parses as a sidecar record's, ``etags`` the ETag of each of them that was read, to tell later
    whether it is still the same, ``manifests`` those that were asked for. ``trashed`` are the apps
    in the trash; ``trash_failure`` says why it could not be listed, or is empty. ``unclean`` says,
    a printable line each, what of the listings and the account manifests is not whole.
    """

    accounts: frozenset[str]
    records: tuple[tuple[SidecarKey, RecordFound], ...]
    manifests: Mapping[AppKey, ManifestFound]
    trashed: frozenset[AppKey] = frozenset()
    trash_failure: str = ""
    unclean: tuple[str, ...] = ()
    etags: Mapping[SidecarKey, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FreshReads:
    """What is there of the objects that a removal rests on, read once more.

    ``None`` for a record or a manifest means that it is not there. ``trash`` says whether an app's
    marker is there.
    """

    records: Mapping[SidecarKey, RecordFound | None]
    manifests: Mapping[AppKey, ManifestFound]
    trash: Mapping[AppKey, bool | Unread]
