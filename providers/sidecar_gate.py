"""The configuration gate: the box's own command, asked before a host gets a row."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import asdict

from folds.sidecar_rows import Row

LIMIT_SECONDS = 10.0
"""How long the command may take; after that the row is refused."""


def ask_gate(command: Sequence[str], row: Row, *, limit_seconds: float = LIMIT_SECONDS) -> str:
    """Ask whether a row may be minted (behaviour 117). Return why not, raw, or ``""`` if it may.

    ``command`` is a program and its arguments; no shell reads them. The program gets the row as a
    JSON object on standard input, by its columns' names, and of the environment PATH alone. Exit
    code 0 admits; else the last line of its standard error is the reason. One that cannot be
    started, or takes too long, admits nothing; what takes too long is killed with its children.
    """
    try:
        process = subprocess.Popen(  # noqa: S603 - the operator's own argv, no shell
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={"PATH": os.environ.get("PATH", os.defpath)},
            start_new_session=True,
        )
    except OSError as error:
        return f"{command[0]} cannot be started: {error.strerror}"
    with process:
        try:
            _, said = process.communicate(json.dumps(asdict(row)).encode(), limit_seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return f"no answer after {limit_seconds:g} s, which is the limit"
    return _reason(process.returncode, said.decode(errors="backslashreplace"))


def _reason(code: int, said: str) -> str:
    if code == 0:
        return ""
    lines = said.strip().splitlines()
    how = f"ended by signal {-code}" if code < 0 else f"exit code {code}"
    return lines[-1] if lines else f"{how}, without a reason"
