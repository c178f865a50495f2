"""Registry writes: `registry.writes.apply` against plain INSERTs in one transaction.

Same file system, WAL and `synchronous=NORMAL` both, opening and closing included. The working out
of the plan is not in here; reading the rows that it starts from is a line of its own.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from registry.connection import reading
from registry.operations import Change, Converge, Mint, Operation
from registry.route import Route
from registry.rows import read_rows
from registry.schema import create
from registry.writes import apply
from tests.bench.registries import insert_plainly, seconds

ROWS = 1_000
ROUNDS = 7
TARGET = 5

_CHANGES = (
    Change(("channel",), ("edge",), ("beta",)),
    Change(("idle_seconds", "max_run_seconds"), (300, 3600), (60, 600)),
)


@dataclass(frozen=True)
class _Round:
    """Seconds of wall clock of each piece of work."""

    inserts: float
    mints: float
    converges: float
    reads: float


def run() -> None:
    """Print the best of some rounds, and how many times as long as the INSERTs each takes."""
    routes = [_route(number) for number in range(ROWS)]
    rounds = [_round(routes) for _ in range(ROUNDS)]
    sys.stdout.write(_report(rounds))


def _report(rounds: list[_Round]) -> str:
    inserts = min(each.inserts for each in rounds)
    named = {
        "mints": min(each.mints for each in rounds),
        "converges, two UPDATEs each": min(each.converges for each in rounds),
        "rows read": min(each.reads for each in rounds),
    }
    lines = [f"registry writes, {ROWS} rows, best of {ROUNDS} rounds"]
    lines.append(f"  {'plain INSERTs':30} {inserts * 1000:6.1f} ms")
    lines += [
        f"  {name:30} {seconds * 1000:6.1f} ms  {seconds / inserts:4.1f} times"
        for name, seconds in named.items()
    ]
    return "\n".join([*lines, f"  (target: plan and apply together at most {TARGET} times)"]) + "\n"


def _round(routes: list[Route]) -> _Round:
    converges = [Converge(route.host, route.app, route.account, _CHANGES) for route in routes]
    with tempfile.TemporaryDirectory() as folder:
        plain, ours = Path(folder, "plain.db"), Path(folder, "ours.db")
        create(plain)
        create(ours)
        return _Round(
            seconds(lambda: insert_plainly(plain, routes)),
            seconds(lambda: _apply(ours, [Mint(route) for route in routes])),
            seconds(lambda: _apply(ours, converges)),
            seconds(lambda: _read(ours)),
        )


def _apply(path: Path, operations: list[Operation] | list[Mint] | list[Converge]) -> None:
    if any(result.outcome != "done" for result in apply(path, operations)):
        raise RuntimeError("the benchmark did not write all its rows")


def _read(path: Path) -> None:
    with reading(path) as connection:
        if len(read_rows(connection).routes) != ROWS:
            raise RuntimeError("the benchmark did not read all its rows")


def _route(number: int) -> Route:
    name = f"bot-{number:04}"
    host = f"{name}.eleven.bab.sidecar.internal"
    return Route(
        host=host,
        slug=name,
        kind="sidecar",
        app="eleven",
        account="bab",
        channel="edge",
        db_path=f"/data/{host}.db",
        hibernate=1,
        args='["bot","run"]',
        idle_seconds=300,
        max_run_seconds=3600,
        provisioned=1,
        status="ready",
    )
