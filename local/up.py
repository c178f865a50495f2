"""`make up`: start what is missing, converge the demo's three stacks, show what is live."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from control.errors import ControlError
from folds.desired import Edge
from local import box, engine, environment, seed, services
from local.box_table import render_rows, render_snapshot
from local.demo_box import BOX, REGISTRY, make_registry
from local.environment import CHECKOUT
from local.errors import AnswerUnreadable, EngineFailed, StacksFailed
from local.objects import Objects
from local.table import Outcome, render
from operate.errors import OperateError
from operate.outputs import Zone, outputs_of
from registry.errors import RegistryError
from route53.client import Calls, make_client
from route53.errors import Route53Error
from route53.read import read_zone

STEERING, SIDECARS, SNAPSHOT = "local-steering", "local-sidecars", "local-snapshot"
PREFIX = "carlos-steering/"
_EXPECTED = (
    AnswerUnreadable,
    ControlError,
    EngineFailed,
    OperateError,
    RegistryError,
    Route53Error,
)


def up() -> None:
    """Do all of it. A stack that fails stops no other.

    Raises:
        LocalError: `StacksFailed` if stacks failed, with the exit code of the first of them.
    """
    _start()
    engine.create((STEERING, SIDECARS, SNAPSHOT))
    converge({STEERING: _steering, SIDECARS: _sidecars, SNAPSHOT: _snapshot})


def converge(duties: Mapping[str, Callable[[], str]]) -> None:
    """Run each stack's duty, whatever becomes of the others, and print their tables at the end.

    Raises:
        StacksFailed: if any failed in a way that a duty may.
    """
    tables: list[str] = []
    failures: dict[str, Exception] = {}
    for stack, duty in duties.items():
        try:
            tables.append(duty())
        except _EXPECTED as error:
            failures[stack] = error
    print("".join(f"\n{table}\n" for table in tables), end="", flush=True)
    if failures:
        raise StacksFailed(failures)


def outcome_of(zone: Zone) -> Outcome:
    """Return what the outputs of a steering stack say, as the table takes it."""
    serving = (
        Edge(box=each.set_identifier.removeprefix(PREFIX), region=each.region, address=each.address)
        for each in zone.record_sets
    )
    return Outcome(
        prefix=PREFIX,
        serving=tuple(serving),
        standby=zone.standby,
        refused=zone.refused,
        held=zone.held,
    )


def _steering() -> str:
    engine.converge(STEERING)
    zone = outputs_of(STEERING, Zone, engine.outputs(STEERING))
    live = read_zone(Calls(make_client()), zone.zone)
    return f"live in zone {live.name}:\n\n{render(live, outcome_of(zone))}"


def _sidecars() -> str:
    seen = box.verdicts()
    engine.converge(SIDECARS)
    path = REGISTRY.relative_to(CHECKOUT)
    return f"rows of box {BOX.box} in {path}:\n\n{render_rows(box.rows(), seen)}"


def _snapshot() -> str:
    engine.converge(SNAPSHOT)
    return f"snapshot of box {BOX.box}:\n\n{render_snapshot(box.snapshot())}"


def _start() -> None:
    urls, started = services.ensure()
    emulators = environment.remember(urls[services.BUCKET], urls[services.ZONE])
    environment.enter(environment.emulated(os.environ, emulators))
    for name in (services.BUCKET, services.ZONE):
        print(f"{name}: {'started' if name in started else 'runs'} at {urls[name]}", flush=True)
    if written := seed.fill_bucket(Objects(os.environ)):
        print(f"bucket: wrote the demo deployment, {written} objects", flush=True)
    seed.fill_zone(urls[services.ZONE])
    if make_registry():
        print(f"registry: made that of box {BOX.box}", flush=True)
