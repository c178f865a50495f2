"""Putting a dead box's registry in place: from what, over what, and what is never done."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from control.bucket import open_writable
from control.errors import ControlError, ListingFailed, ReadFailed
from operate.errors import (
    NoSnapshot,
    RestoreFailed,
    TargetTaken,
    WrongBox,
)
from operate.restore import restore
from registry.connection import reading
from registry.errors import RegistryError
from registry.fingerprint import snapshot_fingerprint
from registry.verify import verify_file
from tests.operate.restoring import hosts_of, order, successor
from tests.registry.samples import opened, registry_of
from tests.support.fake_store import Crashed, Fault
from tests.support.s3_bucket import S3Bucket, point_at, serve_s3
from tests.support.snapshots import CURRENT, META, Machine
from tests.support.steps import CRASHES, Steps, counted


def test_restored(dead: Machine, target: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is whole, its owner's alone, and nothing else is in its folder."""
    assert restore(dead.store, order(target)) == 0

    assert verify_file(target).fingerprint == dead.fingerprint
    assert target.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in target.parent.iterdir()] == [target.name]
    assert capsys.readouterr().out.splitlines()[0] == (
        f"restored box a1 to {target}: 2 routes, from {CURRENT}, taken 2026-09-07T10:02:00Z"
        " (3 h old)"
    )


def test_successor(dead: Machine, target: Path) -> None:
    """The restored box writes nothing until it changes, and is not refused then."""
    restore(dead.store, order(target))
    box = successor(dead, target)
    assert box.decided().plan.empty

    box.sql("DELETE FROM routes WHERE slug = 'a'")
    assert box.pass_().parent == dead.fingerprint


def test_wrong_box(dead: Machine, target: Path) -> None:
    """A snapshot that says it is another box's is not restored, nor is a generation instead."""
    dead.store.place(META, dead.meta.model_copy(update={"box": "b2"}).body)
    with pytest.raises(WrongBox, match='says that it is of box "b2"'):
        restore(dead.store, order(target))

    assert not target.exists()


def test_box_without_a_snapshot(dead: Machine, target: Path) -> None:
    """Only a bucket that holds nothing of a box has no snapshot of it."""
    with pytest.raises(NoSnapshot, match="bucket control holds no snapshot of box c3"):
        restore(dead.store, order(target, box="c3"))

    assert not target.exists()


@pytest.mark.parametrize("op", ["get", "head", "list"])
def test_store_that_fails(dead: Machine, target: Path, op: str) -> None:
    """It is an error, not "no snapshot", and no generation is taken in its place."""
    dead.store.faults = lambda call: Fault("down") if call.op == op else None
    with pytest.raises((ReadFailed, ListingFailed), match="injected"):
        restore(dead.store, order(target))

    assert not target.exists()


