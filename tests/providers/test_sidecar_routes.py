"""``SidecarRoutes`` as the engine calls it: a bucket in memory, a registry in a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from providers.errors import ApplyFailed
from tests.support.engine_stub import EngineStub
from tests.support.sidecar_box import BUCKET, Props, SidecarBox, sidecar_box

ID = f"{BUCKET}/a1"


@pytest.fixture
def box(tmp_path: Path) -> Iterator[SidecarBox]:
    """A box with an empty registry whose bucket asks for two sidecars."""
    with sidecar_box(tmp_path, "ab") as made:
        yield made


def reasons(box: SidecarBox, news: Props) -> list[str]:
    result = box.provider.check({}, news)
    assert result.inputs == news
    assert {failure.property for failure in result.failures} <= {""}
    return [failure.reason for failure in result.failures]


class TestCheck:
    """Validation and guards, without a network."""

    def test_inputs_that_are_fine(self, box: SidecarBox) -> None:
        """They come back as they are; numbers may be floats."""
        assert reasons(box, box.props()) == []

    def test_inputs_with_mistakes(self, box: SidecarBox) -> None:
        """Every mistake is a failure, by its place and without its value."""
        news = box.props()
        news["desired"] = {**news["desired"], "registry": 7.0, "colour": "a secret"}
        del news["plan"]
        found = reasons(box, news)
        assert [each.split(":")[0] for each in found] == [
            "desired.registry",
            "desired.colour",
            "plan",
        ]
        assert "a secret" not in str(found)

    @pytest.mark.parametrize("summary", [None, "none", {}])
    def test_a_summary_that_cannot_be_read(self, box: SidecarBox, summary: object) -> None:
        """A guard that cannot judge refuses."""
        [reason] = reasons(box, {**box.props(), "summary": summary})
        assert reason.startswith("the summary cannot be read: ")

    def test_a_plan_without_the_fuse(self, box: SidecarBox) -> None:
        """A plan that holds what the fuse must have held back is refused."""
        news = box.props()
        news["summary"] = {**news["summary"], "owned": 4.0, "removed": 3.0, "absent": 3.0}
        [reason] = reasons(box, news)
        assert reason.startswith(f"sidecar-mass-retire: box a1 (bucket {BUCKET}): removes 3 of 4")


class TestDiff:
    """Whether there is anything to do, without a network."""

    def test_a_plan(self, box: SidecarBox) -> None:
        """A change, in place."""
        result = box.provider.diff(ID, box.props(), box.props())
        assert (result.changes, result.replaces) == (True, None)

    def test_an_empty_plan(self, box: SidecarBox) -> None:
        """No change, whatever else differs."""
        state = box.create().outs
        assert state
        box.changes["config_gate"] = ("other",)
        result = box.provider.diff(ID, state, box.props())
        assert (result.changes, result.replaces) == (False, None)

    @pytest.mark.parametrize("other", ["box", "bucket", "registry"])
    def test_another_box(self, box: SidecarBox, other: str) -> None:
        """Made anew, so that the id is right and the old one is forgotten; plan or not."""
        state = box.create().outs
        assert state
        result = box.provider.diff(ID, {**state, other: "other"}, box.props())
        assert (result.changes, result.replaces) == (True, ["desired"])


class TestReadAndDelete:
    """What a refresh and a forgotten box do."""

    def test_a_refresh(self, box: SidecarBox) -> None:
        """The box is there while its registry is."""
        state = box.create().outs
        assert state
        result = box.provider.read(ID, {**state, "__provider": "gASV"})
        assert (result.id, result.outs, result.inputs) == (ID, state, None)
        box.registry.unlink()
        gone = box.provider.read(ID, state)
        assert (gone.id, gone.outs) == (None, {})

    def test_a_registry_that_cannot_be_read(self, box: SidecarBox) -> None:
        """It is not gone: the refresh fails."""
        state = box.create().outs
        assert state
        box.registry.write_bytes(b"")
        with pytest.raises(ApplyFailed, match="0 bytes"):
            box.provider.read(ID, state)

    def test_a_box_that_is_forgotten(self, box: SidecarBox, engine: EngineStub) -> None:
        """Nothing is written; a line says what stays."""
        state = box.create().outs
        assert state
        engine.said.clear()
        box.provider.delete(ID, state)
        assert box.names() == "a b"
        [line] = engine.said
        assert line.startswith(f"sidecars: box a1 forgotten: the sidecar rows in {box.registry}")
