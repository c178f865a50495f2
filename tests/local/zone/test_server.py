"""The HTTP side: requests that are cut off, clients that go away."""

import socket
import time
from urllib.parse import urlsplit

import pytest

from tests.local.zone.support import ZONE, Account

HEAD = f"POST /2013-04-01/hostedzone/{ZONE}/rrset HTTP/1.1\r\nAuthorization: x\r\n"


def connect(account: Account) -> socket.socket:
    """A plain connection to the emulator."""
    url = urlsplit(account.emulator.url)
    return socket.create_connection((str(url.hostname), int(url.port or 0)), timeout=5)


def test_half_a_request_is_no_call(account: Account) -> None:
    """A client killed while it writes has asked for nothing."""
    with connect(account) as client:
        client.sendall(f"{HEAD}Content-Length: 100\r\n\r\n<Change".encode())
        client.shutdown(socket.SHUT_WR)
        assert client.recv(1) == b""
    assert account.emulator.calls == []


def test_a_client_that_goes_away_is_not_reported(
    account: Account, capfd: pytest.CaptureFixture[str]
) -> None:
    """Its call is judged, and the answer has nobody to go to."""
    emulator = account.emulator
    with connect(account) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        emulator.on_call = lambda _: client.close()
        client.sendall(f"{HEAD}Content-Length: 0\r\n\r\n".encode())
        deadline = time.monotonic() + 5
        while not (emulator.calls and emulator.calls[0]["status"]):
            assert time.monotonic() < deadline, "the call was never judged"
            time.sleep(0.001)
    emulator.on_call = None
    account.client.list_hosted_zones()
    assert [call["status"] for call in emulator.calls] == [400, 200]
    assert capfd.readouterr() == ("", "")


def test_the_port_can_be_chosen(account: Account) -> None:
    """A taken one is an error, not another port."""
    port = int(urlsplit(account.emulator.url).port or 0)
    with pytest.raises(OSError, match="in use"):
        type(account.emulator)(port)