def test_bucket_that_is_not_there(
    tmp_path: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NoSuchBucket is an error by that name."""
    for make in serve_s3(tmp_path):
        bucket: S3Bucket = make()
        point_at(monkeypatch, bucket.url)
        with pytest.raises(ControlError, match="NoSuchBucket"):
            restore(open_writable("no-such-bucket"), order(target))
        with pytest.raises(NoSnapshot):
            restore(open_writable(bucket.name), order(target))


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal"])
def test_target_that_is_taken(dead: Machine, target: Path, ending: str) -> None:
    """A registry or what is left of one is refused, before anything is read."""
    taken = Path(f"{target}{ending}")
    taken.write_bytes(b"mine")
    with pytest.raises(TargetTaken, match=f"{taken}: .* --replace"):
        restore(dead.store, order(target))

    assert taken.read_bytes() == b"mine"
    assert dead.store.calls == []


@pytest.mark.parametrize("replace", [False, True])
def test_folder_in_place_of_a_file(dead: Machine, folder: Path, *, replace: bool) -> None:
    """It is refused, and never set aside with all that is in it."""
    with pytest.raises(TargetTaken, match="is a folder; name the registry's file in it"):
        restore(dead.store, order(folder, replace=replace))
    assert folder.is_dir()
    assert dead.store.calls == []


def test_dangling_link(dead: Machine, target: Path) -> None:
    """It is something too."""
    target.symlink_to("nowhere")
    with pytest.raises(TargetTaken):
        restore(dead.store, order(target))


def test_replaced_registry(dead: Machine, target: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is set aside whole: what stood in its -wal is still there under its new name."""
    registry_of(target)
    with opened(target) as writer:
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("INSERT INTO routes (host, slug) VALUES ('old', 'old')")
        restore(dead.store, order(target, replace=True))
    aside = target.parent / "registry.db.aside-20260907T130200Z"

    assert hosts_of(target) == ["a", "b"]
    assert hosts_of(aside) == ["old"]
    assert f"set aside: {aside}\nset aside: {aside}-wal\n" in capsys.readouterr().out


def test_replaced_twice(dead: Machine, target: Path) -> None:
    """What was set aside is never written over."""
    target.write_bytes(b"one")
    for _ in range(3):
        restore(dead.store, order(target, replace=True))
    names = sorted(path.name for path in target.parent.iterdir())

    stamp = "registry.db.aside-20260907T130200Z"
    assert names == ["registry.db", stamp, f"{stamp}-2", f"{stamp}-3"]
    assert (target.parent / stamp).read_bytes() == b"one"


def test_folder_that_is_not_there(dead: Machine, target: Path) -> None:
    """It is named."""
    with pytest.raises(RestoreFailed, match="No such file or directory"):
        restore(dead.store, order(target.parent / "none" / "registry.db"))


def _state(target: Path) -> str:
    """Say which registry is there: the old one with what stood in its -wal, the new one, none."""
    try:
        hosts = hosts_of(target)
    except RegistryError:
        return "none" if not target.exists() else "broken"
    return {("old",): "old", ("a", "b"): "new"}.get(tuple(hosts), "mixed")


def _old(target: Path) -> None:
    for path in target.parent.iterdir():
        path.unlink()
    registry_of(target)
    connection = sqlite3.connect(target, isolation_level=None)
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("INSERT INTO routes (host, slug) VALUES ('old', 'old')")
    names = [(path, path.read_bytes()) for path in target.parent.iterdir()]
    connection.close()
    for path, body in names:
        path.write_bytes(body)


class _System:
    """Counts the renames, links and waits for the disk; ends the process at one of them."""

    def __init__(self, at: int, *, after: bool) -> None:
        self.left, self.after = at, after

    def guard(self, call: Callable[..., object]) -> Callable[..., object]:
        def guarded(*words: object) -> object:
            self.left -= 1
            if self.left == -1 and not self.after:
                raise Crashed
            result = call(*words)
            if self.left == -1:
                raise Crashed
            return result

        return guarded


@pytest.mark.parametrize("after", [False, True])
def test_end_between_two_steps(
    dead: Machine, target: Path, monkeypatch: pytest.MonkeyPatch, *, after: bool
) -> None:
    """The old registry whole, none, or the new one whole: and then restoring again does it."""
    seen = []
    for at in range(10):
        _old(target)
        system = _System(at, after=after)
        with monkeypatch.context() as patch:
            patch.setattr(Path, "rename", system.guard(Path.rename))
            patch.setattr(os, "link", system.guard(os.link))
            patch.setattr(os, "fsync", system.guard(os.fsync))
            try:
                restore(dead.store, order(target, replace=True))
            except Crashed:
                seen.append(_state(target))
        restore(dead.store, order(target, replace=True))
        assert _state(target) == "new"
    assert set(seen) == {"old", "none", "new"}
    assert seen == sorted(seen, key=["old", "none", "new"].index)


@pytest.mark.parametrize("kind", CRASHES)
def test_end_while_it_is_fetched(dead: Machine, target: Path, kind: str) -> None:
    """Until the file is whole, whatever is at the target is untouched."""
    steps = Steps()
    dead.store.faults = steps.store
    with counted(steps):
        for at in range(100):
            _old(target)
            steps.arm(at, kind)
            try:
                restore(dead.store, order(target, replace=True))
            except Crashed:
                assert _state(target) == "old"
            else:
                return
    raise AssertionError("a restore of over 100 steps")


def test_trial_states(target: Path) -> None:
    """The test's own eyes: the old registry needs its -wal, and a mixture is seen."""
    _old(target)
    assert _state(target) == "old"
    _old(target)
    Path(f"{target}-wal").unlink()
    assert _state(target) == "mixed"
    with reading(target) as connection:
        assert snapshot_fingerprint(connection)
