"""Whether a removal still stands, from fresh reads of the objects that it rests on."""

from __future__ import annotations

from control.sidecar_documents import Broken, FreshReads, Unread
from control.sidecar_records import SidecarRecord
from folds.sidecar_changes import Removal
from folds.sidecar_desired import Box
from folds.sidecar_placement import outside
from folds.sidecar_text import shown

_NOT_READ = Unread("nobody read it")


def kept_after_all(removal: Removal, fresh: FreshReads, box: Box) -> str:
    """Return why a row that was to go is kept, printable, or ``""`` where it goes.

    ``fresh`` holds what was read at `Removal.reads`. A row goes only on the same word as before, or
    on a clearer one: absent records stay absent or ask for another place, and a record that asked
    for one still does. In all doubt the row stays, and the next run decides.
    """
    if removal.cause == "trashed":
        return _out_of_trash(removal, fresh)
    found = fresh.records.get(removal.key, _NOT_READ)
    manifest = fresh.manifests.get(removal.key.owner, _NOT_READ)
    for what, read in (("record", found), ("app's manifest", manifest)):
        if isinstance(read, Unread):
            return f"its {what} could not be read once more: {shown(read.reason)}"
    if isinstance(found, SidecarRecord):
        gone = outside(removal.key, found, manifest, box)
        return "" if gone else "its record asks for this box again"
    return _without_record(removal, found)


def _without_record(removal: Removal, found: Broken | Unread | None) -> str:
    if found:
        return f"its record cannot be used: {shown(found.reason)}"
    return "" if removal.cause == "absent" else "its record is gone since; the next run decides"


def _out_of_trash(removal: Removal, fresh: FreshReads) -> str:
    marked = fresh.trash.get(removal.key.owner, _NOT_READ)
    if isinstance(marked, Unread):
        return f"the trash could not be read once more: {shown(marked.reason)}"
    return "" if marked else "its app is out of the trash again"
