"""Whose snapshot may take whose place: standbys, twins, restored boxes, another program's."""

from __future__ import annotations

from pathlib import Path

import pytest

from control.snapshot_keys import generation_prefix
from policy.guards.snapshots import snapshot_violations
from providers.errors import GuardRefused
from registry import lineage
from tests.support.fake_store import WRITES, Call, Crashed, Fault
from tests.support.snapshots import CURRENT, META, Machine, machine, old_program


@pytest.fixture
def box(folder: Path) -> Machine:
    """A box with 40 routes and a snapshot of them; the log of calls is empty."""
    made = machine(folder, *(f"r{number}" for number in range(40)))
    made.pass_()
    made.store.calls.clear()
    return made


def _fresh(dead: Machine, folder: Path, *names: str, box: str = "a1") -> Machine:
    """Boot a machine with a registry of its own, on the same bucket."""
    return machine(folder, *names, store=dead.store, box=box)


def _refused(made: Machine, acknowledged: str = "") -> str:
    """Run a pass that must be refused without a write; return what it says."""
    before = made.lineage
    made.store.calls.clear()
    with pytest.raises(GuardRefused) as caught:
        made.pass_(acknowledged)
    assert made.store.counted(WRITES) == 0
    assert made.lineage == before
    return str(caught.value)


def _digest(made: Machine) -> str:
    (one,) = {each.digest for each in snapshot_violations(made.decided().summary)}
    return one


@pytest.mark.parametrize("names", [(), ("r0", "r1"), ("other", "more")])
def test_standby_before_it_was_restored(box: Machine, folder: Path, names: tuple[str, ...]) -> None:
    """The dead box's name is not enough: it writes nothing, and is told what to run."""
    standby = _fresh(box, folder, *names)
    said = _refused(standby)

    assert "snapshot-lineage: box a1 (bucket control): control/registry-snapshot/a1.db" in said
    assert f"(of 2026-09-07T10:01:00Z, 40 routes, lineage {box.meta.lineage[:12]})" in said
    assert f"is not the past of {standby.registry} ({len(names)} routes, no lineage)" in said
    assert (
        f"python -m operate restore --bucket control --box a1 --to {standby.registry} --replace"
    ) in said


def test_reboot_with_an_empty_disk(box: Machine) -> None:
    """The same machine with a new file is a stranger to its own snapshot."""
    box.registry.unlink()
    reborn = _fresh(box, box.registry.parent)

    assert "no lineage" in _refused(reborn)


def test_standby_that_has_a_lineage(box: Machine, folder: Path) -> None:
    """One that has snapshots of its own elsewhere is a stranger here."""
    elsewhere = machine(folder, "x")
    elsewhere.pass_()
    elsewhere.store = box.store

    assert f"lineage {box.meta.lineage[:12]}" in _refused(elsewhere)


def test_standby_with_the_same_content(box: Machine, folder: Path) -> None:
    """Nothing is lost where both are the same: its lineage is taken over, nothing is uploaded."""
    twin = _fresh(box, folder, *(f"r{number}" for number in range(40)))
    twin.pass_()

    assert twin.store.counted(WRITES) == 0
    assert twin.lineage is not None
    assert twin.lineage.id == box.meta.lineage
    twin.mint("more")
    assert twin.pass_().routes == 41


def test_box_that_goes_on_beside_its_successor(box: Machine, folder: Path) -> None:
    """Of two machines of one name, the one whose snapshot was overtaken is refused."""
    successor = box.twin(folder / "successor.db")
    successor.registry.write_bytes(box.current)
    lineage.set_last(successor.registry, box.meta.lineage, box.meta.fingerprint)
    successor.mint("new")
    successor.pass_()
    box.mint("stale")

    assert "snapshot-lineage" in _refused(box)
    successor.mint("newer")
    assert successor.pass_().routes == 42


def test_restored_box(box: Machine, folder: Path) -> None:
    """It is as its snapshot, so it writes nothing; and its next change is its own."""
    restored = box.twin(folder / "restored.db")
    restored.registry.write_bytes(box.current)
    lineage.set_last(restored.registry, box.meta.lineage, box.meta.fingerprint)
    restored.pass_()
    assert restored.store.counted(WRITES) == 0

    restored.mint("new")
    assert restored.pass_().parent != ""


@pytest.mark.behaviour(57)
def test_first_pass_over_another_programs_snapshot(folder: Path) -> None:
    """The same hosts: this is the box that wrote it, whatever else its rows say by now."""
    box = machine(folder, "a", "b")
    old_program(box)
    box.sql("UPDATE routes SET channel = 'beta'")
    made = box.pass_()

    assert (made.routes, made.lineage != "", made.parent != "") == (2, True, True)
    assert box.decided().plan.empty


@pytest.mark.parametrize("names", [(), ("a",), ("a", "b", "c"), ("a", "x")])
def test_another_programs_snapshot_with_other_hosts(folder: Path, names: tuple[str, ...]) -> None:
    """Fewer, more or other hosts: refused, and counted."""
    old = machine(folder, "a", "b")
    old_program(old)
    box = _fresh(old, folder, *names)
    said = _refused(box)

    gone, new = len({"a", "b"} - {*names}), len({*names} - {"a", "b"})
    assert f"{gone} of its hosts are not there, {new} others are" in said
    assert "2 routes, no lineage" in said


