"""A box's rows in the real engine: minted, explained, evacuated, held back, and in its snapshot."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from control.snapshot_keys import current_key
from tests.engine.boxes import BoxDeployment, deploy_box, fill
from tests.engine.cli import EngineRunner
from tests.registry.samples import dump, sidecar
from tests.support.s3_bucket import S3Bucket

pytestmark = pytest.mark.engine

NAMES = "abcde"


@pytest.fixture
def box(engine: EngineRunner, tmp_path: Path, bucket: S3Bucket) -> BoxDeployment:
    """A box with nothing in its registry, whose bucket asks for five sidecars."""
    made = deploy_box(engine, tmp_path, bucket)
    fill(made, *NAMES)
    return made


@pytest.fixture
def full(engine: EngineRunner, tmp_path: Path, bucket: S3Bucket) -> BoxDeployment:
    """A box that has the rows of five sidecars already."""
    folder = tmp_path / "full" / "registry.db"
    rows = [
        sidecar(name, db_path=f"{folder.parent}/{name}.eleven.bab.sidecar.internal.db")
        for name in NAMES
    ]
    made = deploy_box(engine, tmp_path, bucket, "full", *rows)
    fill(made, *NAMES)
    return made


def _in_snapshot(box: BoxDeployment, folder: Path) -> list[str]:
    """The first labels of the hosts in the current snapshot, sorted."""
    copy = folder / "copy.db"
    box.bucket.client.download_file(box.bucket.name, current_key(box.label), str(copy))
    with closing(sqlite3.connect(copy)) as connection:
        return sorted(
            host.partition(".")[0] for (host,) in connection.execute("SELECT host FROM routes")
        )


def test_minted_then_nothing(box: BoxDeployment, tmp_path: Path) -> None:
    """Up mints; again there is no change; what one pass mints is in the next snapshot pass."""
    box.up()
    assert box.names() == list(NAMES)
    before = dump(box.registry)
    box.up("--expect-no-changes")
    assert dump(box.registry) == before
    box.take()
    assert _in_snapshot(box, tmp_path) == list(NAMES)
    box.record("new")
    box.up()
    box.take()
    assert _in_snapshot(box, tmp_path) == [*NAMES, "new"]
    box.take("--expect-no-changes")


def test_preview_explains_every_record_and_row(full: BoxDeployment) -> None:
    """Each has a line and a reason; nothing is written."""
    full.forget("a")
    full.record("b", channel="beta")
    full.record("c", channel="")
    full.record("new")
    full.record("far", region="uk")
    before = dump(full.registry)
    lines = full.run("preview").stdout.splitlines()
    host = "eleven.bab.sidecar.internal"
    key = "apps/bab/eleven/sidecars"
    for said in (
        "sidecars: +1 ~1 -1 of 5 rows, 1 protected",
        f"- a.{host} its record {key}/a.json is gone",
        f'~ b.{host} channel "edge" -> "beta"',
        f"+ new.{host} bab/eleven channel",
        f"= c.{host} ({key}/c.json) protect: channel is empty",
        f"= d.{host} ({key}/d.json) keep",
        f"= e.{host} ({key}/e.json) keep",
        f'= far.{host} ({key}/far.json) elsewhere: asks for region "uk"',
    ):
        assert any(said in line for line in lines), said
    assert dump(full.registry) == before


def test_manifest_flipped_to_no_inbound(full: BoxDeployment) -> None:
    """Every row of the app leaves an inbound box, however many: the records were read."""
    full.configure(inbound="public")
    full.manifest(placement="no-inbound")
    full.up()
    assert full.names() == []


def test_wrong_prefix(full: BoxDeployment) -> None:
    """Nothing is retired; the run fails, and says what is held back and the one way past it.

    A preview alone fails as well, where it is asked to; local/pulumi asks.
    """
    full.configure(bucket=f"{full.bucket.name}/typo")
    before = dump(full.registry)
    assert "the run is going to fail: held back" in full.run("preview").stdout
    preview = full.sidecars.launch("preview", check=False, env=full.env)
    assert preview.returncode != 0
    assert "the run is going to fail: held back" in preview.stdout
    failed = full.up(check=False)
    assert failed.returncode != 0
    assert "sidecars: held back: a.eleven.bab.sidecar.internal, b.eleven" in failed.stdout
    assert "removes 5 of 5 owned rows because their records are absent, limit half" in failed.stdout
    assert "to let exactly this through: FAIRLEAD_ACKNOWLEDGE=" in failed.stdout
    assert dump(full.registry) == before


def test_what_is_not_held_back(full: BoxDeployment) -> None:
    """It is done in the same run, whose own preview does not stop it; then the run fails."""
    for name in "abc":
        full.forget(name)
    full.record("new")
    failed = full.sidecars.launch("up", "--yes", check=False, env=full.env)
    assert failed.returncode != 0
    assert "sidecars: held back: a.eleven" in failed.stdout
    assert full.names() == [*NAMES, "new"]
