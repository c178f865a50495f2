"""The processes a language host starts, and how each of them ends."""

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

GRACE_SECONDS = 2.0
Child = subprocess.Popen[bytes]


class Children:
    """Starts processes as leaders of their own groups, and stops them all at the end.

    An interrupt from a terminal reaches the engine alone: it asks its plugins to
    stop, and no child prints a traceback of its own.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[Child] = set()

    def start(
        self, command: Sequence[str], cwd: Path, environ: Mapping[str, str], *, piped: bool
    ) -> Child:
        """Start a process; with `piped`, its output is the caller's to read.

        Raises:
            OSError: the command cannot be started.
        """
        output = subprocess.PIPE if piped else None
        child = subprocess.Popen(
            command,
            cwd=cwd,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        with self._lock:
            self._running.add(child)
        return child

    def wait(self, child: Child) -> int:
        """Wait for the process and return its exit code (negative: the signal)."""
        code = child.wait()
        with self._lock:
            self._running.discard(child)
        return code

    def stop(self, child: Child) -> None:
        """End the process and its group: SIGTERM, and SIGKILL after a grace period."""
        if child.poll() is not None:
            return
        _signal_group(child, signal.SIGTERM)
        try:
            child.wait(timeout=GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            _signal_group(child, signal.SIGKILL)
            child.wait()

    def stop_all(self) -> None:
        """End every process that still runs."""
        with self._lock:
            running = tuple(self._running)
        for child in running:
            self.stop(child)


def _signal_group(child: Child, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(child.pid, number)
