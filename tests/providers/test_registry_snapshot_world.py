"""Random histories of two boxes and their machines: see `tests.providers.snapshot_world`."""

from __future__ import annotations

import pytest

from tests.providers.snapshot_histories import explore


@pytest.mark.parametrize("seed", range(4))
def test_histories(seed: int) -> None:
    """200 histories, in four parts that share the machine; a test's own name tells its seed.

    Whatever fails, ends or races: what became current last is what is restored; only the oldest
    generations over eight go; fathers make one line; nobody is overwritten by one that never had
    his content; who goes on from what is current is not refused; no row changes.
    """
    explore(50, seed)
