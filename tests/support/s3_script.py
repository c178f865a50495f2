"""An S3 endpoint that answers writes by a script: for what emulators do not do when asked to."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Reply:
    """A status, S3's code for it, and headers; status 0 closes the connection without one."""

    status: int
    code: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


class ScriptedS3(ThreadingHTTPServer):
    """Gives each reply in turn, the last one for ever. `asked` lists the methods of the requests.

    A HEAD has a script of its own, `heads`.
    """

    daemon_threads = True

    def __init__(self, replies: tuple[Reply, ...], heads: tuple[Reply, ...]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.replies, self.heads = [*replies], [*heads]
        self.asked: list[str] = []

    @property
    def url(self) -> str:
        """The endpoint to give to a client."""
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def scripted_s3(*replies: Reply, heads: tuple[Reply, ...] = ()) -> Iterator[ScriptedS3]:
    """Run one while the context lasts."""
    with ScriptedS3(replies, heads) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_PUT(self) -> None:
        server = self.server
        assert isinstance(server, ScriptedS3)
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        server.asked.append(self.command)
        script = server.heads if self.command == "HEAD" else server.replies
        reply = script.pop(0) if len(script) > 1 else script[0]
        if reply.status == 0:
            self.close_connection = True
            return
        body = f"<Error><Code>{reply.code}</Code><Message>scripted</Message></Error>".encode()
        self.send_response_only(reply.status)
        for name, value in ({"Content-Length": str(len(body))} | {**reply.headers}).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_POST = do_PUT  # noqa: N815  # the names http.server looks for

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # inherited name
        pass
