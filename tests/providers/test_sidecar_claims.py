"""``SidecarRoutes`` with claims on, on the reference adapters: files, registry, a bucket."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from control.errors import ReadFailed
from providers.errors import ApplyFailed
from tests.registry.samples import dump, insert, sidecar
from tests.support.claims_platform import INCARNATION, fence, write_local
from tests.support.sidecar_box import SidecarBox, host_of, key_of, sidecar_box

ON = {"claims": True, "region_code": "ie", "region_ha": True}


@pytest.fixture
def box(tmp_path: Path) -> Iterator[SidecarBox]:
    """A box with an empty registry and claims on; it serves the two sidecars of its bucket."""
    with sidecar_box(tmp_path) as made:
        made.changes |= ON
        made.claimed("a")
        made.claimed("b")
        yield made


def _files(box: SidecarBox) -> list[str]:
    """The names of all that is in the data directory but the registry, sorted."""
    found = (each.relative_to(box.folder).as_posix() for each in box.folder.rglob("*"))
    return sorted(each for each in found if not each.startswith("registry.db"))


def _verdict(box: SidecarBox, name: str) -> str:
    (only,) = [each for each in box.decided().plan.verdicts if each.host == host_of(name)]
    return f"{only.action}: {only.reason}"


@pytest.mark.behaviour(122)
@pytest.mark.behaviour(123)
def test_rows_minted_under_their_claims(box: SidecarBox) -> None:
    """Each carries the ownership of its claim; the second run finds nothing to do."""
    box.create()
    row = box.rows()[host_of("a")]
    owner = (row.claim_key, row.claim_incarnation, row.claim_family, row.claim_stamp)
    assert owner == (key_of("a").record, INCARNATION, "sidecar", 7)
    assert box.names() == "a b"
    before = dump(box.registry)
    assert box.decided().plan.empty
    assert dump(box.registry) == before


@pytest.mark.behaviour(150)
def test_claims_off(box: SidecarBox) -> None:
    """No claim is read, by the program or the provider, and no file of the box is made."""
    box.changes["claims"] = box.changes["region_ha"] = False
    box.create()
    assert box.names() == "a b"
    assert box.claims_read() == []
    assert _files(box) == []


def test_preview_of_claimed_rows(box: SidecarBox) -> None:
    """The program reads the claims of rows that would be written, and writes nothing at all."""
    before = dump(box.registry)
    assert box.decided().plan.lines
    assert box.claims_read() == ["a", "b"]
    assert dump(box.registry) == before
    assert _files(box) == []


def test_converge_under_a_claim(box: SidecarBox) -> None:
    """A row from before claims takes its ownership with the next change, and not on its own."""
    box.changes["claims"] = box.changes["region_ha"] = False
    box.create()
    box.changes |= ON
    assert box.decided().plan.empty
    box.record("a", incarnation=INCARNATION, channel="beta")
    box.update()
    assert (box.rows()[host_of("a")].channel, box.rows()[host_of("a")].claim_stamp) == ("beta", 7)
    assert box.rows()[host_of("b")].claim_stamp == 0


def test_retirement_under_a_claim(box: SidecarBox) -> None:
    """The row goes, and what lets this box in stays as retired: nothing old brings it back."""
    box.create()
    box.forget("a")
    box.update()
    assert box.names() == "b"
    activation = box.folder / "claims" / host_of("a") / "activation.json"
    assert '"retired":true' in activation.read_text()
    box.record("a", incarnation=INCARNATION)
    assert "its row was retired here under stamp 7" in _verdict(box, "a")
    box.platform.serve(host_of("a"), "a1", key=key_of("a").record, stamp=8)
    box.update()
    assert box.names() == "a b"


def test_claim_of_another_box(box: SidecarBox) -> None:
    """Nothing is minted, which is a warning and no failure; the others are."""
    box.platform.serve(host_of("a"), "uk-1", key=key_of("a").record)
    assert _verdict(box, "a") == "decline: not minted: serving on uk-1"
    box.create()
    assert box.names() == "b"


def test_no_claim(box: SidecarBox) -> None:
    """The same: no run makes a claim."""
    box.record("new", incarnation=INCARNATION)
    assert _verdict(box, "new") == "decline: not minted: there is no claim"
    box.create()
    assert box.names() == "a b"
    assert f"control/claims/{host_of('new')}.json" not in box.objects


@pytest.mark.parametrize("change", ["converge", "retire"])
def test_claim_that_moved_away(box: SidecarBox, change: str) -> None:
    """A row here is neither converged nor removed: the platform's own parking retires it."""
    box.create()
    box.platform.serve(host_of("a"), "uk-1", key=key_of("a").record, stamp=8)
    if change == "retire":
        box.forget("a")
    else:
        box.record("a", incarnation=INCARNATION, channel="beta")
    before = dump(box.registry)
    assert "serving on uk-1" in _verdict(box, "a")
    assert box.decided().plan.failures == ()
    box.update()
    assert dump(box.registry) == before


_BROKEN = {
    "no JSON": b"{",
    "a future version": b'{"v":2}',
    "another type": b"[]",
    "nothing": b"",
}


