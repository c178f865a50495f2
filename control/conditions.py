"""Finding out whether a store keeps to conditions, before anything that matters rests on it."""

from __future__ import annotations

from control.errors import ConditionsIgnored
from control.writes import Answer, Upload, WriteStore

NO_ETAG = '"00000000000000000000000000000000"'
"""An ETag of the usual form that no object has."""
_CASES = (
    (None, "on condition that it does not exist", "If-None-Match"),
    (NO_ETAG, "on condition of an ETag that it never had", "If-Match"),
)


def check_conditions(store: WriteStore, there: Upload) -> None:
    """Write an object that is there once more, on either condition, neither of which holds.

    A store that ignores conditions writes it then, and it is as it was before.

    Raises:
        ConditionsIgnored: the store did, so no two writers are safe from each other.
        WriteFailed: nobody knows whether it did.
    """
    for expecting, condition, header in _CASES:
        if store.put(there, expecting) is Answer.WON:
            reason = f"written again, {condition}; use a store that honours {header}"
            raise ConditionsIgnored(there.key, reason)
