"""Hearing the engine's Cancel, and its end.

On an interrupt the engine tells its providers to stop, and then waits for them. The SDK's servicer
answers that call and does nothing, so an apply would go on writing to its end. A killed engine says
nothing at all, and its providers would stay for ever, 90 MB each.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from types import FunctionType
from typing import Any

_LOOK_EVERY = 5.0  # seconds
CANCELLED = threading.Event()


def listen() -> bool:
    """Make the SDK's servicer set ``CANCELLED``, and say whether this process has one.

    gRPC took hold of the bound method when the server was made, so the function itself gets other
    code. Without it (another SDK) a run is only less quick to stop.
    """
    servicer = getattr(sys.modules["__main__"], "DynamicResourceProviderServicer", None)
    cancel = getattr(servicer, "Cancel", None)
    if isinstance(cancel, FunctionType):
        cancel.__code__ = _cancel.__code__
    return servicer is not None


def end_with(gone: Callable[[], bool]) -> None:
    """End this process a few seconds after its engine: nobody will call it again."""

    def watch() -> None:
        while not gone():
            time.sleep(_LOOK_EVERY)
        time.sleep(_LOOK_EVERY)  # what it is doing may end, and says so in the log
        os._exit(0)

    threading.Thread(target=watch, daemon=True, name="end with the engine").start()


def _cancel(_self: Any, _request: Any, _context: Any) -> Any:
    # Runs with the globals of the SDK's module, so it brings its own.
    from google.protobuf.empty_pb2 import Empty  # noqa: PLC0415

    from providers.cancellation import CANCELLED as cancelled  # noqa: N811, PLC0415

    cancelled.set()
    return Empty()