@pytest.mark.behaviour(126)
@pytest.mark.parametrize("body", _BROKEN.values(), ids=_BROKEN)
def test_claim_that_means_nothing(box: SidecarBox, body: bytes) -> None:
    """It is never "none": its host is left alone, the others go on, and the run fails naming it."""
    box.platform.spoil(host_of("a"), body)
    (failure,) = box.decided().plan.failures
    assert failure.startswith(f"{host_of('a')}: control/claims/{host_of('a')}.json ")
    with pytest.raises(ApplyFailed) as failed:
        box.create()
    assert failure in str(failed.value)
    assert box.names() == "b"


@pytest.mark.behaviour(126)
@pytest.mark.parametrize("reason", ["403 Forbidden", "503 Slow Down", "timed out"])
def test_claim_that_cannot_be_read(box: SidecarBox, reason: str) -> None:
    """The same; the next run, when it can be read again, makes the rest."""
    key = f"control/claims/{host_of('a')}.json"
    box.failing[key] = ReadFailed(key, reason)
    with pytest.raises(ApplyFailed, match=f"cannot read {key}: {reason}"):
        box.create()
    assert box.names() == "b"
    del box.failing[key]
    box.create()
    assert box.names() == "a b"


@pytest.mark.parametrize("channel", ["edge", "beta"])
def test_row_held_while_its_host_moves(box: SidecarBox, channel: str) -> None:
    """The source's row is held once its fence is closed, and nothing else of it is written."""
    box.create()
    row = box.rows()[host_of("a")]
    box.record("a", incarnation=INCARNATION, channel=channel)
    box.platform.release(host_of("a"), "uk-1")
    open_ = box.decided().plan
    assert open_.empty
    fence(box.folder, host_of("a"))
    says = "relocating a1 to uk-1, releasing, fence closed"
    assert box.decided().plan.lines == (f"~ {host_of('a')} held by op-41: {says}",)
    box.update()
    assert box.rows()[host_of("a")] == row._replace(hold="op-41")
    assert box.decided().plan.empty
    assert _verdict(box, "a") == f"keep: held by op-41: {says}"


def test_hold_of_a_person(box: SidecarBox) -> None:
    """A relocation takes none away and sets none over it: the row stays as it is."""
    box.create()
    box.sql("UPDATE routes SET hold = 'by hand' WHERE slug = 'a'")
    box.platform.release(host_of("a"), "uk-1")
    box.platform.install(host_of("a"))
    before = dump(box.registry)
    assert box.decided().plan.empty
    assert _verdict(box, "a").startswith("keep: held by by hand: its claim: relocating a1 to uk-1")
    assert dump(box.registry) == before


def test_catching_up_after_a_relocation(box: SidecarBox) -> None:
    """The box was not asked while the host moved: its row is held until its parking retires it."""
    box.create()
    box.platform.release(host_of("a"), "uk-1")
    box.platform.install(host_of("a"))
    box.platform.settle(host_of("a"))
    box.update()
    assert box.rows()[host_of("a")].hold == "op-41"
    assert box.decided().plan.empty


def test_rows_without_a_change_are_asked_only_where_they_may_be_held(box: SidecarBox) -> None:
    """Without region availability a converged box reads no claim."""
    box.create()
    box.asked.clear()
    assert box.decided().plan.empty
    assert box.claims_read() == ["a", "b"]
    box.changes["region_ha"] = False
    box.asked.clear()
    assert box.decided().plan.empty
    assert box.claims_read() == []


@pytest.mark.behaviour(118)
def test_refusals_that_need_no_claim(box: SidecarBox) -> None:
    """A row of somebody else, a staged file, a record for another box: no claim is asked for."""
    insert(box.registry, [sidecar("a", kind="exec")])
    (box.folder / f"{host_of('b')}-sidecar.env").touch()
    box.claimed("far", region="uk")
    box.create()
    assert box.names() == "a"
    assert box.claims_read() == []
    assert _files(box) == [f"{host_of('b')}-sidecar.env"]


def test_row_of_a_newer_claim(box: SidecarBox) -> None:
    """A preview says that the claim is behind the row, which no run would write or hold."""
    box.create()
    shutil.rmtree(box.folder / "claims")
    box.sql("UPDATE routes SET claim_stamp = 9 WHERE slug = 'a'")
    box.record("a", incarnation=INCARNATION, channel="beta")
    says = 'a newer claim wrote the row: its stamp is 9 of "01J8ZQ5E7N"'
    assert says in _verdict(box, "a")
    before = dump(box.registry)
    box.update()
    box.platform.release(host_of("a"), "uk-1")
    fence(box.folder, host_of("a"))
    assert says in _verdict(box, "a")
    box.update()
    assert dump(box.registry) == before


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ("none", ""),
        ("release", "relocating a1 to uk-1, releasing, fence open"),
        ("serve", "serving on uk-1"),
        ("no installation", "what this box has installed is of another box or incarnation"),
    ],
)
def test_row_that_is_left_while_its_claim_is_elsewhere(
    box: SidecarBox, move: str, says: str
) -> None:
    """A preview says why, although nothing is planned for the row."""
    box.create()
    host = host_of("a")
    if move == "serve":
        box.platform.serve(host, "uk-1", key=key_of("a").record, stamp=8)
    elif move != "none":
        box.platform.release(host, "uk-1")
    if move == "no installation":
        fence(box.folder, host)
        activation = {"v": 1, "host": host, "box": "old", "incarnation": INCARNATION, "stamp": 7}
        write_local(box.folder, host, "activation.json", activation)
    assert box.decided().plan.empty
    assert _verdict(box, "a").startswith("keep: ")
    assert _verdict(box, "a").endswith(says)
