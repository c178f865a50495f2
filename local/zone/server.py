"""The HTTP side: a threaded server on the loopback address."""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from local.zone.answers import Answer
from local.zone.control import PREFIX, control
from local.zone.service import Service

HOST = "127.0.0.1"


class EmulatorServer(ThreadingHTTPServer):
    """Serves one service; once stopping, open connections are cut at their next request."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port: int, service: Service) -> None:
        super().__init__((HOST, port), Handler)
        self.service = service
        self.stopping = False
        self.url = f"http://{HOST}:{self.server_address[1]}"

    def answer(self, method: str, target: str, body: bytes, *, signed: bool) -> Answer | None:
        """The answer to one HTTP request; None to close the connection without one."""
        if self.stopping:
            return None
        if target.startswith(PREFIX):
            return control(self.service, method, target, body)
        return self.service.handle(method, target, body, signed=signed)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that went away: tests kill theirs on purpose."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """Reads a request whole, and writes the answer with its length."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: EmulatorServer

    def serve(self) -> None:
        """Answer one request, or close the connection."""
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        signed = "Authorization" in self.headers
        answer = None
        if len(body) == length:
            answer = self.server.answer(self.command, self.path, body, signed=signed)
        if answer is None:
            self.close_connection = True
            return
        self._write(*answer)

    do_GET = do_POST = do_DELETE = serve  # noqa: N815 - the names that http.server looks for

    def _write(self, status: int, headers: dict[str, str], payload: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_: Any) -> None:
        """The call log says it."""
