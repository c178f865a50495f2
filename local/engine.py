"""Running `local/pulumi` for the demo's stacks."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import Any

from local.environment import CHECKOUT
from local.errors import EngineFailed

_ENGINE = CHECKOUT / "local" / "pulumi"
_UP = ("up", "--yes", "--skip-preview", "--suppress-outputs", "--policy-pack", "policy")


def converge(stack: str) -> None:
    """Run `up` for a stack, its output the caller's.

    Raises:
        EngineFailed: if the engine refused or failed, with its exit code.
        KeyboardInterrupt: if the run was interrupted; the engine has ended by then.
    """
    _run(*_UP, "--stack", stack)


def create(stacks: tuple[str, ...]) -> None:
    """Make the stacks that are not there yet, with nothing in them."""
    known = {each["name"] for each in json.loads(_asked("stack", "ls", "--json"))}
    for stack in stacks:
        if stack not in known:
            _run("stack", "init", stack, "--no-select")


def outputs(stack: str) -> dict[str, Any]:
    """Return the outputs of a stack's last run."""
    found: dict[str, Any] = json.loads(_asked("stack", "output", "--json", "--stack", stack))
    return found


def check(command: str, code: int) -> None:
    """Raise `EngineFailed` for a code other than 0: a signal's becomes a shell's number for it."""
    if code:
        raise EngineFailed(f"local/pulumi {command}", code if code > 0 else 128 - code)


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
    check(words[0], done.returncode)
    return done.stdout


def _run(*words: str) -> None:
    """Run the engine. An interrupt is the engine's to answer first: it ends cleanly by itself."""
    interrupts: list[int] = []
    earlier = signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
    try:
        code = subprocess.Popen([_ENGINE, *words], cwd=CHECKOUT).wait()
    finally:
        signal.signal(signal.SIGINT, earlier)
    if interrupts:
        raise KeyboardInterrupt
    check(words[0], code)
