"""A sidecars pass, the bucket's scan left out, against plain INSERTs of as many rows.

Rows read, plan worked out, rows written: 1,000 mints, and 1,000 rows that each differ in channel
and both ceilings. The INSERTs are one transaction. Same file system, WAL and `synchronous=NORMAL`
both, opening and closing included.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median

from folds.sidecar_desired import Box, SidecarDesired, Wanted
from folds.sidecar_plan import SidecarPlan
from folds.sidecars import plan
from providers.sidecar_admission import admissions
from providers.sidecar_registry import Change, operation_of, rows_in
from registry.route import Route
from registry.schema import create
from registry.writes import apply
from tests.bench.registries import insert_plainly, seconds

ROWS = 1_000
ROUNDS = 15
TARGET = 5

_PLAIN = "plain INSERTs"


def run() -> None:
    """Print how long each pass takes, and how many times as long as the INSERTs of its round.

    Both are medians: on a busy machine the best round of one is not that of the other.
    """
    rounds = [_round() for _ in range(ROUNDS)]
    lines = [f"a sidecars pass of {ROWS} rows, its scan left out, medians of {ROUNDS} rounds"]
    for name in rounds[0]:
        milliseconds = median(each[name] * 1000 for each in rounds)
        times = median(each[name] / each[_PLAIN] for each in rounds)
        lines.append(f"  {name:32}{milliseconds:7.1f} ms  {times:4.1f} times")
    sys.stdout.write("\n".join([*lines, f"  (target: at most {TARGET} times)", ""]))


def _round() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        plain, ours = Path(folder, "plain.db"), Path(folder, "ours.db")
        create(plain)
        create(ours)
        before, after = _desired(folder, "edge", 300, 3600), _desired(folder, "beta", 60, 600)
        routes = [_route(each, before.box) for each in before.wanted]
        return {
            _PLAIN: seconds(lambda: insert_plainly(plain, routes)),
            "mints": seconds(lambda: _pass(ours, before)),
            "channel and both ceilings": seconds(lambda: _pass(ours, after)),
            "nothing to do": seconds(lambda: _nothing(ours, after)),
        }


def _pass(path: Path, desired: SidecarDesired) -> None:
    made = _planned(path, desired)
    changes: tuple[Change, ...] = (*made.removals, *made.converges, *made.mints)
    results = apply(path, [*map(operation_of, changes)])
    if [each.outcome for each in results] != ["done"] * ROWS:
        raise RuntimeError("the benchmark did not write all its rows")


def _nothing(path: Path, desired: SidecarDesired) -> None:
    if not _planned(path, desired).empty:
        raise RuntimeError("the benchmark's rows did not converge")


def _planned(path: Path, desired: SidecarDesired) -> SidecarPlan:
    rows = rows_in(path)
    return plan(desired, rows, admissions(desired, rows))


def _desired(folder: str, channel: str, idle: int, max_run: int) -> SidecarDesired:
    wanted = [_wanted(f"bot-{number:04}", channel, idle, max_run) for number in range(ROWS)]
    box = Box(box="a1", bucket="control", data_dir=folder)
    return SidecarDesired(box=box, wanted=tuple(wanted), accounts=("bab",))


def _wanted(name: str, channel: str, idle: int, max_run: int) -> Wanted:
    return Wanted(
        name=name,
        app="eleven",
        account="bab",
        host=f"{name}.eleven.bab.sidecar.internal",
        region="",
        pool="",
        channel=channel,
        environment="",
        hibernate=1,
        args='["bot","run"]',
        idle_seconds=idle,
        max_run_seconds=max_run,
    )


def _route(wanted: Wanted, box: Box) -> Route:
    return Route(
        host=wanted.host,
        slug=wanted.name,
        kind="sidecar",
        app=wanted.app,
        account=wanted.account,
        channel=wanted.channel,
        db_path=box.db_path(wanted.host),
        hibernate=wanted.hibernate,
        args=wanted.args,
        idle_seconds=wanted.idle_seconds,
        max_run_seconds=wanted.max_run_seconds,
        provisioned=1,
        status="ready",
    )


if __name__ == "__main__":
    run()
