"""Running `local/pulumi` for the demo's stacks."""

from __future__ import annotations

import signal
import subprocess
from typing import Any, TypeVar

from pydantic import TypeAdapter

from local.environment import CHECKOUT
from local.errors import AnswerUnreadable, EngineFailed
from operate.answers import OUTPUTS, STACKS, read

T = TypeVar("T")
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
    """Make the stacks that are not there yet, with nothing in them.

    Raises:
        EngineFailed, AnswerUnreadable: if nobody knows which there are, or one cannot be made.
    """
    known = {each.name for each in _asked(STACKS, "stack", "ls", "--json")}
    for stack in stacks:
        if stack not in known:
            _run("stack", "init", stack, "--no-select")


def outputs(stack: str) -> dict[str, Any]:
    """Return the outputs of a stack's last run.

    Raises:
        EngineFailed, AnswerUnreadable: if the engine does not say.
    """
    return _asked(OUTPUTS, "stack", "output", "--json", "--stack", stack)


def check(command: str, code: int) -> None:
    """Raise `EngineFailed` for a code other than 0: a signal's becomes a shell's number for it."""
    if code:
        raise EngineFailed(f"local/pulumi {command}", code if code > 0 else 128 - code)


def _asked(form: TypeAdapter[T], *words: str) -> T:
    """Return what the engine prints, which is JSON of a form."""
    done = subprocess.run(
        [_ENGINE, *words],
        cwd=CHECKOUT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        check=False,
    )
    check(words[0], done.returncode)
    try:
        return read(form, done.stdout)
    except ValueError as error:
        what = f"local/pulumi {' '.join(words)}"
        raise AnswerUnreadable(f"{what}: its answer is {error}; run it and see") from error


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
