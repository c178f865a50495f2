"""Undoes what a killed run left: a lock nobody holds, a create that nobody finishes.

Only for a file backend, which is this machine's own. Of a shared one no run here
can know what others do: a pending create is only told, and the engine's own
message on a lock names `pulumi cancel`.
"""

import json
import socket
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local.engine_arguments import Arguments
from local.engine_attributes import remove_empty
from local.engine_env import backend_folder
from local.engine_errors import HealingError
from local.engine_locks import Lock, has_locks, is_dead, read_locks, remove
from local.engine_process import find_process

# The commands that lock the stack and take its pending operations along.
HEALED = frozenset({"destroy", "dn", "down", "import", "refresh", "up", "update", "watch"})
# `refresh` has flags of its own for pending creates.
_CLEARED = HEALED - {"refresh"}
Say = Callable[[str], None]


@dataclass(frozen=True)
class Stack:
    """The stack that a command line addresses, and how to ask the CLI about it."""

    pulumi: Path
    arguments: Arguments
    environ: Mapping[str, str]
    cwd: Path

    def ask(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run a CLI command for the same stack in the same project, its output captured."""
        same_stack = ["--stack", self.arguments.stack] if self.arguments.stack else []
        return subprocess.run(
            [self.pulumi, *words, *same_stack, "--non-interactive", "--color", "never"],
            cwd=self.cwd,
            env=dict(self.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )


def heal(stack: Stack, say: Say) -> None:
    """Remove what dead runs of the stack left, locks and pending creates, saying so.

    Raises:
        HealingError: a pending create could not be cleared.
    """
    backend = backend_folder(stack.environ, stack.cwd)
    if backend is not None and has_locks(backend):
        for path in remove_empty(backend, _dead):
            say(f"local/pulumi: removed {path}, which a killed run left empty")
        if _others_lock(stack, backend, say):
            return
    if stack.arguments.command in _CLEARED:
        pending = _pending_creates(stack)
        if pending and backend is None:
            say(_told(stack, pending))
        elif pending:
            _clear(stack, pending, say)


def _others_lock(stack: Stack, backend: Path, say: Say) -> bool:
    """Remove the stack's dead locks; whether one is left, which another run may hold."""
    name = stack.ask("stack", "--show-name", "--fully-qualify-stack-names").stdout.strip()
    held = False
    for lock in read_locks(backend, name) if name else ():
        if lock is None or not _dead(lock):
            held = True
            continue
        remove(lock)
        say(
            f"local/pulumi: removed the lock of {name} that process {lock.pid} took at "
            f"{lock.taken.isoformat()}: that process is dead"
        )
    return held


def _dead(lock: Lock) -> bool:
    return is_dead(lock, socket.gethostname(), find_process)


def _pending_creates(stack: Stack) -> tuple[str, ...]:
    """The URNs of the creates that no run finished; none where the stack cannot be read.

    Raises:
        HealingError: the CLI says that all is well, and answers something else than a stack.
    """
    exported = stack.ask("stack", "export")
    if exported.returncode != 0:
        return ()
    try:
        return _creating(json.loads(exported.stdout))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        what = "no stack" if exported.stdout.strip() else "empty"
        raise HealingError(
            f"local/pulumi: the answer of `pulumi stack export` is {what}, so nobody knows whether"
            " a create is pending: run it, and see what answers"
        ) from error


def _creating(stack: Any) -> tuple[str, ...]:
    # A stack that was never updated has no deployment.
    operations = (stack.get("deployment") or {}).get("pending_operations") or ()
    return tuple(str(each["resource"]["urn"]) for each in operations if each["type"] == "creating")


def _clear(stack: Stack, pending: tuple[str, ...], say: Say) -> None:
    # `--exclude **`: what is known stays as it is, and no provider is asked.
    file = stack.arguments.config_file
    words = ["--clear-pending-creates", "--exclude", "**", "--yes", "--skip-preview"]
    done = stack.ask("refresh", *words, *(["--config-file", file] if file else []))
    if done.returncode != 0:
        lines = (done.stderr.strip() or done.stdout.strip() or "no output").splitlines()
        raise HealingError(
            f"local/pulumi: the pending create of {', '.join(pending)} could not be cleared: "
            f"{lines[-1]}: run `pulumi refresh --clear-pending-creates`"
        )
    say(f"local/pulumi: cleared the create of {', '.join(pending)} that a killed run left pending")


def _told(stack: Stack, pending: tuple[str, ...]) -> str:
    name = f" --stack {stack.arguments.stack}" if stack.arguments.stack else ""
    return (
        f"local/pulumi: the create of {', '.join(pending)} is pending: if no other run is at work, "
        f"clear it with `pulumi refresh --clear-pending-creates{name}`"
    )
