"""A proxy in front of an S3 endpoint: counts what is asked, and makes chosen requests fail.

It runs in the test's own process; a program under test reaches it by ``AWS_ENDPOINT_URL_S3``.
Faults stay until `clear`, so a client's retries meet them again.
"""

from __future__ import annotations

import http.client
import re
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

DROP = 0
"""In place of a status: close the connection without an answer."""

_TOKEN = re.compile(rb"<NextContinuationToken>([^<]+)</NextContinuationToken>")
_SIGNER = re.compile(r"Credential=([^/]+)/")
_NOT_FORWARDED = frozenset({"connection", "expect", "keep-alive", "transfer-encoding"})
_CODES = {403: "AccessDenied", 404: "NoSuchKey", 500: "InternalError", 503: "SlowDown"}


@dataclass(frozen=True)
class Call:
    """One request: an object's key in its bucket, or the prefix of a listing and its page, from 1.

    ``signer`` is the access key it was signed with, ``target`` what a request to another service
    asks for: all of those are one POST.
    """

    method: str
    key: str
    page: int
    signer: str
    target: str = ""


@dataclass
class Faults:
    """What to do to which request. ``page_size`` makes every listing come in pages that small."""

    page_size: int = 0
    listings: dict[tuple[str, int], int] = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)
    cuts: dict[str, int] = field(default_factory=dict)
    methods: dict[tuple[str, str], int] = field(default_factory=dict)
    lost: dict[tuple[str, str], int] = field(default_factory=dict)
    delay: float = 0.0


class FaultProxy(ThreadingHTTPServer):
    """The proxy; `fault_proxy` runs one. `calls` lists every request, in order of arrival."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, upstream: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.upstream = urlsplit(upstream).netloc
        self.calls: list[Call] = []
        self.pages: dict[str, int] = {}
        self.faults = Faults()

    @property
    def url(self) -> str:
        """The endpoint to give to a client."""
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over a client that did not wait for its answer: some tests are about those."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def fail_listing(self, prefix: str, page: int, status: int = 403) -> None:
        """Answer one page of the listing of a prefix with a status, or `DROP`."""
        self.faults.listings[prefix, page] = status

    def fail_key(self, key: str, status: int = 403) -> None:
        """Answer reads of a key with a status, or `DROP`."""
        self.faults.keys[key] = status

    def fail_method(self, method: str, key: str, status: int = 403) -> None:
        """Answer one method on a key with a status, or `DROP`."""
        self.faults.methods[method, key] = status

    def vanish(self, key: str) -> None:
        """Let a key be listed and be gone when it is read."""
        self.fail_key(key, 404)

    def cut(self, key: str, after: int) -> None:
        """Close the connection after so many bytes of an object's body."""
        self.faults.cuts[key] = after

    def lose_answers(self, method: str, key: str, times: int) -> None:
        """Do what is asked so many times, and close the connection in place of the answer."""
        self.faults.lost[method, key] = times

    def clear(self) -> None:
        """Take all faults back and forget the calls."""
        self.faults = Faults()
        self.calls.clear()


@contextmanager
def fault_proxy(upstream: str) -> Iterator[FaultProxy]:
    """Run a proxy in front of an endpoint's URL while the context lasts."""
    with FaultProxy(upstream) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        proxy = self.server
        assert isinstance(proxy, FaultProxy)
        call, target = _understand(self, proxy)
        proxy.calls.append(call)
        time.sleep(proxy.faults.delay)
        status = proxy.faults.listings.get((call.key, call.page))
        if status is None and not call.page:
            of_method = proxy.faults.methods.get((call.method, call.key))
            status = proxy.faults.keys.get(call.key, of_method)
        if status is None:
            self._forward(call, target, proxy)
        elif status == DROP:
            self.close_connection = True
        else:
            self._answer(status, {"Content-Type": "application/xml"}, _error(status))

    do_HEAD = do_PUT = do_POST = do_DELETE = do_GET  # noqa: N815  # the names http.server looks for

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # inherited name
        pass

    def _forward(self, call: Call, target: str, proxy: FaultProxy) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        upstream = http.client.HTTPConnection(proxy.upstream, timeout=30)
        try:
            upstream.request(self.command, target, body, _kept(dict(self.headers)))
            answer = upstream.getresponse()
            data = answer.read()
        finally:
            upstream.close()
        if left := proxy.faults.lost.get((call.method, call.key), 0):
            proxy.faults.lost[call.method, call.key] = left - 1
            self.close_connection = True
            return
        if token := _TOKEN.search(data) if call.page else None:
            proxy.pages[token.group(1).decode()] = call.page + 1
        self._answer(answer.status, _kept(dict(answer.getheaders())), data, proxy.faults, call.key)

    def _answer(
        self,
        status: int,
        headers: dict[str, str],
        data: bytes,
        faults: Faults | None = None,
        key: str = "",
    ) -> None:
        self.send_response_only(status)
        for name, value in ({"Content-Length": str(len(data))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        after = faults.cuts.get(key) if faults else None
        self.wfile.write(b"" if self.command == "HEAD" else data[:after])
        self.close_connection = self.close_connection or after is not None


def _understand(request: BaseHTTPRequestHandler, proxy: FaultProxy) -> tuple[Call, str]:
    """Name a request, and say what to ask of the endpoint in its place."""
    url = urlsplit(request.path)
    signed = _SIGNER.search(request.headers.get("Authorization", ""))
    signer = signed.group(1) if signed else ""
    query = parse_qs(url.query, keep_blank_values=True)
    if "list-type" not in query:
        key = unquote(url.path).lstrip("/").partition("/")[2]
        target = request.headers.get("X-Amz-Target", "")
        return Call(request.command, key, 0, signer, target), request.path
    token = query.get("continuation-token", [""])[0]
    page = proxy.pages[token] if token else 1
    if proxy.faults.page_size:
        query["max-keys"] = [str(proxy.faults.page_size)]
    target = f"{url.path}?{urlencode(query, doseq=True, quote_via=quote)}"
    return Call(request.command, query.get("prefix", [""])[0], page, signer), target


def _kept(headers: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() not in _NOT_FORWARDED}


def _error(status: int) -> bytes:
    code = _CODES.get(status, "Error")
    return f"<Error><Code>{code}</Code><Message>injected {status}</Message></Error>".encode()
