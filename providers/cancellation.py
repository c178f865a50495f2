"""Hearing the engine's Cancel.

On an interrupt the engine tells its providers to stop, and then waits for them. The SDK's servicer
answers that call and does nothing, so an apply would go on writing to its end.
"""

from __future__ import annotations

import sys
import threading
from types import FunctionType
from typing import Any

CANCELLED = threading.Event()


def listen() -> None:
    """Make the SDK's servicer of this process set ``CANCELLED``; elsewhere do nothing.

    gRPC took hold of the bound method when the server was made, so the function itself gets other
    code. Without it (another SDK) a run is only less quick to stop.
    """
    servicer = getattr(sys.modules["__main__"], "DynamicResourceProviderServicer", None)
    cancel = getattr(servicer, "Cancel", None)
    if isinstance(cancel, FunctionType):
        cancel.__code__ = _cancel.__code__


def _cancel(_self: Any, _request: Any, _context: Any) -> Any:
    # Runs with the globals of the SDK's module, so it brings its own.
    from google.protobuf.empty_pb2 import Empty  # noqa: PLC0415

    from providers.cancellation import CANCELLED as cancelled  # noqa: N811, PLC0415

    cancelled.set()
    return Empty()
