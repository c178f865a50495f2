"""Writing objects of a bucket on condition: the adapter."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from obstore.exceptions import BaseError
from obstore.store import MemoryStore, S3Store

from control.errors import DeleteFailed, WriteFailed
from control.store import ObjectStore
from control.vendor import read_failure, reason_of, write_refusal
from control.writes import Answer, Head, Upload

if TYPE_CHECKING:  # obstore has it in its stubs alone
    from obstore import PutMode

MAX_WRITTEN_BYTES = 512 * 1024 * 1024
"""Most bytes of an object: it goes up, and comes back, in one request and through memory."""
PAUSES = (0.1, 0.4, 1.6)
"""Seconds before each further try of a create that met another write of the same key."""


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
