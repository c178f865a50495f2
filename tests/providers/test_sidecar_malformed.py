"""One record among others that is none: only its own row stands still."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.registry.samples import dump, sidecar
from tests.support.sidecar_bodies import KEY, MALFORMED
from tests.support.sidecar_box import SidecarBox, sidecar_box


@pytest.mark.behaviour(102)
@pytest.mark.behaviour(106)
@pytest.mark.behaviour(130)
@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_body(tmp_path: Path, body: bytes) -> None:
    """The others are minted, converged and removed; its row stays to the byte; then all is done."""
    drifted = [sidecar(name, channel="old", args="") for name in ("a", "bad", "gone")]
    with sidecar_box(tmp_path, "an", drifted) as box:
        box.objects[KEY.record] = body
        [bad] = [line for line in dump(box.registry) if KEY.host in line]
        box.create()
        [still] = [line for line in dump(box.registry) if KEY.host in line]
        assert still == bad
        rows = {row.slug: row.channel for row in box.rows().values()}
        assert rows == {"a": "edge", "n": "edge", "bad": "old"}
        [protected] = [each for each in box.decided().plan.verdicts if each.action == "protect"]
        assert (protected.key, bool(protected.reason)) == (KEY.record, True)
        _assert_second_pass_writes_nothing(box)


def _assert_second_pass_writes_nothing(box: SidecarBox) -> None:
    before = dump(box.registry)
    assert box.decided().plan.empty
    box.update()
    assert dump(box.registry) == before
