"""``drill`` and ``snapshots``, and the words of all three commands."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from control.snapshot_keys import current_key, meta_key
from control.snapshot_records import SnapshotMeta
from operate import boxes
from operate.__main__ import main
from operate.ages import age
from operate.drill import drill
from operate.errors import NoSnapshot
from operate.snapshots import snapshots
from registry.verify import verify_file
from tests.operate.conftest import Desk
from tests.support.fake_store import FakeStore
from tests.support.s3_bucket import S3Bucket, point_at, serve_s3
from tests.support.snapshots import CURRENT, PREFIX, START, Machine, machine

_NOW = START + timedelta(hours=3, minutes=1)


@pytest.fixture
def box(folder: Path) -> Machine:
    made = machine(folder, "a", "b")
    made.pass_()
    return made


def _drill(made: Machine) -> int:
    return drill(made.store, bucket="control", box=made.box, now=_NOW)


def test_drill(box: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    """It fetches and verifies what a restore would take, and says how old it is."""
    assert _drill(box) == 0
    assert capsys.readouterr().out == (
        f"box a1: {CURRENT} is whole: 2 routes, taken 2026-09-07T10:01:00Z (3 h old),"
        f" {len(box.current)} bytes, fingerprint {box.fingerprint[:12]}\n"
    )


def test_drill_of_a_damaged_snapshot(box: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code says so, and the line what a restore would find instead."""
    box.store.place(CURRENT, b"\x1b[31m", box.store.objects[CURRENT][1])

    assert _drill(box) == 1
    out = capsys.readouterr().out
    assert f"not whole: {CURRENT}: is 5 bytes, described as" in out
    assert "20260907T100100Z.db is all that a restore would find: 2 routes" in out
    assert "\x1b" not in out


def test_drill_of_nothing() -> None:
    """It is an error: a drill that finds nothing to restore has not passed."""
    with pytest.raises(NoSnapshot):
        drill(FakeStore(), bucket="control", box="a1", now=_NOW)


def test_snapshots(box: Machine, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every box and generation, whole or what is wrong with it; strays are named."""
    other = machine(folder, "x", store=box.store, box="b2")
    other.pass_()
    box.mint("c")
    box.pass_()
    first = f"{PREFIX}20260907T100100Z.db"
    box.store.place(first, b"")
    box.store.place(f"{PREFIX}READ\x1bME", b"")

    assert snapshots(box.store, now=_NOW) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"a1: {CURRENT}: whole, taken 2026-09-07T10:02:00Z (2 h old)"
    assert (
        lines[1] == f"  {first}: the file has 0 bytes; set it aside and restore the box's snapshot"
    )
    assert lines[2] == f"  {PREFIX}20260907T100200Z.db: whole"
    assert lines[3] == f"  {PREFIX}READ\\x1bME: no generation, left alone"
    assert lines[4].startswith(f"b2: {current_key('b2')}: whole")


@pytest.mark.parametrize("what", ["gone", "undescribed", "broken", "another's"])
def test_snapshot_that_is_not_whole(
    box: Machine, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    """The exit code says so."""
    meta = meta_key("a1")
    if what == "gone":
        box.store.objects.pop(CURRENT)
    elif what == "undescribed":
        box.store.objects.pop(meta)
    else:
        other = box.meta.model_copy(update={"box": "b2"}).body
        box.store.place(meta, b"<html>" if what == "broken" else other)

    assert snapshots(box.store, now=_NOW) == 1
    said = {"gone": "gone", "undescribed": "nothing describes it", "broken": "is not JSON"}
    assert said.get(what, 'says it is of box "b2"') in capsys.readouterr().out


def test_no_snapshots(capsys: pytest.CaptureFixture[str]) -> None:
    """An empty bucket is said to be empty."""
    assert snapshots(FakeStore(), now=_NOW) == 0
    assert capsys.readouterr().out == "no box has a snapshot\n"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        *((0, "0 s old"), (119, "119 s old"), (120, "2 min old"), (7200, "2 h old")),
        *((86400 * 2, "2 d old"), (-90, "90 s in the future: see the clocks")),
    ],
)
def test_age(seconds: int, said: str) -> None:
    """In the largest unit there are two of; a clock that is behind is said to be."""
    meta = SnapshotMeta(created_at="2026-09-07T10:00:00Z")

    assert age(meta, START + timedelta(seconds=seconds)) == said


@pytest.fixture(scope="module")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Bucket]:
    for make in serve_s3(tmp_path_factory.mktemp("s3")):
        yield make()


def _operate(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["operate", *words])
    return main()


def test_commands(
    box: Machine, bucket: S3Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bucket is enough: a new box has no stack yet."""
    point_at(monkeypatch, bucket.url)
    for key, (data, told) in box.store.objects.items():
        bucket.client.put_object(Bucket=bucket.name, Key=key, Body=data, Metadata=told)
    target, where = tmp_path / "registry.db", ("--bucket", bucket.name)
    restored = ("restore", *where, "--box", "a1", "--to", str(target))

    assert _operate(monkeypatch, "snapshots", *where) == 0
    assert _operate(monkeypatch, "drill", *where, "--box", "a1") == 0
    assert _operate(monkeypatch, *restored) == 0
    assert _operate(monkeypatch, *restored) == 2
    assert _operate(monkeypatch, *restored, "--replace") == 0
    assert verify_file(target).fingerprint == box.fingerprint


@pytest.mark.parametrize("kind", ["steering", "snapshot"])
def test_bucket_of_a_stack(
    desk: Desk,
    box: Machine,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
) -> None:
    """Whatever kind of stack it is, it names its bucket; one that is given besides goes first."""
    asked: list[str] = []

    def opened(name: str) -> FakeStore:
        asked.append(name)
        return box.store

    monkeypatch.setattr(boxes, "open_writable", opened)
    own = {"bucket": "of-stack", "box": "b9", "registry": "/r.db", "kind": kind}
    kept = own if kind != "steering" else {"bucket": "of-stack"}
    config = {f"fairlead:{name}": {"value": value} for name, value in kept.items()}
    desk.answer("config", config)

    assert desk.run("drill", "--box", "a1") == 0
    assert desk.run("drill", "--box", "a1", "--bucket", "given") == 0
    assert asked == ["of-stack", "given"]
    assert "box a1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("drill", "--box", "a1"), "operate drill: give --bucket, or --stack"),
        (("drill", "--bucket", "x", "--box", "../b"), "argument --box: not a label"),
        (("restore", "--bucket", "x", "--box", "a1"), "required: --to"),
    ],
)
def test_words_that_are_wrong(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    said: str,
) -> None:
    """They are refused before anything is read."""
    try:
        code: object = _operate(monkeypatch, *words)
    except SystemExit as end:
        code = end.code

    assert code == 2
    assert said in capsys.readouterr().err
