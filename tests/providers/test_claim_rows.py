"""Rows written under a claim, holds, and the work that writes run in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from control.claims import Claim, Holder, Op
from providers.claim_errors import (
    ClaimChanged,
    ClaimReadFailed,
    HostBusy,
    LocalStateUnreadable,
    LocalWriteFailed,
)
from providers.claim_files import HostFiles
from providers.claim_guard import FileGuard
from providers.claim_ports import Captured, CapturingSelector, Observed, Ownership, Permit
from providers.claim_rows import RegistryHolds, write_under
from providers.claim_work import FileSelector
from registry.errors import RegistryError
from registry.operations import Converge, Mint, Operation, Remove
from registry.route import Route
from tests.registry.samples import ACCOUNT, APP, dump, insert, locked, registry_of, run, sidecar
from tests.registry.test_writes import CHANNEL, routes

ROW = sidecar("b")
HOST = ROW.host
OWNED = Ownership("apps/bab/eleven/sidecars/b.json", "01J8", "sidecar", 7)
COLUMNS: dict[str, str | int] = {
    "claim_key": OWNED.key,
    "claim_incarnation": "01J8",
    "claim_family": "sidecar",
    "claim_stamp": 7,
}


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    return registry_of(tmp_path / "registry.db", ROW)


def permit(ownership: Ownership = OWNED, confirm: Callable[[], None] = lambda: None) -> Permit:
    return Permit(ownership, confirm)


def refusing() -> None:
    raise ClaimChanged(HOST, "it moved on")


def row(path: Path, host: str = HOST) -> Route:
    return routes(path)[host]


def hold(path: Path, given: Permit | None = None, op: str = "op-41", host: str = HOST) -> None:
    RegistryHolds(path, 0.05).hold(host, op, given or permit())


# --- writes


@pytest.mark.behaviour(123)
def test_mint_under_a_claim(registry: Path) -> None:
    """The row carries the permit's ownership."""
    write_under(registry, Mint(sidecar("new")), permit())
    assert row(registry, sidecar("new").host) == sidecar("new", **COLUMNS)


def test_write_with_claims_off(registry: Path) -> None:
    """A permit without a stamp writes no ownership, and asks for none."""
    run(registry, "UPDATE routes SET claim_stamp = 9")
    write_under(registry, Converge(HOST, APP, ACCOUNT, (CHANNEL,)), permit(Ownership()))
    assert row(registry) == sidecar("b", channel="beta", claim_stamp=9)


CHANGES: list[Operation] = [
    Mint(sidecar("new")),
    Converge(HOST, APP, ACCOUNT, (CHANNEL,)),
    Remove(HOST, APP, ACCOUNT),
]


@pytest.mark.parametrize("change", CHANGES)
def test_write_that_is_not_confirmed(registry: Path, change: Operation) -> None:
    """What the confirmation raises passes through, and nothing is written."""
    before = dump(registry)
    with pytest.raises(ClaimChanged, match="moved on"):
        write_under(registry, change, permit(confirm=refusing))
    assert dump(registry) == before


@pytest.mark.parametrize("change", CHANGES[1:])
def test_write_of_who_comes_late(registry: Path, change: Operation) -> None:
    """A newer claim's row is left; the claim need not be read for that."""
    run(registry, "UPDATE routes SET claim_stamp = 8, claim_incarnation = '01J9'")
    before = dump(registry)
    result = write_under(registry, change, permit(confirm=pytest.fail))
    assert result.outcome == "refused"
    assert dump(registry) == before


# --- holds


def test_hold(registry: Path) -> None:
    """The hold is written, and nothing else; twice is once."""
    hold(registry)
    hold(registry)
    assert row(registry) == sidecar("b", hold="op-41")


def test_hold_that_is_not_confirmed(registry: Path) -> None:
    """A claim that moved on holds nothing."""
    with pytest.raises(ClaimChanged, match="moved on"):
        hold(registry, permit(confirm=refusing))
    assert row(registry) == ROW


@pytest.mark.parametrize("held", ["op-40", "operator", "?", " "])
def test_hold_of_another(registry: Path, held: str) -> None:
    """An operator's, another operation's and one of an unknown word stay, and are named."""
    run(registry, f"UPDATE routes SET hold = '{held}'")  # noqa: S608
    with pytest.raises(ClaimChanged, match="the row is held by"):
        hold(registry)
    assert row(registry) == sidecar("b", hold=held)


def test_hold_under_an_older_claim(registry: Path) -> None:
    """Who comes late does not hold what a newer claim wrote."""
    run(registry, "UPDATE routes SET claim_stamp = 8")
    with pytest.raises(ClaimChanged, match="a newer claim wrote the row"):
        hold(registry)


@pytest.mark.parametrize(
    "host", [sidecar("gone").host, "hello.bab.example.com", "..", "", "a\0.eleven.bab"]
)
def test_hold_of_no_row(registry: Path, host: str) -> None:
    """Nothing is minted to be held."""
    before = dump(registry)
    with pytest.raises(ClaimChanged):
        hold(registry, host=host)
    assert dump(registry) == before


