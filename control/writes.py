"""Writing objects on condition: the port that writers are written against, and its adapter."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol

from obstore.exceptions import BaseError
from obstore.store import MemoryStore, S3Store

from control.errors import DeleteFailed, NotAsWritten, ObjectNotFound, WriteFailed
from control.store import ObjectStore, ReadStore
from control.vendor import read_failure, reason_of, write_refusal

if TYPE_CHECKING:  # obstore has it in its stubs alone
    from obstore import PutMode

MAX_WRITTEN_BYTES = 512 * 1024 * 1024
"""Most bytes of an object: it goes up, and comes back, in one request and through memory."""
PAUSES = (0.1, 0.4, 1.6)
"""Seconds before each further try of a create that met another write of the same key."""


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


class ObjectWriter(ObjectStore):
    """A `WriteStore` over a bucket, or over obstore's in-memory store."""

    def __init__(
        self,
        store: S3Store | MemoryStore,
        *,
        before_write: Callable[[], None] = lambda: None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Ask ``before_write`` before each write; what it raises passes through."""
        super().__init__(store, max_bytes=MAX_WRITTEN_BYTES)
        self._before_write, self._sleep = before_write, sleep

    def head(self, key: str) -> Head:
        """Return an object's head, or raise `ReadFailed`."""
        try:
            answer = self._store.get(key, options={"head": True})
            attributes, meta = answer.attributes, answer.meta
        except (BaseError, ValueError, OSError) as error:
            raise read_failure(key, error) from error
        names = {name.lower(): value for name, value in attributes.items()}
        return Head(meta["size"], meta["e_tag"] or "", names)

    def put(self, upload: Upload, expecting: str | None) -> Answer:
        """Write on condition, in one request: a multipart upload could not be conditional.

        obstore tries again by itself what failed, and a replacement that met another write. A
        create that met one is tried again here.
        """
        if len(upload.data) > MAX_WRITTEN_BYTES:
            reason = f"is {len(upload.data)} bytes, over the limit of {MAX_WRITTEN_BYTES}"
            raise WriteFailed(upload.key, reason)
        for pause in PAUSES if expecting is None else ():
            if (answer := self._put(upload, expecting)) is not None:
                return answer
            self._sleep(pause)
        return self._put(upload, expecting) or Answer.LOST

    def _put(self, upload: Upload, expecting: str | None) -> Answer | None:
        """Write once: None says that another write of the key was under way."""
        mode: PutMode = "create" if expecting is None else {"e_tag": expecting}
        self._before_write()
        try:
            self._store.put(
                upload.key,
                upload.data,
                attributes=dict(upload.metadata),
                mode=mode,
                use_multipart=False,
            )
        except (BaseError, ValueError, OSError) as error:
            refusal = write_refusal(error)
            if refusal == "failed":
                raise WriteFailed(upload.key, reason_of(error)) from error
            return {"lost": Answer.LOST, "vanished": Answer.VANISHED}.get(refusal)
        return Answer.WON

    def delete(self, key: str) -> None:
        """Delete an object, or raise `DeleteFailed`."""
        self._before_write()
        try:
            self._store.delete(key)
        except (BaseError, ValueError, OSError) as error:
            raise DeleteFailed(key, reason_of(error)) from error
