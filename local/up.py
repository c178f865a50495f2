"""`make up`: start what is missing, converge the demo's three stacks, show what is live."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from control.errors import ControlError
from folds.desired import Edge, Refusal
from local import box, engine, environment, seed, services
from local.box_table import render_rows, render_snapshot
from local.demo_box import BOX, REGISTRY, make_registry
from local.environment import CHECKOUT
from local.errors import EngineFailed, StacksFailed
from local.objects import Objects
from local.table import Outcome, render
from operate.errors import OperateError
from registry.errors import RegistryError
from route53.client import Calls, make_client
from route53.errors import Route53Error
from route53.read import read_zone

STEERING, SIDECARS, SNAPSHOT = "local-steering", "local-sidecars", "local-snapshot"
PREFIX = "carlos-steering/"
_EXPECTED = (ControlError, EngineFailed, OperateError, RegistryError, Route53Error)


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


def outcome_of(outputs: Mapping[str, Any]) -> Outcome:
    """Read the outputs of a steering stack."""
    sets = outputs["recordSets"]
    serving = (
        Edge(
            box=each["setIdentifier"].removeprefix(PREFIX),
            region=each["region"],
            address=each["address"],
        )
        for each in sets
    )
    return Outcome(
        prefix=PREFIX,
        serving=tuple(serving),
        standby=tuple(map(Edge.model_validate, outputs["standby"])),
        refused=tuple(map(Refusal.model_validate, outputs["refused"])),
        held=tuple(outputs["held"]),
    )


def _steering() -> str:
    engine.converge(STEERING)
    outputs = engine.outputs(STEERING)
    live = read_zone(Calls(make_client()), outputs["zone"])
    return f"live in zone {live.name}:\n\n{render(live, outcome_of(outputs))}"


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
