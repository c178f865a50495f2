"""``RegistrySnapshot`` as the engine calls it, against an emulated bucket."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pulumi.dynamic.dynamic import serialize_provider

from control.bucket import open_writable
from control.snapshot_keys import meta_key
from folds.snapshots import decide
from providers.errors import ApplyFailed, EngineGone, GuardRefused
from providers.registry_snapshot import RegistrySnapshotProvider
from providers.snapshot_inputs import SnapshotDesired, SnapshotInputs
from providers.snapshot_reading import observe_snapshot
from tests.registry.samples import insert, registry_of, sidecar
from tests.support.engine_stub import EngineStub
from tests.support.s3_bucket import S3Bucket, new_bucket, point_at, serve_s3
from tests.support.snapshots import CURRENT, PREFIX, quick_folder

Props = dict[str, Any]


@pytest.fixture(scope="module")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Bucket]:
    for make in serve_s3(tmp_path_factory.mktemp("s3")):
        yield make()


@dataclass
class Box:
    """A registry, a bucket, and what a program sends that sees both."""

    bucket: S3Bucket
    registry: Path

    def inputs(self, acknowledged: str = "") -> Props:
        """What a program decides, on the wire: every number is a float."""
        store = open_writable(self.bucket.name)
        seen = observe_snapshot(store, self.registry, box="a1", bucket=self.bucket.name)
        decision = decide(seen, acknowledged)
        desired = SnapshotDesired(box="a1", bucket=self.bucket.name, registry=str(self.registry))
        made = SnapshotInputs(desired=desired, plan=decision.plan.lines, summary=decision.summary)
        props: Props = json.loads(made.model_dump_json(by_alias=True), parse_int=float)
        return {**props, "__provider": "gASV", "key": None}

    def keys(self) -> list[str]:
        listed = self.bucket.client.list_objects_v2(Bucket=self.bucket.name)
        return [each["Key"] for each in listed.get("Contents", ())]


@pytest.fixture
def box(s3: S3Bucket, monkeypatch: pytest.MonkeyPatch) -> Iterator[Box]:
    point_at(monkeypatch, s3.url)
    with quick_folder() as folder:
        registry = registry_of(folder / "registry.db", sidecar("a"))
        yield Box(new_bucket(s3.url, s3.client), registry)


@pytest.fixture
def provider() -> Iterator[RegistrySnapshotProvider]:
    """A provider; the frames that it hides are given back afterwards."""
    yield RegistrySnapshotProvider()
    vars(sys).pop("tracebacklimit", None)


def _reasons(provider: RegistrySnapshotProvider, news: Props) -> list[str]:
    result = provider.check({}, news)
    assert result.inputs == news
    assert {failure.property for failure in result.failures} <= {""}
    return [failure.reason for failure in result.failures]


def _created(provider: RegistrySnapshotProvider, box: Box) -> Props:
    outputs = provider.create(box.inputs()).outs
    assert outputs is not None
    return outputs


def test_create(box: Box, provider: RegistrySnapshotProvider, engine: EngineStub) -> None:
    """The snapshot is in the bucket, and the outputs say where."""
    made = provider.create(box.inputs())
    outputs = made.outs
    assert outputs is not None

    assert made.id == f"{box.bucket.name}/{CURRENT}"
    assert outputs["key"] == CURRENT
    assert box.keys() == [CURRENT, meta_key("a1"), *outputs["generations"]]
    assert engine.said == []


def test_second_run(box: Box, provider: RegistrySnapshotProvider) -> None:
    """It plans nothing, so nothing differs; a create on top of it writes nothing."""
    olds = _created(provider, box)
    news = box.inputs()

    assert news["plan"] == []
    assert provider.diff("id", olds, news).changes is False
    assert _created(provider, box) == olds


def test_change(box: Box, provider: RegistrySnapshotProvider) -> None:
    """A row more is an update."""
    olds = _created(provider, box)
    insert(box.registry, [sidecar("b")])
    news = box.inputs()

    assert provider.diff("id", olds, news).changes is True
    outputs = provider.update("id", olds, news).outs
    assert outputs is not None
    assert outputs["fingerprint"] != olds["fingerprint"]
    assert box.inputs()["plan"] == []


def test_another_box(box: Box, provider: RegistrySnapshotProvider) -> None:
    """Another box or bucket is another snapshot: the old one is forgotten, not deleted."""
    olds = _created(provider, box)
    news = box.inputs()
    for change in ({"box": "b2"}, {"bucket": "other"}):
        changed = {**news, "desired": {**news["desired"], **change}}
        result = provider.diff("id", olds, changed)
        assert (result.changes, result.replaces) == (True, ["desired"])


def test_read(box: Box, provider: RegistrySnapshotProvider) -> None:
    """A refresh brings what is live; without a snapshot there is nothing."""
    identity = f"{box.bucket.name}/{CURRENT}"
    assert provider.read(identity, {}).id is None

    outputs = _created(provider, box)
    assert provider.read(identity, {}).outs == outputs
    assert provider.read(identity, {}).id == identity


def test_read_under_a_prefix(box: Box, provider: RegistrySnapshotProvider) -> None:
    """The bucket's own prefix may look like a key of ours."""
    name = f"{box.bucket.name}/control/registry-snapshot/deep"
    news = box.inputs()
    made = provider.create({**news, "desired": {**news["desired"], "bucket": name}})

    assert made.id == f"{name}/{CURRENT}"
    assert provider.read(made.id, {}).outs == made.outs


