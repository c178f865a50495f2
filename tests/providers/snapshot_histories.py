"""Running random histories of `tests.providers.snapshot_world`, each set of them told by a seed."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.providers.snapshot_actors import LONGEST
from tests.providers.snapshot_world import SnapshotWorld


def explore(examples: int, number: int) -> None:
    """Run that many random histories from a seed, which tells them all."""
    chosen = settings(
        max_examples=examples,
        stateful_step_count=LONGEST,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )
    world = type("SnapshotWorld", (SnapshotWorld,), {})
    run_state_machine_as_test(seed(number)(world), settings=chosen)


def fresh_seed() -> int:
    """Return a seed never used before, and print it."""
    number = random.randrange(2**32)
    print(f"snapshot world: seed {number}")  # noqa: T201
    return number
