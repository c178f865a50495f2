"""An S3 that answers every read alike, at next to no cost: for measuring clients, not servers.

It runs in a process of its own, so that its work is not counted as the client's.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

_END = b"\r\n\r\n"


class _Reader(asyncio.Protocol):
    """Sends the answer once for each request head; a read has no body."""

    def __init__(self, answer: bytes) -> None:
        self._answer, self._pending = answer, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        *heads, self._pending = (self._pending + data).split(_END)
        self._transport.write(self._answer * len(heads))


@contextmanager
def s3_stub(body: bytes) -> Iterator[str]:
    """Serve one body under every key while the context lasts; yield the endpoint's URL."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, body), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}"
    finally:
        process.terminate()
        process.join()
        ours.close()
        theirs.close()


def _serve(started: Connection, body: bytes) -> None:
    asyncio.run(_listen(started, body))


async def _listen(started: Connection, body: bytes) -> None:
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n"
        'ETag: "e"\r\nLast-Modified: Mon, 07 Sep 2026 10:00:00 GMT'
    )
    answer = head.encode() + _END + body
    server = await asyncio.get_running_loop().create_server(
        lambda: _Reader(answer), "127.0.0.1", 0, backlog=128
    )
    started.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()
