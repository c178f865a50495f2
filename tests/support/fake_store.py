"""A `WriteStore` in memory that answers as S3 does, keeps a log, and fails when told to.

As in S3 an ETag follows from the bytes: content that comes back brings its ETag back.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from control.errors import (
    DeleteFailed,
    ListingFailed,
    ObjectNotFound,
    ReadFailed,
    StoreUnavailable,
    WriteFailed,
)
from control.store import Body, Listing, Progress
from control.writes import Answer, Head, Upload

READS, WRITES = frozenset({"get", "head", "list"}), frozenset({"put", "delete"})


class Crashed(BaseException):
    """The process is gone: nothing after this runs."""


@dataclass(frozen=True)
class Call:
    """One request: ``get``, ``head``, ``list``, ``put`` or ``delete``, of a key or a prefix."""

    op: str
    key: str


@dataclass(frozen=True)
class Fault:
    """What happens at one call.

    ``down``: it fails and does nothing. ``lost``: a write is done, its answer never comes.
    ``again``: a write is done, its answer lost, and the client's next try refused. ``busy``: a
    write is refused with another one under way. ``crash`` and ``crash after``: the process ends
    before or after it. ``race``: what ``meanwhile`` does happens first.
    """

    kind: str
    meanwhile: Callable[[], None] = lambda: None


@dataclass
class FakeStore:
    """Objects by key: bytes and metadata.

    ``faults`` is asked before each call; ``on_write`` is told of each write that was done.
    ``ignores`` names the conditions that it does not know, by their headers.
    """

    objects: dict[str, tuple[bytes, dict[str, str]]] = field(default_factory=dict)
    faults: Callable[[Call], Fault | None] = lambda _: None
    on_write: Callable[[Upload], None] = lambda _: None
    ignores: frozenset[str] = frozenset()
    calls: list[Call] = field(default_factory=list)
    written: list[Upload] = field(default_factory=list)
    deleted: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def place(self, key: str, data: bytes, metadata: Mapping[str, str] | None = None) -> None:
        """Put an object there, as another program would."""
        self.objects[key] = (data, dict(metadata or {}))

    def counted(self, ops: frozenset[str]) -> int:
        """Count the calls so far of some kinds."""
        return sum(call.op in ops for call in self.calls)

    def keys(self, prefix: str = "") -> list[str]:
        return sorted(key for key in self.objects if key.startswith(prefix))

    def list(self, prefix: str) -> Listing:
        if self._fault("list", prefix):
            raise ListingFailed(prefix, "injected")
        return tuple(self.keys(prefix))

    def folders(self, prefix: str) -> Listing:
        rests = [key.removeprefix(prefix) for key in self.list(prefix)]
        return tuple(sorted({rest.partition("/")[0] for rest in rests if "/" in rest}))

    def list_each(self, prefixes: Sequence[str]) -> dict[str, Listing | ListingFailed]:
        return {prefix: self.list(prefix) for prefix in prefixes}

    def get(self, key: str) -> Body:
        if self._fault("get", key):
            raise StoreUnavailable(key, "injected")
        return Body(self._object(key)[0], self._etag(key))

    def get_each(
        self, keys: Sequence[str], progress: Progress | None = None
    ) -> dict[str, Body | ReadFailed]:
        del progress
        return {key: self.get(key) for key in keys}

    def head(self, key: str) -> Head:
        if self._fault("head", key):
            raise StoreUnavailable(key, "injected")
        data, metadata = self._object(key)
        return Head(len(data), self._etag(key), metadata)

    def put(self, upload: Upload, expecting: str | None) -> Answer:
        fault = self._fault("put", upload.key)
        if fault == "down":
            raise WriteFailed(upload.key, "injected")
        if fault == "busy":
            return Answer.LOST
        answer = self._put(upload, expecting)
        if fault in ("lost", "again") and answer is Answer.WON:
            if fault == "again":
                return Answer.LOST
            raise WriteFailed(upload.key, "no answer")
        if fault == "crash after":
            raise Crashed
        return answer

    def delete(self, key: str) -> None:
        fault = self._fault("delete", key)
        if fault in ("down", "busy"):
            raise DeleteFailed(key, "injected")
        self.deleted.append((key, tuple(self.keys(key.rpartition("/")[0] + "/"))))
        self.objects.pop(key, None)
        if fault in ("lost", "again"):
            raise DeleteFailed(key, "no answer")
        if fault == "crash after":
            raise Crashed

    def _put(self, upload: Upload, expecting: str | None) -> Answer:
        there = upload.key in self.objects
        if expecting is None and there and "If-None-Match" not in self.ignores:
            return Answer.LOST
        if expecting is not None and "If-Match" not in self.ignores:
            if not there:
                return Answer.VANISHED
            if expecting != self._etag(upload.key):
                return Answer.LOST
        self.objects[upload.key] = (upload.data, dict(upload.metadata))
        self.written.append(upload)
        self.on_write(upload)
        return Answer.WON

    def _object(self, key: str) -> tuple[bytes, dict[str, str]]:
        if key not in self.objects:
            raise ObjectNotFound(key, "no such object")
        return self.objects[key]

    def _etag(self, key: str) -> str:
        digest = hashlib.md5(self.objects[key][0], usedforsecurity=False).hexdigest()
        return f'"{digest}"'

    def _fault(self, op: str, key: str) -> str:
        """Log a call; return the kind of its fault, empty for none."""
        call = Call(op, key)
        self.calls.append(call)
        fault = self.faults(call)
        if fault is None:
            return ""
        fault.meanwhile()
        if fault.kind == "crash" or (fault.kind == "crash after" and op in READS):
            raise Crashed
        return "" if fault.kind == "race" else fault.kind
