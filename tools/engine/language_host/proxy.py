"""The analyzer service that the engine sees while a policy pack is still to be started.

A pack learns of the stack from its environment, when it starts; the engine tells
of it by the call ConfigureStack, which needs an analyzer that runs. So this
proxy answers Handshake and ConfigureStack, and passes every other call on to the pack.
"""

from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any

import grpc
from pulumi.runtime.proto import analyzer_pb2

from tools.engine.language_host import rpc

_SERVICE = "pulumirpc.Analyzer"
_METHODS = [method.name for method in analyzer_pb2.DESCRIPTOR.services_by_name["Analyzer"].methods]
StackConfiguration = analyzer_pb2.AnalyzerStackConfigureRequest


class PolicyProxy:
    """Holds the stack's configuration until the pack is there, then forwards."""

    def __init__(self) -> None:
        self._stack: Future[StackConfiguration | None] = Future()
        self._pack: Future[grpc.Channel] = Future()

    def handler(self) -> rpc.Handler:
        """All methods of the analyzer service: two of our own, the others forwarded."""
        own = {
            "Handshake": rpc.unary(_handshake, analyzer_pb2.AnalyzerHandshakeRequest),
            "ConfigureStack": rpc.unary(self._configure, StackConfiguration),
        }
        forwarded = {
            name: grpc.unary_unary_rpc_method_handler(self._forward(name)) for name in _METHODS
        }
        return grpc.method_handlers_generic_handler(_SERVICE, forwarded | own)

    def stack(self) -> StackConfiguration | None:
        """Wait for the engine's first word: the stack, or None if it asks without one."""
        return self._stack.result()

    def attach(self, pack: grpc.Channel) -> None:
        """Forward from now on to the pack behind the channel, and configure it.

        Raises:
            grpc.RpcError: the pack refuses the configuration.
        """
        stack = self.stack()
        if stack is not None:
            _configure_pack(pack, stack)
        with suppress(InvalidStateError):
            self._pack.set_result(pack)

    def fail(self, cause: Exception) -> None:
        """Answer every call that waits for the pack, or comes later, with the cause."""
        self._start_with(None)
        with suppress(InvalidStateError):
            self._pack.set_exception(cause)

    def _configure(self, request: StackConfiguration, _context: grpc.ServicerContext) -> Any:
        self._start_with(request)
        return analyzer_pb2.AnalyzerStackConfigureResponse()

    def _forward(self, name: str) -> rpc.Unary:
        def forward(request: bytes, context: grpc.ServicerContext) -> Any:
            self._start_with(None)
            cause = self._pack.exception()
            if cause is not None:
                context.abort(grpc.StatusCode.UNAVAILABLE, f"policy pack not started: {cause}")
            try:
                return _call(self._pack.result(), name)(request)
            except grpc.RpcError as error:
                return context.abort(error.code(), error.details() or "")

        return forward

    def _start_with(self, stack: StackConfiguration | None) -> None:
        with suppress(InvalidStateError):
            self._stack.set_result(stack)


def _handshake(_request: Any, _context: grpc.ServicerContext) -> Any:
    return analyzer_pb2.AnalyzerHandshakeResponse()


def _configure_pack(pack: grpc.Channel, stack: StackConfiguration) -> None:
    try:
        _call(pack, "ConfigureStack")(stack.SerializeToString())
    except grpc.RpcError as error:
        # Packs on an older SDK do without.
        if error.code() is not grpc.StatusCode.UNIMPLEMENTED:
            raise


def _call(pack: grpc.Channel, name: str) -> Callable[[bytes], bytes]:
    """The pack's method, bytes in and bytes out."""
    call: Callable[[bytes], bytes] = pack.unary_unary(f"/{_SERVICE}/{name}", None, None)
    return call
