"""The demo's box shows what it is there to show, by the real reading and folding."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
import yaml
from obstore.store import MemoryStore

from control.sidecar_scan import read_sidecars
from control.store import ObjectStore
from folds.sidecar_changes import Admission
from folds.sidecar_placement import concerns
from folds.sidecar_plan import SidecarPlan
from folds.sidecar_standing import desired_of
from folds.sidecars import candidates, plan
from local import demo, demo_box
from local.demo_box import BOX, REGISTRY
from providers.sidecar_registry import rows_in
from registry.connection import reading
from stacks.box_settings import SidecarsSettings, SnapshotSettings
from stacks.settings import settings_of

STACKS = Path(__file__).parents[2] / "stacks"


def settings(stack: str) -> SidecarsSettings | SnapshotSettings:
    config = yaml.safe_load((STACKS / f"Pulumi.local-{stack}.yaml").read_text())["config"]
    found = settings_of(config)
    assert isinstance(found, (SidecarsSettings, SnapshotSettings))
    return found


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    path = tmp_path / "box" / "registry.db"
    assert demo_box.make_registry(path)
    return path


@pytest.fixture
def first(registry: Path) -> SidecarPlan:
    """What the first run works out."""
    store = MemoryStore()
    for key, body in {**demo.objects(), **demo_box.objects()}.items():
        store.put(key, body)
    documents = read_sidecars(ObjectStore(store), concerns=partial(concerns, box=BOX))
    desired, rows = desired_of(documents, BOX), rows_in(registry)
    return plan(desired, rows, [Admission(each.host) for each in candidates(desired, rows)])


def test_what_becomes_of_the_records(first: SidecarPlan) -> None:
    """Three are minted; every way of not being minted is there once; nothing fails."""
    what = {each.host.partition(".")[0]: each.action for each in first.verdicts}
    assert what == {
        "bot": "mint",
        "grader": "decline",
        "importer": "protect",
        "indexer": "mint",
        "ledger": "elsewhere",
        "mailer": "mint",
        "probe": "foreign",
        "relay": "elsewhere",
    }
    assert first.failures == ()


def test_registry_begins_with_what_is_not_ours(registry: Path) -> None:
    """Rows that nobody minted here, and a table of the platform's."""
    with reading(registry) as connection:
        (grants,) = connection.execute("SELECT count(*) FROM grants").fetchone()
    assert grants == 2
    assert [row.provisioned for row in rows_in(registry).rows] == [0, 0, 0]
    assert [each.name for each in registry.parent.iterdir()] == ["registry.db"]


def test_registry_that_is_there(registry: Path) -> None:
    """It stays as it is: the demo is a beginning."""
    with closing(sqlite3.connect(registry)) as connection, connection:
        connection.execute("DELETE FROM routes")
    assert not demo_box.make_registry(registry)
    assert rows_in(registry).rows == ()


def test_making_that_was_cut_short(registry: Path) -> None:
    """What it left is in nobody's way."""
    registry.rename(registry.with_suffix(".new"))
    assert demo_box.make_registry(registry)
    assert len(rows_in(registry).rows) == 3


def test_stack_files_name_the_demo() -> None:
    """Both stacks are of this box, this bucket and this registry."""
    sidecars, snapshot = settings("sidecars"), settings("snapshot")
    assert isinstance(sidecars, SidecarsSettings)
    assert sidecars.place == BOX
    assert (snapshot.box, snapshot.bucket) == (BOX.box, BOX.bucket)
    assert {sidecars.registry_path, snapshot.registry_path} == {REGISTRY}