def test_delete(box: Box, provider: RegistrySnapshotProvider, engine: EngineStub) -> None:
    """Nothing is deleted, and it is said what stays."""
    outputs = _created(provider, box)
    before = box.keys()
    provider.delete("id", outputs)

    assert box.keys() == before
    assert engine.said == [
        f"snapshot: box a1 forgotten; in {box.bucket.name} there stay {CURRENT}, what describes"
        " it and its generations (1)"
    ]


def test_inputs_with_mistakes(box: Box, provider: RegistrySnapshotProvider) -> None:
    """Every mistake is a failure; a summary that cannot be read is one too."""
    news = box.inputs()
    assert _reasons(provider, news) == []

    assert [reason.split(":")[0] for reason in _reasons(provider, {**news, "desired": {}})] == [
        "desired.box",
        "desired.bucket",
        "desired.registry",
    ]
    (reason,) = _reasons(provider, {**news, "summary": None})
    assert reason.startswith("the summary cannot be read")


def _standby(box: Box) -> Box:
    box.registry.unlink()
    registry_of(box.registry, sidecar("stranger"))
    return box


def test_refusal(box: Box, provider: RegistrySnapshotProvider) -> None:
    """A guard refuses in check, and again where the write would be made."""
    _created(provider, box)
    before = box.keys()
    news = _standby(box).inputs()
    (reason,) = _reasons(provider, news)
    assert reason.startswith("snapshot-lineage: box a1")
    with pytest.raises(GuardRefused, match="snapshot-lineage"):
        provider.create(news)

    assert box.keys() == before


def test_acknowledged(box: Box, provider: RegistrySnapshotProvider) -> None:
    """Under its digest exactly this is let through, in all places."""
    _created(provider, box)
    (reason,) = _reasons(provider, _standby(box).inputs())
    news = box.inputs(reason[-12:])

    assert _reasons(provider, news) == []
    provider.create(news)
    assert box.inputs()["plan"] == []


def test_change_between_preview_and_update(box: Box, provider: RegistrySnapshotProvider) -> None:
    """What is written is judged on what is there then."""
    news = box.inputs()
    other = Box(box.bucket, registry_of(box.registry.with_name("other.db"), sidecar("x")))
    _created(provider, other)
    with pytest.raises(GuardRefused, match="nothing was written"):
        provider.create(news)


def test_engine_that_is_gone(
    box: Box, provider: RegistrySnapshotProvider, engine: EngineStub
) -> None:
    """Nothing is written for nobody; the next run, asked for by somebody, goes on."""
    news = box.inputs()
    engine.stop()
    with pytest.raises(EngineGone):
        provider.create(news)

    assert box.keys() == []


def test_engine_that_goes(
    box: Box,
    provider: RegistrySnapshotProvider,
    engine: EngineStub,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is asked before each write, so none comes after its end."""
    news = box.inputs()
    monkeypatch.setattr("providers.snapshot_upload.check_written", lambda *_: engine.stop())
    with pytest.raises(EngineGone):
        provider.create(news)

    (only,) = box.keys()
    assert only.startswith(PREFIX)


def test_registry_that_went(box: Box, provider: RegistrySnapshotProvider) -> None:
    """One line, without frames: what is wrong, and that nothing was written."""
    news = box.inputs()
    box.registry.unlink()
    with pytest.raises(ApplyFailed, match=r"snapshot: registry .*: no such file") as caught:
        provider.create(news)

    assert str(caught.value).endswith("nothing was written; the next run goes on")


def test_stored_by_reference() -> None:
    """What a state holds is a path: current code serves old state."""
    stored = base64.b64decode(serialize_provider(RegistrySnapshotProvider()))

    assert b"providers.registry_snapshot" in stored
    assert len(stored) < 100
