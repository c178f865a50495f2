"""What this box writes down of an installation, its fence, and files that are damaged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from control.claims import Claim
from providers.claim_errors import ClaimChanged, ClaimReadFailed, HostBusy, LocalStateUnreadable
from providers.claim_fence import FileFence
from providers.claim_ports import Observed
from tests.support.claims_files import HOST, FilesBox, observed
from tests.support.claims_platform import fence, write_local

DAMAGED = [b"", b"{", b"[]", b'{"v":1}', b'{"v":2}', b'{"v":1,"host":"other.example"}', b"\xff"]


@pytest.fixture
def box(tmp_path: Path) -> FilesBox:
    return FilesBox(tmp_path)


def test_inventory(box: FilesBox) -> None:
    """It says what was installed, and under which activation."""
    box.install()
    assert box.document() == (
        b'{"v":1,"host":"bot.eleven.bab.sidecar.internal","box":"ie-1","incarnation":"01J8",'
        b'"stamp":7,"layout":"flat","paths":["/data/bot.db"]}\n'
    )


def test_inventory_again(box: FilesBox) -> None:
    """The same is not written again."""
    box.install()
    path = box.folder / "claims" / HOST / "inventory.json"
    before = path.stat()
    box.install()
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_check_of_the_claim_read_there(box: FilesBox) -> None:
    """It gets the claim as it is by then, under the lock, and what it raises passes through."""
    at = box.activate()
    box.claims.now = observed(op="op-44")

    def refuse(found: Claim) -> None:
        assert found.op.id == "op-44"
        with pytest.raises(HostBusy), box.guard.locked(HOST):
            pass
        raise ClaimReadFailed(HOST, "no answer")

    with pytest.raises(ClaimReadFailed):
        box.inventory.record(HOST, at, "flat", (), refuse)
    assert box.document() is None


def test_inventory_without_a_claim(box: FilesBox) -> None:
    """It is gone, so nothing is recorded."""
    at = box.activate()
    box.claims.now = Observed(HOST, None)
    with pytest.raises(ClaimChanged, match="claim is gone"):
        box.inventory.record(HOST, at, "flat", (), lambda _: pytest.fail("asked"))
    assert box.document() is None


@pytest.mark.parametrize("meanwhile", ["later", "retired", "gone"])
def test_activation_that_is_another_by_now(box: FilesBox, meanwhile: str) -> None:
    """Who was let in before does not record."""
    at = box.activate()
    moves: dict[str, Callable[[], object]] = {
        "later": lambda: box.activate(8),
        "retired": box.retire,
        "gone": (box.folder / "claims" / HOST / "activation.json").unlink,
    }
    moves[meanwhile]()
    with pytest.raises(ClaimChanged):
        box.inventory.record(HOST, at, "flat", (), lambda _: None)
    assert box.document() is None


@pytest.mark.parametrize(
    ("op", "closed", "said"),
    [("op-40", True, True), ("op-40", False, False), ("op-39", True, False)],
)
def test_fence(box: FilesBox, op: str, *, closed: bool, said: bool) -> None:
    """It is closed for the operation that it names, and open for every other."""
    fence(box.folder, HOST, op=op, closed=closed)
    assert FileFence(box.guard.files).closed(observed()) is said


def test_no_fence(box: FilesBox) -> None:
    """It is open, and looking leaves nothing behind; without a claim there is none to ask for."""
    observer = FileFence(box.guard.files)
    assert not observer.closed(observed())
    assert not observer.closed(Observed(HOST, None))
    assert [*box.folder.iterdir()] == []


def test_fence_without_the_lock(box: FilesBox) -> None:
    """It is asked within the host's lock and without it."""
    fence(box.folder, HOST, op="op-40")
    with box.guard.locked(HOST):
        assert FileFence(box.guard.files).closed(observed())


@pytest.mark.parametrize("body", DAMAGED)
@pytest.mark.parametrize("name", ["activation.json", "inventory.json", "fence.json"])
def test_damaged_file(box: FilesBox, name: str, body: bytes) -> None:
    """It is an error that names the file, never "nothing installed" and never an open fence."""
    box.install()
    write_local(box.folder, HOST, name, body)
    asked: dict[str, list[Callable[[], object]]] = {
        "activation.json": [box.local, box.held],
        "inventory.json": [box.local, box.held, box.install],
        "fence.json": [lambda: FileFence(box.guard.files).closed(observed())],
    }
    for ask in asked[name]:
        with pytest.raises(LocalStateUnreadable, match=box.guard.files.path(HOST, name)):
            ask()
    assert box.document(name) == body
