"""Random histories of boxes, snapshots and restores: ten times as many as `make test` runs.

What is measured is that none of them breaks what must hold (`tests.providers.snapshot_world`), and
how long they take. A seed that breaks it tells its history again: `explore(250, seed)`.
"""

from __future__ import annotations

import sys
import time

from tests.providers.snapshot_actors import LONGEST
from tests.providers.snapshot_histories import explore, fresh_seed

PARTS, EACH = 8, 250


def run() -> None:
    """Run 2,000 histories; print each part's seed before it, and the time of all."""
    started = time.process_time()
    for _ in range(PARTS):
        explore(EACH, fresh_seed())
        sys.stdout.flush()
    seconds = time.process_time() - started
    sys.stdout.write(
        f"snapshot histories of up to {LONGEST} steps: {PARTS * EACH}, none broken,"
        f" {seconds:.0f} s of CPU\n"
    )
