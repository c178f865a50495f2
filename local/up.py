"""`make up`: start what is missing, converge the demo stack, show what is live."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Mapping
from typing import Any

from folds.desired import Edge, Refusal
from local import environment, seed, services
from local.environment import CHECKOUT
from local.errors import EngineFailed
from local.objects import Objects
from local.table import Outcome, render
from route53.client import Calls, make_client
from route53.read import read_zone

STACK = "local-steering"
PREFIX = "carlos-steering/"
_ENGINE = CHECKOUT / "local" / "pulumi"
_UP = ("up", "--yes", "--skip-preview", "--suppress-outputs", "--policy-pack", "policy")


def up() -> None:
    """Do all of it.

    Raises:
        LocalError: `EngineFailed` if the engine refused or failed, with its exit code.
        Route53Error: if the zone could not be read afterwards.
    """
    _start()
    _create_stack()
    _run(*_UP, "--stack", STACK)
    outputs = json.loads(_asked("stack", "output", "--json", "--stack", STACK))
    live = read_zone(Calls(make_client()), outputs["zone"])
    print(f"\nlive in zone {live.name}:\n\n{render(live, outcome_of(outputs))}")


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


def _start() -> None:
    urls, started = services.ensure()
    emulators = environment.remember(urls[services.BUCKET], urls[services.ZONE])
    environment.enter(environment.emulated(os.environ, emulators))
    for name in (services.BUCKET, services.ZONE):
        print(f"{name}: {'started' if name in started else 'runs'} at {urls[name]}", flush=True)
    if written := seed.fill_bucket(Objects(os.environ)):
        print(f"bucket: wrote the demo deployment, {written} objects", flush=True)
    seed.fill_zone(urls[services.ZONE])


def _create_stack() -> None:
    stacks = json.loads(_asked("stack", "ls", "--json"))
    if STACK not in {each["name"] for each in stacks}:
        _run("stack", "init", STACK, "--no-select")


def _asked(*words: str) -> str:
    """Return what the engine prints."""
    done = subprocess.run(
        [_ENGINE, *words],
        cwd=CHECKOUT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    _check(words[0], done.returncode)
    return done.stdout


def _run(*words: str) -> None:
    """Run the engine, its output the caller's. An interrupt is the engine's to answer."""
    earlier = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        child = subprocess.Popen([_ENGINE, *words], cwd=CHECKOUT)
        _check(words[0], child.wait())
    finally:
        signal.signal(signal.SIGINT, earlier)


def _check(command: str, code: int) -> None:
    if code:
        raise EngineFailed(f"local/pulumi {command}", code if code > 0 else 128 - code)