@pytest.mark.parametrize("other", [{"kind": "exec"}, {"provisioned": 0}, {"app": "x"}])
def test_hold_of_a_row_that_is_not_ours(registry: Path, other: dict[str, str | int]) -> None:
    """Another's row at the host is left alone."""
    insert(registry, [sidecar("new", **other)])
    with pytest.raises(ClaimChanged, match="not ours"):
        hold(registry, host=sidecar("new").host)


def test_registry_that_fails(registry: Path, tmp_path: Path) -> None:
    """A hold that could not be written is a failure, not an answer."""
    with locked(registry), pytest.raises(LocalWriteFailed, match="locked"):
        hold(registry)
    run(registry, "CREATE TRIGGER t BEFORE UPDATE ON routes BEGIN SELECT RAISE(FAIL, 'no'); END")
    with pytest.raises(LocalWriteFailed, match="the registry refused its row: no"):
        hold(registry)
    with pytest.raises(LocalWriteFailed, match="no such file"):
        hold(tmp_path / "none.db")
    with pytest.raises(RegistryError):
        write_under(tmp_path / "none.db", CHANGES[0], permit())


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, True),
        ({"claim_incarnation": "01J8"}, True),
        ({"claim_incarnation": "other"}, False),
        ({"kind": "exec"}, False),
        ({"app": "x"}, False),
    ],
)
def test_row_that_is_there(registry: Path, changes: dict[str, str | int], *, found: bool) -> None:
    """Ours, of the incarnation asked for or from before claims."""
    insert(registry, [sidecar("new", **changes)])
    assert RegistryHolds(registry).has_row(sidecar("new").host, "01J8") is found


def test_row_that_is_not_there(registry: Path, tmp_path: Path) -> None:
    """None, a strange one, and a registry that cannot be read are told apart."""
    holds = RegistryHolds(registry)
    assert not holds.has_row(sidecar("gone").host, "01J8")
    assert not holds.has_row("hello.bab.example.com", "01J8")
    run(registry, "UPDATE routes SET args = CAST(x'ff' AS TEXT)")
    assert not holds.has_row(HOST, "01J8")
    with pytest.raises(LocalStateUnreadable, match="no such file"):
        RegistryHolds(tmp_path / "none.db").has_row(HOST, "01J8")


# --- work


@pytest.fixture
def guard(tmp_path: Path) -> FileGuard:
    made = FileGuard(HostFiles(tmp_path), limit_seconds=0.05)
    activate(made, 7)
    return made


def activate(guard: FileGuard, stamp: int) -> None:
    holder = Holder("key", "01J8", "sidecar", stamp)
    observed = Observed(HOST, Claim(HOST, holder, Op("op-40", "serving", "ie-1")))
    guard.activate(HOST, "ie-1", lambda _: observed)


def test_work_at_a_capture(guard: FileGuard) -> None:
    """It runs under the host's lock; what it raises passes through."""
    selector: CapturingSelector = FileSelector(guard)
    work = selector.select_at(HOST, "reconcile", guard.capture(HOST))

    def write() -> None:
        with pytest.raises(HostBusy), guard.locked(HOST):
            pass
        raise ClaimReadFailed(HOST, "of the write")

    with pytest.raises(ClaimReadFailed, match="of the write"):
        work.run(write)


@pytest.mark.parametrize("meanwhile", ["later", "retired", "gone"])
def test_work_at_a_capture_that_is_over(guard: FileGuard, meanwhile: str) -> None:
    """Who was paused since does not write."""
    captured = guard.capture(HOST)
    work = FileSelector(guard).select_at(HOST, "reconcile", captured)
    moves: dict[str, Callable[[], object]] = {
        "later": lambda: activate(guard, 8),
        "retired": lambda: guard.retire(HOST, captured),
        "gone": (guard.files.data_dir / "claims" / HOST / "activation.json").unlink,
    }
    moves[meanwhile]()
    with pytest.raises(ClaimChanged):
        work.run(pytest.fail)


def test_work_without_claims(tmp_path: Path) -> None:
    """Nothing is locked, and nothing made."""
    asked: list[None] = []
    FileSelector(FileGuard(HostFiles(tmp_path))).select(HOST, "reconcile").run(
        lambda: asked.append(None)
    )
    assert (asked, [*tmp_path.iterdir()]) == ([None], [])


def test_retirement_within_work(guard: FileGuard) -> None:
    """Whoever has the lock by its work may retire the activation."""
    captured = guard.capture(HOST)
    work = FileSelector(guard).select_at(HOST, "retire", captured)
    work.run(lambda: guard.retire(HOST, captured))
    assert guard.capture(HOST) == Captured(HOST, "ie-1", "01J8", 7, retired=True)
    assert replace(captured, retired=True) == guard.capture(HOST)
