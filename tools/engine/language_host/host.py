"""The language runtime service: runs programs and policy packs for the engine."""

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
from google.protobuf import empty_pb2
from pulumi.runtime.proto import language_pb2, plugin_pb2

from tools.engine.language_host import rpc
from tools.engine.language_host.children import Child, Children
from tools.engine.language_host.commands import (
    VirtualEnvironmentError,
    interpreter_of,
    program_command,
    program_environment,
)
from tools.engine.language_host.pack import PackRun

_SERVICE = "pulumirpc.LanguageRuntime"
# The SDK's runner exits with it after it has shown the user what to do.
_ALREADY_TOLD = 32


@dataclass
class LanguageHost:
    """Serves one engine: its address, the SDK's program runner, and our processes."""

    engine: str
    runner: Path
    children: Children = field(default_factory=Children)
    _programs: set[Child] = field(default_factory=set)
    _cancelled: threading.Event = field(default_factory=threading.Event)

    def handler(self) -> rpc.Handler:
        """All methods that are served."""
        return grpc.method_handlers_generic_handler(
            _SERVICE,
            {
                "Handshake": rpc.unary(_handshake, language_pb2.LanguageHandshakeRequest),
                "GetPluginInfo": rpc.unary(_plugin_info, empty_pb2.Empty),
                "GetRequiredPackages": rpc.unary(
                    _required_packages, language_pb2.GetRequiredPackagesRequest
                ),
                "Run": rpc.unary(self.run, language_pb2.RunRequest),
                "RunPlugin": rpc.streamed(self.run_plugin, language_pb2.RunPluginRequest),
                "Cancel": rpc.unary(self.cancel, empty_pb2.Empty),
            },
        )

    def run(self, request: language_pb2.RunRequest, context: grpc.ServicerContext) -> Any:
        """Run the program to its end; its output goes where the host's own goes."""
        try:
            interpreter = interpreter_of(request.info)
        except VirtualEnvironmentError as error:
            return context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))
        child = self.children.start(
            program_command(request, self.engine, self.runner, interpreter.python),
            Path(request.info.program_directory),
            program_environment(request, interpreter.environment(os.environ)),
            piped=False,
        )
        self._programs.add(child)
        code = self.children.wait(child)
        self._programs.discard(child)
        return self._outcome(code)

    def run_plugin(
        self, request: language_pb2.RunPluginRequest, context: grpc.ServicerContext
    ) -> Iterator[language_pb2.RunPluginResponse]:
        """Run a policy pack until it ends or the engine lets go of it."""
        if request.kind != "analyzer":
            text = f"plugins of the kind {request.kind!r} need the official language host"
            context.abort(grpc.StatusCode.UNIMPLEMENTED, text)
        try:
            interpreter = interpreter_of(request.info)
        except VirtualEnvironmentError as error:
            context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))
        pack = PackRun(request, interpreter, self.children)
        context.add_callback(pack.cancel)
        yield from pack.responses()

    def cancel(self, _request: empty_pb2.Empty, _context: grpc.ServicerContext) -> Any:
        """End the program that runs: the engine was interrupted."""
        self._cancelled.set()
        for child in tuple(self._programs):
            self.children.stop(child)
        return empty_pb2.Empty()

    def _outcome(self, code: int) -> language_pb2.RunResponse:
        if code == 0:
            return language_pb2.RunResponse()
        if code == _ALREADY_TOLD or self._cancelled.is_set():
            return language_pb2.RunResponse(bail=True)
        return language_pb2.RunResponse(error=f"Program exited with non-zero exit code: {code}")


def _handshake(_request: Any, _context: grpc.ServicerContext) -> Any:
    return language_pb2.LanguageHandshakeResponse()


def _plugin_info(_request: Any, _context: grpc.ServicerContext) -> Any:
    return plugin_pb2.PluginInfo()


def _required_packages(_request: Any, _context: grpc.ServicerContext) -> Any:
    # Dynamic providers come with the engine; another plugin is fetched at its first use.
    return language_pb2.GetRequiredPackagesResponse()
