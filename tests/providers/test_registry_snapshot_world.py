"""Random histories of two boxes and their machines: see `tests.providers.snapshot_world`."""

from __future__ import annotations

import pytest

from tests.providers.snapshot_world import explore, fresh_seed


@pytest.mark.parametrize("_part", range(4))
def test_histories(_part: int) -> None:
    """200 histories, in four parts so that they share the machine; each part prints its seed.

    Whatever fails, ends or races: what became current last is what is restored; only the oldest
    generations over eight go; fathers make one line; nobody is overwritten by one that never had
    his content; who goes on from what is current is not refused; no row changes.
    """
    explore(50, fresh_seed())
