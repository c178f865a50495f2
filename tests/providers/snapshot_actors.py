"""What the histories of `snapshot_world` are made of: boxes, rows, faults, jumps."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from hypothesis import strategies as st

from tests.support.snapshots import Machine

BOXES = ("a1", "b2")
MACHINES_PER_BOX = 2
ROWS = ("r0", "r1", "r2")
STRAYS = ("0.db", "README", "00000000T000000Z.db")
FAULTS = ("crash", "crash after", "down", "lost", "again", "busy")
JUMPS = [timedelta(days=days) for days in (-3650, -1, 0, 1, 3650)] + [timedelta(minutes=-1)]
LONGEST = 20
"""Steps of one history."""

# A row there goes, one that is missing comes.
TOGGLE = {
    row: (
        f"UPDATE routes SET canary = 1 WHERE slug = '{row}'",  # noqa: S608
        f"INSERT OR IGNORE INTO routes (host, slug) VALUES ('{row}', '{row}')",  # noqa: S608
        f"DELETE FROM routes WHERE slug = '{row}' AND canary = 1",  # noqa: S608
    )
    for row in ROWS
}

WHICH = st.integers(0, 2 * MACHINES_PER_BOX - 1)
SOME_ROWS = st.sets(st.sampled_from(ROWS), max_size=2).map(sorted)
# Of the steps of a pass, all, and those that write something.
WHERE = st.tuples(st.integers(0, 70), st.just(value=False)) | st.tuples(
    st.integers(0, 12), st.just(value=True)
)


@dataclass(eq=False)
class Actor:
    """A machine and what is known of it from outside.

    ``knows`` counts the current snapshots of its box up to the one that it wrote or was restored
    from; ``had`` are the fingerprints that its registry had, ``content`` that before a restore.
    ``down`` says that its registry is not there: a restore came to no end.
    """

    machine: Machine
    knows: int
    had: set[str] = field(default_factory=set)
    content: str = ""
    down: bool = False
