"""The engine at the other end: nothing is written for one that has ended."""

from __future__ import annotations

import subprocess
import sys
import threading
import types
from collections.abc import Callable, Iterator

import pytest

from providers import cancellation
from providers.engine import Engine
from providers.errors import ApplyFailed, EngineGone
from providers.zone_records import ZoneRecordsProvider
from tests.providers.inputs import decided, inputs
from tests.support.engine_stub import EngineStub, engine_stub
from tests.support.zones import READS, Account

ADDRESSES = ["127.0.0.1:40123", "[::1]:40123", "localhost:1"]


@pytest.mark.parametrize("argument", ADDRESSES)
def test_a_provider_process(monkeypatch: pytest.MonkeyPatch, argument: str) -> None:
    """Its engine's address is its last argument."""
    monkeypatch.setattr(sys, "argv", ["-c", "--logtostderr", argument])
    assert Engine.of_this_process() == Engine(argument)


@pytest.mark.parametrize(
    "arguments", [["-c"], ["127.0.0.1:1"], ["x", "tests/x.py::y"], ["x", ":1"]]
)
def test_another_process(monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    """A test or a command has none, and may write."""
    monkeypatch.setattr(sys, "argv", arguments)
    engine = Engine.of_this_process()
    engine.require()
    engine.say("nobody hears it")
    assert engine == Engine("")


def test_an_engine_that_listens(engine: EngineStub) -> None:
    """It may be written for; it hears lines that stay and lines that pass."""
    found = Engine.of_this_process()
    found.require()
    found.say("a line that stays")
    found.progress("a line that passes")
    assert (engine.said, engine.passing) == (["a line that stays"], ["a line that passes"])


def test_an_engine_that_has_ended(engine: EngineStub) -> None:
    """Nothing more is to be written; telling it something is no error."""
    engine.stop()
    found = Engine.of_this_process()
    found.say("lost")
    with pytest.raises(EngineGone, match=rf"{engine.address} has ended.*run it again"):
        found.require()


@pytest.mark.parametrize("last", [1, 2, 3, 4])
def test_an_engine_that_ends_in_the_middle(
    account: Account, provider: ZoneRecordsProvider, engine: EngineStub, last: int
) -> None:
    """Its end is seen before every write: after the call in whose middle it came, none follows."""
    account.emulator.on_call = ending(engine, account, last)
    with pytest.raises(ApplyFailed, match="has ended, so nothing more is written"):
        provider.create(inputs(account, 2))
    assert len(account.writes()) == last


def test_an_engine_that_ends_before_the_first_write(
    account: Account, provider: ZoneRecordsProvider, engine: EngineStub
) -> None:
    """Nothing is written at all."""
    news = inputs(account, 2)
    engine.stop()
    with pytest.raises(EngineGone):
        provider.create(news)
    assert account.writes() == []


def test_the_run_after_it(
    account: Account, provider: ZoneRecordsProvider, engine: EngineStub
) -> None:
    """It observes and goes on."""
    account.emulator.on_call = ending(engine, account, 3)
    with pytest.raises(ApplyFailed):
        provider.create(inputs(account, 2))
    account.heal()
    with engine_stub() as next_engine:
        sys.argv[-1] = next_engine.address
        provider.create(inputs(account, 2))
    assert decided(account.live(), 2).plan.empty


def ending(engine: EngineStub, account: Account, last: int) -> Callable[[dict[str, object]], None]:
    """Stop the engine while its nth write is under way."""

    def watch(call: dict[str, object]) -> None:
        if call["op"] not in READS and len(account.writes()) == last:
            engine.stop()

    return watch


@pytest.fixture
def cancelled() -> Iterator[threading.Event]:
    """What the engine's Cancel sets in this process."""
    yield cancellation.CANCELLED
    cancellation.CANCELLED.clear()


def test_a_cancelled_run(cancelled: threading.Event, engine: EngineStub) -> None:
    """Nothing more is written for it, though the engine still listens."""
    found = Engine.of_this_process()
    found.require()
    cancelled.set()
    with pytest.raises(EngineGone, match="was cancelled"):
        found.require()
    assert engine.said == []


def test_a_wait_that_is_cancelled(cancelled: threading.Event) -> None:
    """It ends at once."""
    threading.Timer(0.05, cancelled.set).start()
    with pytest.raises(EngineGone):
        Engine("").sleep(60)


def test_a_wait() -> None:
    """It ends by itself."""
    Engine("").sleep(0.01)


def test_how_a_cancel_is_heard(cancelled: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    """The SDK's own method sets the event, though gRPC has taken hold of it before."""

    class DynamicResourceProviderServicer:
        def Cancel(self, request: object, context: object) -> None:  # noqa: N802 - the SDK's name
            raise AssertionError((request, context))

    main = types.SimpleNamespace(DynamicResourceProviderServicer=DynamicResourceProviderServicer)
    held = DynamicResourceProviderServicer().Cancel
    monkeypatch.setitem(sys.modules, "__main__", main)
    assert cancellation.listen()
    held(None, None)
    assert cancelled.is_set()


def test_a_process_without_the_servicer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program or a command that imports the provider hears nothing, and needs nothing."""
    monkeypatch.setitem(sys.modules, "__main__", types.SimpleNamespace())
    assert not cancellation.listen()


def test_an_engine_that_ended(engine: EngineStub) -> None:
    """Only where nothing listens any more has it surely ended."""
    found = Engine.of_this_process()
    assert not found.gone()
    engine.stop()
    assert found.gone()


def test_a_process_whose_engine_ended() -> None:
    """It ends by itself, and quietly: nobody will call it again."""
    program = (
        "import time; from providers import cancellation;"
        "cancellation._LOOK_EVERY = 0.05; cancellation.end_with(lambda: True); time.sleep(60)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, timeout=30, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
