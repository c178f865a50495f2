"""What a snapshot pass looks at, as values: the registry, the bucket's side, what is replaced."""

from __future__ import annotations

from dataclasses import dataclass

from control.snapshot_keys import Generations
from control.snapshot_records import SnapshotMeta

Hosts = frozenset[bytes]
"""The hosts of a registry's routes, as the bytes that stand in the file."""


@dataclass(frozen=True, slots=True)
class LiveRegistry:
    """A registry at one moment. ``lineage``, ``last`` and ``pending`` are empty where none began.

    ``last`` is the fingerprint of the snapshot that it wrote or was restored from, ``pending`` that
    of the one it wrote or was about to write.
    """

    path: str
    fingerprint: str
    hosts: Hosts
    lineage: str = ""
    last: str = ""
    pending: str = ""


@dataclass(frozen=True, slots=True)
class Prior:
    """The snapshot that a new one would take the place of.

    ``key`` names the object that told of it, ``fingerprint`` is of its content, ``lineage`` of its
    writer; each is empty where nobody says. ``hosts`` is None where the file was not read, and
    ``fault`` says why it could not be. ``meta`` is what that object's own metadata says, None where
    that is not everything. ``etag`` is the current object's: None where there is none, and another
    object told.
    """

    key: str
    fingerprint: str = ""
    lineage: str = ""
    hosts: Hosts | None = None
    meta: SnapshotMeta | None = None
    etag: str | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class SnapshotSeen:
    """Everything that a pass works from.

    ``meta`` is the JSON that describes the current snapshot, None where there is none, and
    ``meta_etag`` its ETag. ``prior`` is None where there is nothing to replace, or where it was not
    looked for because everything is as it should be (`settled`).
    """

    box: str
    bucket: str
    live: LiveRegistry
    meta: SnapshotMeta | None
    meta_etag: str | None
    generations: Generations
    prior: Prior | None = None

    @property
    def current(self) -> SnapshotMeta | None:
        """What the current snapshot says of itself, if it is there and says everything."""
        return self.prior.meta if self.prior and self.prior.etag is not None else None

    @property
    def settled(self) -> bool:
        """Whether the registry is as its current snapshot, and knows it.

        A pass that ended between its writes leaves ``pending`` other than ``last``: then the JSON
        may be older than the current snapshot, and its fingerprint proves nothing. A copy of the
        disk from before that pass cannot know: it writes nothing, and is refused once it changes.
        """
        live = self.live
        if self.meta is None or self.meta.box != self.box:
            return False
        known = live.last == live.fingerprint and live.pending in ("", live.last)
        return known and self.meta.fingerprint == live.fingerprint
