"""The engine at the other end of a provider process: is it still there, and telling it how far."""

from __future__ import annotations

import socket
import sys
from dataclasses import dataclass

import grpc
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc

from providers.cancellation import CANCELLED, end_with, listen
from providers.errors import EngineGone

_RUN_AGAIN = "run it again: the next run observes and goes on"
_TIMEOUT = 2.0  # seconds; the engine listens on loopback


@dataclass(frozen=True, slots=True)
class Engine:
    """The engine by its address, ``host:port``; empty outside a provider process."""

    address: str = ""

    @classmethod
    def of_this_process(cls) -> Engine:
        """Return the engine that started this process: its address is the last argument."""
        last = sys.argv[-1] if len(sys.argv) > 1 else ""
        return cls(last if _is_address(last) else "")

    def require(self) -> None:
        """Make sure that somebody still waits for what is about to be written.

        A CLI that was killed leaves its provider processes behind, in the middle of their work.

        Raises:
            EngineGone: if the engine does not listen any more, or has cancelled the run.
        """
        if CANCELLED.is_set():
            raise EngineGone(f"the run was cancelled, so nothing more is written; {_RUN_AGAIN}")
        try:
            self._connect()
        except OSError as error:
            raise EngineGone(
                f"the engine at {self.address} has ended, so nothing more is written; {_RUN_AGAIN}"
            ) from error

    def gone(self) -> bool:
        """Say whether the engine surely ended: nothing listens at its address."""
        try:
            self._connect()
        except ConnectionRefusedError:
            return True
        except OSError:
            return False
        return False

    def _connect(self) -> None:
        if self.address:
            host, _, port = self.address.rpartition(":")
            socket.create_connection((host, int(port)), _TIMEOUT).close()

    def sleep(self, seconds: float) -> None:
        """Wait, but not for a run that is cancelled meanwhile.

        Raises:
            EngineGone: if it is.
        """
        if CANCELLED.wait(seconds):
            self.require()

    def progress(self, text: str) -> None:
        """Show a passing line in the CLI."""
        self._log(text, ephemeral=True)

    def say(self, text: str) -> None:
        """Show a line in the CLI that stays."""
        self._log(text, ephemeral=False)

    def _log(self, text: str, *, ephemeral: bool) -> None:
        """Send a line to the engine. Losing it loses nothing, so a failure is no error."""
        if not self.address:
            return
        with grpc.insecure_channel(self.address) as channel:
            request = engine_pb2.LogRequest(
                severity=engine_pb2.INFO, message=text, urn="", streamId=0, ephemeral=ephemeral
            )
            try:
                engine_pb2_grpc.EngineStub(channel).Log(request, timeout=_TIMEOUT)
            except grpc.RpcError:
                return


def attend() -> None:
    """In a provider process, hear the engine's Cancel and end with the engine; else do nothing."""
    engine = Engine.of_this_process()
    if listen() and engine.address:
        end_with(engine.gone)


def _is_address(text: str) -> bool:
    host, colon, port = text.rpartition(":")
    return bool(host and colon and port.isascii() and port.isdecimal())
