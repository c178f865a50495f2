"""An engine that only listens, as a provider process sees it: it keeps what it is told."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import engine_pb2_grpc


@dataclass
class EngineStub(engine_pb2_grpc.EngineServicer):
    """``said`` are the lines that stay, ``passing`` those that do not; ``stop`` ends it."""

    address: str = ""
    said: list[str] = field(default_factory=list)
    passing: list[str] = field(default_factory=list)
    server: Any = None

    def Log(self, request: Any, context: object) -> Empty:  # noqa: ARG002, N802 - gRPC's names
        (self.passing if request.ephemeral else self.said).append(request.message)
        return Empty()

    def stop(self) -> None:
        """Stop listening, as a killed CLI does."""
        self.server.stop(None).wait()


@contextmanager
def engine_stub() -> Iterator[EngineStub]:
    """Run one on a loopback port while the context lasts."""
    stub = EngineStub()
    stub.server = grpc.server(ThreadPoolExecutor(2))
    engine_pb2_grpc.add_EngineServicer_to_server(stub, stub.server)
    stub.address = f"127.0.0.1:{stub.server.add_insecure_port('127.0.0.1:0')}"
    stub.server.start()
    try:
        yield stub
    finally:
        stub.stop()
