"""gRPC plumbing: servers on loopback, and handlers registered by name.

Registered by name, a method that is not served is answered with UNIMPLEMENTED, and
a proxied one passes its bytes through whatever its messages are.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import grpc

# What the engine, the SDKs and the policy SDK use: 400 MiB.
_BYTES = 400 * 1024 * 1024
OPTIONS = [("grpc.max_receive_message_length", _BYTES), ("grpc.max_send_message_length", _BYTES)]

Unary = Callable[[Any, grpc.ServicerContext], Any]
# grpc's classes take type arguments in its stubs only.
Handler: TypeAlias = "grpc.GenericRpcHandler[Any, Any]"
Method: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


def serve(handler: Handler, workers: int) -> tuple[grpc.Server, int]:
    """Start a server on a free loopback port with one handler for all its methods."""
    server = grpc.server(
        ThreadPoolExecutor(max_workers=workers), options=OPTIONS, handlers=[handler]
    )
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return server, port


def unary(behavior: Unary, request: type[Any]) -> Method:
    """A method that takes one message of the class `request` and answers one message."""
    return grpc.unary_unary_rpc_method_handler(
        behavior, request_deserializer=request.FromString, response_serializer=_serialize
    )


def streamed(behavior: Unary, request: type[Any]) -> Method:
    """A method that takes one message of the class `request` and answers a stream."""
    return grpc.unary_stream_rpc_method_handler(
        behavior, request_deserializer=request.FromString, response_serializer=_serialize
    )


def _serialize(message: Any) -> bytes:
    data: bytes = message.SerializeToString()
    return data
