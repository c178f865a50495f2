"""The emulator as tests and the command use it: a service that listens."""

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any, final

from local.zone.persistence import CallLog, StateFile
from local.zone.server import EmulatorServer
from local.zone.service import Service
from local.zone.settings import Settings
from local.zone.vocabulary import Doc

POLL = 0.01  # seconds between looks for a stop


@final
class ZoneEmulator(Service):
    """Route 53 on a loopback port, 0 for a free one; each field of Settings is a keyword.

    It listens from its making on and answers between start and stop, which a with statement
    calls. state_path: a JSON file that holds the state from one run to the next. log_path: one
    JSON line a call. UnknownFaultError for a fault that is not known.
    """

    def __init__(
        self,
        port: int = 0,
        state_path: str | Path | None = None,
        log_path: str | Path | None = None,
        faults: Iterable[Doc] = (),
        **settings: Any,
    ) -> None:
        state_file = StateFile(Path(state_path) if state_path else None)
        log = CallLog(Path(log_path) if log_path else None)
        super().__init__(Settings(**settings), state_file, log)
        self.set_faults(faults)
        self._server = EmulatorServer(port, self)
        self._thread: threading.Thread | None = None
        self.url = self._server.url

    def start(self) -> "ZoneEmulator":
        """Answer calls, from a thread of its own."""
        serve = self._server.serve_forever
        self._thread = threading.Thread(target=serve, args=(POLL,), daemon=True)
        self._thread.start()
        return self

    def stop(self, *_: object) -> None:
        """Answer no more: the call in hand is finished, later ones find a closed connection."""
        with self.lock:
            self._server.stopping = True
        if self._thread:
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()

    def __enter__(self) -> "ZoneEmulator":
        """Start."""
        return self.start()

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self.stop()
