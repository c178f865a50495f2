"""Two machines from one disk: the same label, the same lineage, two registries."""

from __future__ import annotations

from pathlib import Path

import pytest

from control.snapshot_keys import meta_key
from providers.errors import GuardRefused
from tests.support.fake_store import Call, Crashed, Fault
from tests.support.snapshots import Machine


def test_copy_from_before_a_pass_that_ended(settled: Machine, folder: Path) -> None:
    """The pass wrote current and ended; the copy is as the description, which is older by now.

    It has nothing to write, so it hurts nobody; once it changes it finds current, and is refused.
    """
    copy = settled.twin(folder / "copy.db")
    settled.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    copy.registry.write_bytes(settled.registry.read_bytes())
    settled.mint("new")
    described = Call("put", meta_key("a1"))
    settled.store.faults = lambda call: Fault("crash") if call == described else None
    with pytest.raises(Crashed):
        settled.pass_()
    settled.store.faults = lambda _: None
    before = dict(settled.store.objects)
    copy.pass_()
    assert settled.store.objects == before
    copy.mint("other")

    with pytest.raises(GuardRefused, match="snapshot-lineage"):
        copy.pass_()
    assert settled.store.objects == before
    assert settled.pass_().routes == 3
