"""What this box has installed, and whether a claim may be acted on beside it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from providers.claim_errors import ClaimChanged, ClaimUnsupported
from providers.claim_ports import Observed
from tests.support.claims_files import BOX, HOST, SELECTED, FilesBox, claim, observed


@pytest.fixture
def box(tmp_path: Path) -> FilesBox:
    return FilesBox(tmp_path)


def test_nothing_is_installed(box: FilesBox) -> None:
    """Then nothing speaks against it; looking leaves nothing behind."""
    box.local()
    assert [*box.folder.iterdir()] == []


@pytest.mark.parametrize("interrupted", ["activated", "installed"])
def test_installation_of_this_claim(box: FilesBox, interrupted: str) -> None:
    """One that was interrupted, or is whole, may be made again."""
    box.activate()
    if interrupted == "installed":
        box.install()
    box.local()


@pytest.mark.parametrize("incarnation", ["01J8", "01J7"])
def test_installation_of_an_older_claim(box: FilesBox, incarnation: str) -> None:
    """A later stamp takes it over, of the same record or of one made anew."""
    box.install(6, incarnation)
    box.local()


@pytest.mark.parametrize(
    ("stamp", "incarnation", "name"), [(8, "01J8", BOX), (7, "other", BOX), (7, "01J8", "uk-1")]
)
def test_installation_of_another_or_later_claim(
    box: FilesBox, stamp: int, incarnation: str, name: str
) -> None:
    """This claim is behind, or not the one that was let in under its stamp."""
    box.install(stamp, incarnation, box=name)
    with pytest.raises(ClaimChanged, match=f"stamp {stamp}"):
        box.local()


def test_inventory_without_its_activation(box: FilesBox) -> None:
    """Half of a restored folder still counts."""
    box.install(8)
    (box.folder / "claims" / HOST / "activation.json").unlink()
    with pytest.raises(ClaimChanged, match="stamp 8"):
        box.local()


@pytest.mark.parametrize("stamp", [6, 7])
def test_other_layout(box: FilesBox, stamp: int) -> None:
    """Data that lies otherwise is not installed over."""
    box.install(stamp, layout="nested")
    with pytest.raises(ClaimChanged, match="with layout nested, not flat"):
        box.local()
    box.local(selected=replace(SELECTED, layout="nested"))


def test_retired_row(box: FilesBox) -> None:
    """It comes back under a later stamp, whatever it was, and under no other."""
    box.install(6, layout="nested")
    box.retire(6)
    box.local()
    with pytest.raises(ClaimChanged, match="retired here under stamp 6"):
        box.local(observed(6))


def test_claim_without_a_holder(box: FilesBox) -> None:
    """There is nobody to compare with."""
    seen = Observed(HOST, replace(claim(), holder=None))
    with pytest.raises(ClaimUnsupported, match="no holder"):
        box.local(seen)


def test_installation_to_hold(box: FilesBox) -> None:
    """This box's own counts, whatever the claim's stamp is by now."""
    box.install(7)
    box.held()


def test_interrupted_installation_to_hold(box: FilesBox) -> None:
    """An inventory of an older activation is of the same installation."""
    box.install(6)
    box.activate(7)
    box.held()


@pytest.mark.parametrize("activated", [False, True])
def test_row_to_hold(box: FilesBox, *, activated: bool) -> None:
    """Where no inventory was written, as before claims, the row tells."""
    if activated:
        box.activate()
    with pytest.raises(ClaimChanged, match="no installation of it to hold"):
        box.held()
    box.held(row=True)


@pytest.mark.parametrize("row", [False, True])
@pytest.mark.parametrize(("incarnation", "name"), [("other", BOX), ("01J8", "uk-1")])
def test_hold_of_another_installation(
    box: FilesBox, incarnation: str, name: str, *, row: bool
) -> None:
    """It is not this record's on this box."""
    box.install(7, incarnation, box=name)
    with pytest.raises(ClaimChanged, match="of another box or incarnation"):
        box.held(row=row)


def test_hold_of_a_retired_row(box: FilesBox) -> None:
    """It is gone, unless its removal was interrupted."""
    box.install()
    box.retire()
    with pytest.raises(ClaimChanged, match="no installation of it to hold"):
        box.held()
    box.held(row=True)
