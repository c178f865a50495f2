"""``digest`` of a box's two stacks: every record and row, what is held back, and the way out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from control.errors import StoreUnavailable
from stacks import snapshot
from tests.operate.conftest import Desk
from tests.registry.samples import dump
from tests.support.fake_store import WRITES
from tests.support.sidecar_box import BUCKET, SidecarBox, host_of, key_of, sidecar_box
from tests.support.snapshots import Machine, machine

OFFER = re.compile(r"to let exactly this through: FAIRLEAD_ACKNOWLEDGE=([0-9a-f]{12})\.\S+ (.*)")


def box_stack(desk: Desk, **settings: object) -> None:
    """Let the CLI tell of a stack of a box."""
    config = {f"fairlead:{key}": {"value": str(each)} for key, each in settings.items()}
    desk.answer("config", config)


class TestSidecars:
    """What the rows of a box would become."""

    @pytest.fixture
    def box(self, desk: Desk, tmp_path: Path) -> Iterator[SidecarBox]:
        """A box that has the rows of its three records."""
        with sidecar_box(tmp_path, "abc") as made:
            settings = {"bucket": BUCKET, "box": "a1", "registry": made.registry}
            box_stack(desk, kind="sidecars", dataDir=tmp_path, **settings)
            made.create()
            yield made

    def test_a_converged_box(
        self, desk: Desk, box: SidecarBox, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Every row has its line, and nothing is refused: 0."""
        assert desk.run("digest") == 0
        assert capsys.readouterr().out.splitlines() == [
            f"stack prod: box a1 (bucket {BUCKET}), registry {box.registry}",
            "+0 ~0 -0 of 3 rows",
            *(f"= {host_of(name)} ({key_of(name).record}) keep" for name in "abc"),
            "nothing is refused",
        ]

    def test_a_long_plan(
        self, desk: Desk, box: SidecarBox, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """All of it is printed, however much; nothing is written."""
        for number in range(300):
            box.record(f"n{number}")
        box.record("bad", channel="")
        before = dump(box.registry)
        assert desk.run("digest") == 0
        out = capsys.readouterr().out
        assert len(re.findall(r"^\+ ", out, re.MULTILINE)) == 300
        assert f"\n= {host_of('bad')} ({key_of('bad').record}) protect: channel is empty" in out
        assert dump(box.registry) == before

    @pytest.mark.parametrize("acknowledged", [False, True])
    def test_removals_that_are_held_back(
        self,
        desk: Desk,
        box: SidecarBox,
        capsys: pytest.CaptureFixture[str],
        *,
        acknowledged: bool,
    ) -> None:
        """Each is listed, with the word that lets exactly them go, given already or not: 1."""
        box.forget("a", "b")
        digest = box.decided().plan.digest
        assert desk.run("digest", word=f"{digest}.29990101T000000Z" if acknowledged else "") == 1
        out = capsys.readouterr().out
        assert f"\n= {host_of('a')} held back: " in out
        assert f"\nthe run would fail: held back: {host_of('a')}, {host_of('b')}; sidecar-" in out
        [(offered, command)] = OFFER.findall(out.splitlines()[-1])
        assert (offered, command) == (digest, "pulumi up --stack prod")
        box.create(box.props(digest))
        assert box.names() == "c"

    def test_a_bucket_that_is_not_read_whole(
        self, desk: Desk, box: SidecarBox, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """No word makes up for that: 1."""
        box.forget("a")
        unread = key_of("b").record
        box.failing[unread] = StoreUnavailable(unread, "timed out")
        assert desk.run("digest") == 1
        out = capsys.readouterr().out
        assert "\nthe run would fail: not read whole: " in out
        assert out.splitlines()[-1].startswith("no digest lets all of this through")

    def test_a_registry_that_is_not_there(
        self, desk: Desk, box: SidecarBox, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """One line, and 2; looking makes none."""
        box.registry.unlink()
        assert desk.run("digest") == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.startswith(f"operate digest: registry {box.registry}: no such file")
        assert not box.registry.exists()


class TestSnapshot:
    """What would be uploaded, and whose place it would take."""

    @pytest.fixture
    def box(self, desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
        """A box of one route that has no snapshot yet."""
        made = machine(folder, "a")
        monkeypatch.setattr(snapshot, "open_writable", lambda _name: made.store)
        box_stack(desk, kind="snapshot", bucket="control", box="a1", registry=made.registry)
        return made

    def test_a_snapshot_that_is_due(
        self, desk: Desk, box: Machine, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """It is listed, and not taken: 0."""
        assert desk.run("digest") == 0
        assert capsys.readouterr().out.splitlines() == [
            f"stack prod: box a1 (bucket control), registry {box.registry}",
            *box.decided().plan.lines,
            "nothing is refused",
        ]
        assert box.store.counted(WRITES) == 0

    def test_a_snapshot_that_is_there(
        self, desk: Desk, box: Machine, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Nothing to do; what is no generation is named."""
        box.pass_()
        box.store.place("control/registry-snapshots/a1/README", b"")
        assert desk.run("digest") == 0
        out = capsys.readouterr().out.splitlines()
        assert out[1] == "nothing to do"
        assert "README" in out[2]

    def test_a_standby_that_was_not_restored(
        self, desk: Desk, box: Machine, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Refused: 1, with what to run, and the word for whoever means it all the same."""
        box.pass_()
        standby = machine(folder, "x", store=box.store)
        box_stack(desk, kind="snapshot", bucket="control", box="a1", registry=standby.registry)
        assert desk.run("digest") == 1
        out = capsys.readouterr().out
        assert "\nmandatory: snapshot-lineage: box a1 (bucket control): " in out
        assert "python -m operate restore --bucket control --box a1 --to" in out
        [(offered, _)] = OFFER.findall(out.splitlines()[-1])
        assert standby.pass_(offered).routes == 1

    def test_a_box_of_a_fleet(self, desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
        """Nothing is read."""
        config = {"bucket": "control", "box": "a1", "registry": "/none", "fleetBox": "true"}
        box_stack(desk, kind="snapshot", **config)
        assert desk.run("digest") == 0
        assert capsys.readouterr().out == (
            "stack prod: a box of a fleet has no snapshot of its own, nothing is read\n"
        )
