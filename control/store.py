"""Reading objects: the port that scans are written against, and its adapter over obstore."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar

from obstore.exceptions import BaseError
from obstore.store import MemoryStore, S3Store

from control.errors import ListingFailed, ObjectTooLarge, ReadFailed, StoreUnavailable
from control.strict_json import MAX_BYTES
from control.vendor import read_failure, reason_of

Progress: TypeAlias = Callable[[int, int], None]
"""Told after each object: how many are done, of how many. Called in the caller's thread."""

IN_FLIGHT = 64
_GIVE_UP_AFTER = 8
"""Reads in a row that a failing store may spend its retries on before the rest is left unread."""

Listing: TypeAlias = tuple[str, ...]
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Body:
    """An object's bytes, and the ETag to replace exactly them by."""

    data: bytes
    etag: str


class ReadStore(Protocol):
    """What a scan needs of a store. Keys are whole and verbatim; a prefix ends with a slash."""

    def list(self, prefix: str) -> Listing:
        """Return every key under a prefix, in any order, or raise `ListingFailed`."""

    def folders(self, prefix: str) -> Listing:
        """Return each first segment under a prefix that keys lie below, or raise `ListingFailed`.

        In any order; ``apps/`` over ``apps/bab/eleven/x`` and ``apps/y`` is ``bab`` alone.
        """

    def list_each(self, prefixes: Sequence[str]) -> dict[str, Listing | ListingFailed]:
        """Return one listing for each prefix, in the order of `prefixes`; a failure is a result."""

    def get(self, key: str) -> Body:
        """Return one object, or raise `ReadFailed` (`ObjectNotFound` where it is not there)."""

    def get_each(
        self, keys: Sequence[str], progress: Progress | None = None
    ) -> dict[str, Body | ReadFailed]:
        """Return one result for each key, in the order of `keys`; a failure is a result."""


class ObjectStore:
    """A `ReadStore` over a bucket, or over obstore's in-memory store.

    obstore cannot name a key with an empty, ``.`` or ``..`` segment or a control character: a
    listing that meets one fails and names it. It lists a folder marker ``a/`` as ``a``; a key with
    a slash at either end cannot be read.
    """

    def __init__(self, store: S3Store | MemoryStore, *, max_bytes: int = MAX_BYTES) -> None:
        """Take ``max_bytes`` as the size over which an object is refused unread."""
        self._store, self._max_bytes = store, max_bytes

    def list(self, prefix: str) -> Listing:
        """Return every key under a prefix, sorted; all pages, or `ListingFailed`."""
        try:
            listed = self._store.list(prefix).collect()
        except (BaseError, ValueError, OSError) as error:
            raise ListingFailed(prefix, reason_of(error)) from error
        paths = {entry["path"] for entry in listed}
        return tuple(sorted(path for path in paths if path.startswith(prefix)))

    def folders(self, prefix: str) -> Listing:
        """Return each first segment under a prefix that keys lie below, sorted; all pages."""
        try:
            listed = self._store.list_with_delimiter(prefix)
        except (BaseError, ValueError, OSError) as error:
            raise ListingFailed(prefix, reason_of(error)) from error
        return tuple(sorted(path.removeprefix(prefix) for path in listed["common_prefixes"]))

    def list_each(self, prefixes: Sequence[str]) -> dict[str, Listing | ListingFailed]:
        """List up to 64 prefixes at a time; one result for each, in the order of ``prefixes``."""
        return _each(self._listing, prefixes, None)

    def _listing(self, prefix: str, _: threading.Event) -> Listing | ListingFailed:
        try:
            return self.list(prefix)
        except ListingFailed as failure:
            return failure

    def get(self, key: str) -> Body:
        """Return one object, or raise `ReadFailed`; retries are obstore's, and bounded."""
        if key != key.strip("/"):
            raise ReadFailed(key, "begins or ends with a slash, which cannot be read verbatim")
        try:
            return self._get(key)
        except (BaseError, ValueError, OSError) as error:
            raise read_failure(key, error) from error

    def _get(self, key: str) -> Body:
        answer = self._store.get(key)
        size = answer.meta["size"]
        if size > self._max_bytes:
            raise ObjectTooLarge(key, f"is {size} bytes, over the limit of {self._max_bytes}")
        return Body(answer.bytes().to_bytes(), answer.meta["e_tag"] or "")

    def get_each(
        self, keys: Sequence[str], progress: Progress | None = None
    ) -> dict[str, Body | ReadFailed]:
        """Read up to 64 objects at a time; one result for each key, in the order of ``keys``.

        When the store itself fails 8 times in a row, the rest is left unread and says so: a dead
        endpoint costs one round of retries, not one for each object.
        """
        return _each(self._result, keys, progress)

    def _result(self, key: str, given_up: threading.Event) -> Body | ReadFailed:
        if given_up.is_set():
            return StoreUnavailable(key, f"not tried: {_GIVE_UP_AFTER} reads in a row failed")
        try:
            return self.get(key)
        except ReadFailed as failure:
            return failure


def _each(
    read: Callable[[str, threading.Event], _Result],
    names: Sequence[str],
    progress: Progress | None,
) -> dict[str, _Result]:
    given_up = threading.Event()
    with ThreadPoolExecutor(IN_FLIGHT, thread_name_prefix="bucket-read") as pool:
        reads = {pool.submit(read, name, given_up): name for name in names}
        try:
            results = _collect(reads, given_up, progress)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return {name: results[name] for name in names}


def _collect(
    reads: dict[Future[_Result], str], given_up: threading.Event, progress: Progress | None
) -> dict[str, _Result]:
    results: dict[str, _Result] = {}
    in_a_row = 0
    for done, read in enumerate(as_completed(reads), 1):
        result = results[reads[read]] = read.result()
        in_a_row = in_a_row + 1 if isinstance(result, StoreUnavailable) else 0
        if in_a_row >= _GIVE_UP_AFTER:
            given_up.set()
        if progress:
            progress(done, len(reads))
    return results
