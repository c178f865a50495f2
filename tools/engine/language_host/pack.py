"""Runs one policy pack behind its proxy and streams what it prints."""

import io
import os
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import grpc
from pulumi.runtime.proto import language_pb2

from tools.engine.language_host import rpc
from tools.engine.language_host.children import Child, Children
from tools.engine.language_host.commands import Interpreter, pack_command, pack_environment
from tools.engine.language_host.proxy import PolicyProxy

Pipe = io.BufferedReader
Response = language_pb2.RunPluginResponse
_CHUNK = 65536


class PackError(Exception):
    """The policy pack's process does not serve: it ended, or printed no port first."""


@dataclass
class PackRun:
    """One RunPlugin call: the request, the pack's Python, and the processes' keeper."""

    request: language_pb2.RunPluginRequest
    interpreter: Interpreter
    children: Children
    _proxy: PolicyProxy = field(default_factory=PolicyProxy)
    _output: "queue.SimpleQueue[Response | None]" = field(default_factory=queue.SimpleQueue)
    _cancelled: threading.Event = field(default_factory=threading.Event)
    _child: Child | None = None

    def responses(self) -> Iterator[Response]:
        """Yield the proxy's port, then the pack's output as it comes, and its exit code last."""
        server, port = rpc.serve(self._proxy.handler(), workers=8)
        threading.Thread(target=self._run, daemon=True).start()
        yield Response(stdout=f"{port}\n".encode())
        try:
            yield from iter(self._output.get, None)
        finally:
            self.cancel()
            server.stop(grace=None)

    def cancel(self) -> None:
        """End the pack; the stream of responses ends with it."""
        self._cancelled.set()
        self._proxy.fail(PackError("the engine let go of it"))
        if self._child is not None:
            self.children.stop(self._child)
        self._output.put(None)

    def _run(self) -> None:
        child = self._start()
        # Both were asked for as pipes.
        output, errors = cast("Pipe", child.stdout), cast("Pipe", child.stderr)
        reader = threading.Thread(target=self._pump, args=(errors, _error_response), daemon=True)
        reader.start()
        self._attach(child, output)
        self._pump(output, _output_response)
        reader.join()
        self._output.put(Response(exitcode=self.children.wait(child)))
        self._output.put(None)

    def _start(self) -> Child:
        stack = self._proxy.stack()
        environ = dict(entry.split("=", 1) for entry in self.request.env) or dict(os.environ)
        self._child = self.children.start(
            pack_command(self.interpreter.python, self.request),
            Path(self.request.info.program_directory),
            pack_environment(stack, self.interpreter.environment(environ)),
            piped=True,
        )
        if self._cancelled.is_set():
            self.children.stop(self._child)
        return self._child

    def _attach(self, child: Child, output: Pipe) -> None:
        try:
            self._proxy.attach(grpc.insecure_channel(_address(output.readline()), rpc.OPTIONS))
        except (PackError, grpc.RpcError) as error:
            self._proxy.fail(error)
            self.children.stop(child)

    def _pump(self, source: Pipe, response: Callable[[bytes], Response]) -> None:
        while chunk := source.read1(_CHUNK):
            self._output.put(response(chunk))


def _address(first_line: bytes) -> str:
    """The pack's address: its first line of output is its port, and nothing else may be."""
    text = first_line.decode(errors="replace").strip()
    if text.isdecimal():
        return f"127.0.0.1:{text}"
    if text:
        raise PackError(f"its first line of output is {text!r} instead of its port")
    raise PackError("it ended before it served")


def _output_response(chunk: bytes) -> Response:
    return Response(stdout=chunk)


def _error_response(chunk: bytes) -> Response:
    return Response(stderr=chunk)