def test_another_programs_snapshot_that_is_broken(folder: Path) -> None:
    """Hosts that cannot be known are not the same."""
    box = machine(folder, "a")
    old_program(box)
    box.store.place(CURRENT, box.current[:-100])

    assert "its file cannot be read: damaged" in _refused(box)


@pytest.mark.behaviour(56)
def test_description_of_another_box(box: Machine) -> None:
    """Refused, unlike in the seed: this box's own snapshot or the other one's is at stake."""
    box.store.place(META, box.meta.model_copy(update={"box": "b2"}).body)
    box.mint("more")
    said = _refused(box)

    assert (
        "snapshot-foreign-box: box a1 (bucket control): the snapshot under this box's name" in said
    )
    assert "is that of box b2" in said
    assert "operate restore --bucket control --box b2" in said


@pytest.mark.behaviour(57)
def test_description_without_a_box(box: Machine) -> None:
    """Nobody is named, so nobody is overwritten."""
    box.store.place(META, box.meta.model_copy(update={"box": ""}).body)
    box.mint("more")
    box.pass_()

    assert box.meta.box == "a1"


def test_acknowledged_digest(box: Machine, folder: Path) -> None:
    """It lets exactly this replacement through; the next pass needs none."""
    standby = _fresh(box, folder, "new")
    digest = _digest(standby)
    assert digest in _refused(standby, "0" * 12)
    standby.pass_(digest)

    assert standby.meta.parent == standby.store.written[1].metadata["fingerprint"]
    standby.mint("newer")
    standby.pass_()
    box.mint("stale")
    assert digest not in _refused(box, digest)


def test_acknowledged_pass_that_was_cut_short(box: Machine, folder: Path) -> None:
    """The next one goes on under the same digest, and is not refused once current is its own."""
    standby = _fresh(box, folder, "new")
    digest = _digest(standby)
    for key in (CURRENT, META):
        faults = {Call("put", key): Fault("crash")}
        standby.store.faults = faults.get
        with pytest.raises(Crashed):
            standby.pass_(digest)
    standby.store.faults = lambda _: None

    assert standby.pass_().routes == 1


def test_digest_of_another_snapshot(box: Machine, folder: Path) -> None:
    """What was written meanwhile is not what was looked at: refused again, under another digest."""
    standby = _fresh(box, folder, "new")
    digest = _digest(standby)
    box.mint("more")
    box.pass_()

    assert _digest(standby) != digest
    _refused(standby, digest)


def _with(made: Machine, call: Call, meanwhile: Machine) -> None:
    """Let another machine's pass come before a call of this one, once."""
    once = iter([meanwhile])

    def race() -> None:
        for other in once:
            other.pass_()

    made.store.faults = lambda asked: Fault("race", race) if asked == call else None


def test_stranger_between_the_look_and_the_write(box: Machine, folder: Path) -> None:
    """The write loses, the stranger's snapshot is judged, and this box is refused."""
    stranger = box.twin(folder / "stranger.db")
    stranger.registry.write_bytes(box.current)
    lineage.set_last(stranger.registry, box.meta.lineage, box.meta.fingerprint)
    for made, name in ((stranger, "theirs"), (box, "ours")):
        made.mint(name)
    _with(box, Call("put", CURRENT), stranger)
    with pytest.raises(GuardRefused, match=r"written before: .*20260907T100200Z.db"):
        box.pass_()

    assert b"theirs.eleven" in box.current
    assert b"ours.eleven" not in box.current


def test_race_with_the_same_content(box: Machine, folder: Path) -> None:
    """Who loses to its own content has nothing left to do."""
    stranger = box.twin(folder / "stranger.db")
    stranger.registry.write_bytes(box.current)
    lineage.set_last(stranger.registry, box.meta.lineage, box.meta.fingerprint)
    stranger.mint("same")
    box.mint("same")
    _with(box, Call("put", CURRENT), stranger)

    assert box.pass_() == box.meta == stranger.meta
    assert [call.key for call in box.store.calls].count(CURRENT) > 0
    assert box.decided().plan.empty


def test_snapshot_of_which_generations_are_left(box: Machine, folder: Path) -> None:
    """Current and description are gone: the newest generation still says whose it was."""
    for key in (CURRENT, META):
        box.store.objects.pop(key)
    standby = _fresh(box, folder)

    assert generation_prefix("a1") in _refused(standby)
    box.mint("more")
    assert box.pass_().routes == 41


def test_snapshot_of_which_the_description_is_left(box: Machine, folder: Path) -> None:
    """It says whose it was."""
    box.store.objects.pop(CURRENT)

    assert META in _refused(_fresh(box, folder))
    box.mint("more")
    assert box.pass_().routes == 41


def test_copy_that_lost_its_metadata(box: Machine, folder: Path) -> None:
    """A bucket copied by a tool without metadata: the description of these bytes says whose."""
    box.store.place(CURRENT, box.current)
    assert f"lineage {box.meta.lineage[:12]}" in _refused(_fresh(box, folder))

    box.mint("more")
    assert box.pass_().routes == 41


@pytest.mark.behaviour(77)
def test_two_boxes(box: Machine, folder: Path) -> None:
    """Two boxes of two names never meet, and neither needs a lease."""
    other = _fresh(box, folder, "x", box="b2")
    other.pass_()
    keys = {upload.key for upload in box.store.written}

    assert len(keys) == 6
    assert box.decided().plan.empty
    assert other.decided().plan.empty
