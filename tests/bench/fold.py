"""The fold: plan, summary and lines of zones of three sizes, against a target for the largest."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping

from folds.checks import stem
from folds.desired import Desired, Edge
from folds.steering import plan
from folds.summary import summarize
from folds.zone import LiveSet, LiveZone
from tests.folds.model import APEX, FOUR, IE, PREFIX, desired, edge, live_check

SIZES = (1_000, 10_000, 50_000)
ROUNDS = 5
TARGET_SECONDS = 1.0
TARGET_RATIO = 6

_FIVE = (*FOUR, edge("us-2", "us-west-2", "3.80.0.2"))
_MOVED = tuple(
    each.model_copy(update={"address": f"3.90.0.{count}"}) for count, each in enumerate(_FIVE)
)
CASES: Mapping[str, Callable[[Desired], Desired]] = {
    "nothing to do": lambda wanted: wanted,
    "a box retires": lambda wanted: _with(wanted, tuple(e for e in wanted.edges if e != IE)),
    "every address changes": lambda wanted: _with(wanted, _MOVED),
}


def measure(sets: int, case: str) -> float:
    """Return the CPU seconds that the fold takes for a zone of so many sets, the best of five."""
    before = desired((f"h{index}" for index in range(sets // len(_FIVE))), _FIVE, domain="")
    wanted, zone = CASES[case](before), zone_of(before)
    assert len(zone.sets) == sets
    return min(_seconds(wanted, zone) for _ in range(ROUNDS))


def zone_of(wanted: Desired) -> LiveZone:
    """Return the converged zone of what is desired, built without a plan."""
    checks = {
        each.address: live_check(f"{stem(wanted, each.address)}1", each.address, wanted.check)
        for each in wanted.edges
    }
    sets = [
        LiveSet(name, e.type, PREFIX + e.box, e.region, 60, (e.address,), checks[e.address].id)
        for name in wanted.hosts
        for e in wanted.edges
    ]
    return LiveZone(wanted.zone, APEX, tuple(sets), tuple(checks.values()))


def _with(wanted: Desired, edges: tuple[Edge, ...]) -> Desired:
    return wanted.model_copy(update={"edges": edges})


def _seconds(wanted: Desired, zone: LiveZone) -> float:
    start = time.process_time()
    work = plan(wanted, zone)
    summarize(wanted, zone, work)
    _ = work.lines
    return time.process_time() - start


def run() -> None:
    """Print CPU seconds by size, and how many times 10,000 sets 50,000 take."""
    heads = "".join(f"{f'{size:,} sets':>13}" for size in SIZES)
    lines = [f"the fold, CPU, best of {ROUNDS}{heads}   50,000 : 10,000"]
    for case in CASES:
        times = [measure(size, case) for size in SIZES]
        shown = "".join(f"{each:11.3f} s" for each in times)
        lines.append(f"  {case:23}{shown}{times[-1] / times[-2]:15.1f}")
    lines.append(f"  target: at most {TARGET_SECONDS:.0f} s for 50,000, and {TARGET_RATIO} times")
    sys.stdout.write("\n".join([*lines, ""]))


if __name__ == "__main__":
    run()
