"""A registry that does not play along: the run does the rest and fails, the next one ends it."""

from __future__ import annotations

import os
import signal
import stat
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from registry.connection import BUDGET_SECONDS
from registry.writes import BATCH_ROWS
from tests.engine.boxes import BoxDeployment, deploy_box, fill
from tests.engine.cli import Completed, EngineRunner, with_children
from tests.registry.samples import dump, locked, opened, run
from tests.support.s3_bucket import S3Bucket

pytestmark = pytest.mark.engine

# Without this capability root is bound by a file's mode as its owner is.
_BOUND = '#!/bin/sh\nexec setpriv --bounding-set=-dac_override "{pulumi}" "$@"\n'
_SMALL_DISK = """
import sqlite3
_connect = sqlite3.connect
def connect(database, **options):
    connection = _connect(database, **options)
    if "mode=rw" in str(database):
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
    return connection
sqlite3.connect = connect
"""
_SLOW = """
CREATE TRIGGER slow BEFORE INSERT ON routes WHEN new.slug = '{name}' BEGIN
    SELECT count(*) FROM (
        WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT {steps})
        SELECT n FROM numbers
    );
END
"""


@pytest.fixture
def box(engine: EngineRunner, tmp_path: Path, bucket: S3Bucket) -> BoxDeployment:
    """A box with nothing in its registry, whose bucket asks for two sidecars."""
    made = deploy_box(engine, tmp_path, bucket)
    fill(made, "a", "b")
    return made


def _failed(done: Completed) -> str:
    assert done.returncode != 0
    return done.stdout


def _ends(box: BoxDeployment, *names: str) -> None:
    """The next run makes the rest."""
    box.up()
    assert box.names() == sorted(names)


def test_locked(box: BoxDeployment) -> None:
    """A lock that outlasts the budget: nothing is written, both hosts are named."""
    with locked(box.registry):
        said = _failed(box.up(check=False))
    assert f"limit {BUDGET_SECONDS:g} s" in said
    assert "not made: a.eleven.bab.sidecar.internal, b.eleven.bab.sidecar.internal" in said
    assert "the next run goes on" in said
    assert box.names() == []
    _ends(box, "a", "b")


def test_read_only(box: BoxDeployment, tmp_path: Path) -> None:
    """A file that may only be read stays as it is; the message says what to run as whom."""
    pulumi = tmp_path / "bound"
    pulumi.write_text(_BOUND.format(pulumi=box.sidecars.pulumi))
    pulumi.chmod(stat.S_IRWXU)
    run(box.registry, "PRAGMA journal_mode = DELETE")
    before = dump(box.registry)
    box.registry.chmod(0o400)
    bound = replace(box, sidecars=replace(box.sidecars, pulumi=pulumi)) if not os.getuid() else box
    assert "run as the user that owns the file" in _failed(bound.up(check=False))
    box.registry.chmod(0o600)
    assert dump(box.registry) == before
    _ends(box, "a", "b")


def test_full(box: BoxDeployment, tmp_path: Path) -> None:
    """No room for another page: nothing half-written, the message says what to do."""
    (tmp_path / "sitecustomize.py").write_text(_SMALL_DISK)
    for number in range(40):
        box.record(f"n{number:02}")
    said = _failed(box.up(check=False, env={"PYTHONPATH": str(tmp_path)}))
    assert "free disk space and run again" in said
    assert "n39.eleven.bab.sidecar.internal" not in box.rows()
    assert box.names() == []
    _ends(box, "a", "b", *(f"n{number:02}" for number in range(40)))


def test_one_row_fails(box: BoxDeployment) -> None:
    """The other is there, and the snapshot stack runs all the same; then the next run ends it."""
    when = "WHEN new.slug = 'a' BEGIN SELECT RAISE(ABORT, 'not this one'); END"
    run(box.registry, f"CREATE TRIGGER t BEFORE INSERT ON routes {when}")
    said = _failed(box.up(check=False))
    assert "not done: a.eleven.bab.sidecar.internal: not this one" in said
    assert "sidecars: minted b.eleven.bab.sidecar.internal" in said
    assert box.names() == ["b"]
    assert "(1 route)" in box.take().stdout
    run(box.registry, "DROP TRIGGER t")
    _ends(box, "a", "b")


def _while_writing(box: BoxDeployment) -> Iterator[int]:
    """Yield the CLI's process while it is in the middle of its second transaction."""
    cli = box.start()
    deadline = time.monotonic() + 60
    while len(box.rows()) < BATCH_ROWS:
        assert time.monotonic() < deadline
        assert cli.poll() is None
        time.sleep(0.01)
    yield cli.pid
    cli.wait()


@pytest.mark.parametrize(("everything", "left"), [(False, 2 * BATCH_ROWS), (True, BATCH_ROWS)])
def test_killed_between_two_rows(box: BoxDeployment, *, everything: bool, left: int) -> None:
    """Each transaction is there whole or not at all; the next run, healed, makes the rest.

    A provider whose engine is gone ends the transaction that it is in, and begins no other.
    """
    names = [f"n{number:03}" for number in range(2 * BATCH_ROWS + 20)]
    for name in names:
        box.record(name)
    run(box.registry, _SLOW.format(name="n150", steps=3_000_000))
    for pid in _while_writing(box):
        for each in with_children(pid) if everything else [pid]:
            os.kill(each, signal.SIGKILL)
    with opened(box.registry) as platform:  # waits for what is under way
        platform.execute("PRAGMA busy_timeout = 60000")
        platform.execute("BEGIN IMMEDIATE")
        platform.execute("ROLLBACK")
    time.sleep(0.5)  # for a further transaction, which there must not be
    assert len(box.rows()) == left
    box.sidecars.launch("up", "--yes", "--skip-preview", env=box.env)
    assert box.names() == sorted(["a", "b", *names])
