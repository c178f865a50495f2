"""The activation record: who was let in last, and that nobody from before comes back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from control.claims import Claim, Holder, Op
from providers.claim_errors import (
    ClaimChanged,
    ClaimError,
    ClaimReadFailed,
    HostBusy,
    LocalStateUnreadable,
)
from providers.claim_files import HostFiles
from providers.claim_guard import FileGuard
from providers.claim_ports import Captured, Observed

HOST, BOX = "bot.eleven.bab.sidecar.internal", "ie-1"


@pytest.fixture
def guard(tmp_path: Path) -> FileGuard:
    return FileGuard(HostFiles(tmp_path), limit_seconds=0.05)


def observed(stamp: int = 7, incarnation: str = "01J8") -> Observed:
    holder = Holder("apps/bab/eleven/sidecars/bot.json", incarnation, "sidecar", stamp)
    return Observed(HOST, Claim(HOST, holder, Op("op-40", "serving", BOX)), '"e1"')


def activate(guard: FileGuard, stamp: int = 7, incarnation: str = "01J8", box: str = BOX) -> None:
    guard.activate(HOST, box, lambda _: observed(stamp, incarnation))


def captured(stamp: int = 7, *, retired: bool = False) -> Captured:
    return Captured(HOST, BOX, "01J8", stamp, retired)


def document(guard: FileGuard) -> bytes | None:
    return guard.files.read(HOST, "activation.json")


def test_activation(guard: FileGuard) -> None:
    """It names the box, and the holder's incarnation and stamp."""
    activate(guard)
    assert guard.capture(HOST) == captured()


def test_capture_of_nothing(guard: FileGuard) -> None:
    """Who was never let in has nothing to select work at."""
    with pytest.raises(ClaimChanged, match="never let in"):
        guard.capture(HOST)
    assert not (guard.files.data_dir / "claims").exists()


@pytest.mark.parametrize(("stamp", "incarnation"), [(8, "01J8"), (8, "other"), (99, "01J8")])
def test_activation_under_a_later_claim(guard: FileGuard, stamp: int, incarnation: str) -> None:
    """A later stamp replaces what was, whoever held it."""
    activate(guard)
    activate(guard, stamp, incarnation)
    assert guard.capture(HOST) == Captured(HOST, BOX, incarnation, stamp)


def test_activation_again(guard: FileGuard) -> None:
    """The same claim lets the same box in again, and writes nothing."""
    activate(guard)
    path = guard.files.data_dir / "claims" / HOST / "activation.json"
    before = path.stat()
    activate(guard)
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize(
    ("stamp", "incarnation", "box"),
    [(6, "01J8", BOX), (1, "01J8", BOX), (7, "other", BOX), (7, "01J8", "uk-1")],
)
def test_activation_of_who_comes_late(
    guard: FileGuard, stamp: int, incarnation: str, box: str
) -> None:
    """The stamp never goes down, and one stamp has one holder on one box."""
    activate(guard)
    before = document(guard)
    with pytest.raises(ClaimChanged, match="stamp"):
        activate(guard, stamp, incarnation, box)
    assert document(guard) == before


def test_incarnation_that_went_and_came(guard: FileGuard) -> None:
    """A claim deleted and made anew begins with a stamp that is behind, and is not let in."""
    activate(guard, 7)
    with pytest.raises(ClaimChanged, match="a later claim was here: stamp 7, and this one's is 1"):
        activate(guard, 1, "made anew")


@pytest.mark.parametrize("stamp", [6, 7])
def test_activation_after_a_retirement(guard: FileGuard, stamp: int) -> None:
    """Who was let in before the row went, and wakes late, does not bring it back."""
    activate(guard)
    guard.retire(HOST, captured())
    with pytest.raises(ClaimChanged):
        activate(guard, stamp)
    assert guard.capture(HOST) == captured(retired=True)
    activate(guard, 8)
    assert guard.capture(HOST) == captured(8)


def test_retirement(guard: FileGuard) -> None:
    """It goes up with the stamp as well, and stays; the same again writes nothing."""
    guard.retire(HOST, captured(7))
    guard.retire(HOST, captured(7))
    guard.retire(HOST, captured(9))
    assert guard.capture(HOST) == captured(9, retired=True)
    with pytest.raises(ClaimChanged, match="a later claim was here: stamp 9"):
        guard.retire(HOST, captured(8))


@pytest.mark.parametrize(
    "seen",
    [
        Observed(HOST, None),
        Observed(HOST, Claim(HOST, None, Op("", ""))),
        Observed("other", observed().claim),
        observed(0),
    ],
)
def test_claim_to_let_nobody_in(guard: FileGuard, seen: Observed) -> None:
    """Without a holder of this host and a stamp there is nothing to activate."""
    with pytest.raises(ClaimChanged, match="no holder"):
        guard.activate(HOST, BOX, lambda _: seen)
    assert document(guard) is None


def test_reader_that_refuses(guard: FileGuard) -> None:
    """What the checking reader raises passes through; it is asked under the lock, once."""
    asked: list[str] = []

    def refuse(host: str) -> Observed:
        asked.append(host)
        with pytest.raises(HostBusy), guard.locked(HOST):
            pass
        raise ClaimReadFailed(host, "no answer")

    with pytest.raises(ClaimReadFailed):
        guard.activate(HOST, BOX, refuse)
    assert (asked, document(guard)) == ([HOST], None)


def test_lock_is_not_had(guard: FileGuard) -> None:
    """Nothing is read, and the host is named."""
    with guard.locked(HOST), pytest.raises(HostBusy, match=HOST):
        guard.activate(HOST, BOX, pytest.fail)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b'{"v":1}',
        b'{"v":2,"host":"bot.eleven.bab.sidecar.internal"}',
        b'{"v":1,"host":"other","box":"ie-1","incarnation":"i","stamp":7,"retired":false}',
        b'{"v":1,"host":"bot.eleven.bab.sidecar.internal","box":"ie-1","incarnation":"i","stamp":0}',
        b'{"v":1,"host":"bot.eleven.bab.sidecar.internal","box":"ie-1","incarnation":"i","stamp":"7"}',
        b'{"v":1,"v":1}',
    ],
)
def test_damaged_record(guard: FileGuard, body: bytes) -> None:
    """It is an error that names the file, never "nobody was here"; it stays as it is."""
    activate(guard)
    guard.files.replace(HOST, "activation.json", body)
    path = guard.files.path(HOST, "activation.json")
    attempts: list[Callable[[], object]] = [
        lambda: activate(guard, 99),
        lambda: guard.retire(HOST, captured(99)),
        lambda: guard.capture(HOST),
    ]
    for attempt in attempts:
        with pytest.raises(LocalStateUnreadable, match=path) as damaged:
            attempt()
        assert "\n" not in str(damaged.value)
    assert document(guard) == body


def test_record_of_a_later_version(guard: FileGuard) -> None:
    """The message says what to do: this program is too old for it."""
    guard.files.replace(HOST, "activation.json", b'{"v":2,"host":"x"}')
    with pytest.raises(ClaimError, match="of version 2, and 1 is the latest known here: update"):
        guard.capture(HOST)
