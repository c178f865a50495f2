"""What one read of a document means: the document, or why there is none that can be used."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from control.errors import Malformed, ObjectNotFound, ObjectTooLarge, ReadFailed
from control.sidecar_documents import Broken, ManifestFound, RecordFound, Unread
from control.sidecar_manifests import SidecarsManifest
from control.sidecar_records import SidecarRecord
from control.store import Body

_Key = TypeVar("_Key")
_Document = TypeVar("_Document")
Read: TypeAlias = Body | ReadFailed


def parsed(
    read: Read, parse: Callable[[bytes, _Key], _Document], key: _Key
) -> _Document | ReadFailed | Malformed:
    """Return the document that was read. Too large a one is malformed: reading again helps none."""
    if isinstance(read, ObjectTooLarge):
        return Malformed(read.key, read.reason)
    if isinstance(read, ReadFailed):
        return read
    try:
        return parse(read.data, key)
    except Malformed as malformed:
        return malformed


def record_in(found: SidecarRecord | ReadFailed | Malformed) -> RecordFound:
    """Return a record, broken or unread; one that is gone by now is unread (behaviour 101)."""
    if isinstance(found, Malformed):
        return Broken(found.reason)
    return Unread(found.reason) if isinstance(found, ReadFailed) else found


def manifest_in(found: SidecarsManifest | ReadFailed | Malformed) -> ManifestFound:
    """Return a manifest, unread, or None where there is none."""
    if isinstance(found, ObjectNotFound):
        return None
    return Unread(found.reason) if isinstance(found, (ReadFailed, Malformed)) else found


def marked(read: Read) -> bool | Unread:
    """Say whether an app is in the trash: that an object is there says so, whatever it holds."""
    if isinstance(read, (Body, ObjectTooLarge)):
        return True
    return False if isinstance(read, ObjectNotFound) else Unread(read.reason)
