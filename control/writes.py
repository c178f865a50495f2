"""Writing objects on condition: the port that writers are written against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from typing import Protocol

from control.errors import NotAsWritten, ObjectNotFound
from control.store import ReadStore


class Answer(Enum):
    """What a store made of a conditional write. Everything else is a `WriteFailed`."""

    WON = "won"
    SAME = "same"
    """Refused, because exactly this object is there: an answer to an earlier try was lost."""
    LOST = "lost"
    """Refused: there is another object. HTTP 412, and 409 that did not pass."""
    VANISHED = "vanished"
    """Refused: the object to be replaced is gone. HTTP 404."""


@dataclass(frozen=True, slots=True)
class Head:
    """An object without its bytes. Metadata names are lower-case."""

    size: int
    etag: str
    metadata: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Upload:
    """An object to be written. Its SHA-256 is written with it, as the metadata ``sha256``."""

    key: str
    data: bytes
    sha256: str
    metadata: Mapping[str, str]

    @classmethod
    def of(cls, key: str, data: bytes, metadata: Mapping[str, str] | None = None) -> Upload:
        """Make an upload of some bytes, with further metadata."""
        digest = sha256(data).hexdigest()
        return cls(key, data, digest, {**(metadata or {}), "sha256": digest})

    def is_there(self, head: Head) -> bool:
        """Say whether an object is this one, by size and SHA-256."""
        return head.size == len(self.data) and head.metadata.get("sha256") == self.sha256


class WriteStore(ReadStore, Protocol):
    """What a writer needs of a store. Keys are whole and verbatim."""

    def head(self, key: str) -> Head:
        """Return an object's head, or raise `ReadFailed` (`ObjectNotFound` where it is none)."""

    def put(self, upload: Upload, expecting: str | None) -> Answer:
        """Write if the object's ETag is ``expecting``; None means if there is no object.

        Never answers SAME (that is `write`'s to find out). Raises `WriteFailed` where the store
        failed: the object may be there then, or may not.
        """

    def delete(self, key: str) -> None:
        """Delete an object, whatever it is, or raise `DeleteFailed`. A missing one is deleted."""


def write(store: WriteStore, upload: Upload, expecting: str | None) -> Answer:
    """Write on condition, and tell a lost race from an own write whose answer was lost.

    Raises:
        WriteFailed: the store failed; `NotAsWritten` where it refuses for an object it does not
            show, as one in mid-air or under a delete marker.
    """
    answer = store.put(upload, expecting)
    if answer is not Answer.LOST:
        return answer
    try:
        return Answer.SAME if upload.is_there(store.head(upload.key)) else answer
    except ObjectNotFound as error:
        if expecting is None:
            reason = "refused because it exists, and it does not; run again"
            raise NotAsWritten(upload.key, reason) from error
        return Answer.VANISHED


def check_written(store: WriteStore, upload: Upload) -> None:
    """Look at what was written: its size and SHA-256.

    Raises:
        NotAsWritten: it is not there, or another object is, or its metadata did not stay.
        ReadFailed: it cannot be looked at.
    """
    try:
        head = store.head(upload.key)
    except ObjectNotFound as error:
        raise NotAsWritten(upload.key, "written, and not there; run again") from error
    if not upload.is_there(head):
        shown = f"{head.size} bytes, sha256 {head.metadata.get('sha256', 'missing')}"
        wanted = f"{len(upload.data)} bytes, sha256 {upload.sha256}"
        raise NotAsWritten(upload.key, f"written as {wanted}, shown as {shown}; run again")
