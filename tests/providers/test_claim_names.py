"""Hosts of any name, through an install and a retirement as a run makes them."""

from __future__ import annotations

from pathlib import Path

import pytest
from obstore.store import MemoryStore

from control.store import ObjectStore
from folds.sidecar_desired import Box
from providers.claim_errors import ClaimChanged, ClaimError, ClaimUnreadable
from providers.claim_fence import FileFence
from providers.claim_files import HostFiles
from providers.claim_ports import Observed, Permit, Retirement, Selection
from providers.claimed_box import ClaimedBox, claimed_box
from providers.claimed_check import NOBODY
from tests.providers.test_claim_files import STRANGE
from tests.registry.samples import registry_of
from tests.support.claims_files import claim
from tests.support.opened import Opened, opened_paths

ALIASES = [
    *STRANGE,
    "Bot.eleven.bab.sidecar.internal",
    "bot.eleven.bab.sidecar.internal.",
    "../bot.eleven.bab.sidecar.internal",
    "...eleven.bab.sidecar.internal",
    "\0.eleven.bab.sidecar.internal",
    f"{'x' * 300}.eleven.bab.sidecar.internal",
    "b\u00f6t.eleven.bab.sidecar.internal",
]


@pytest.fixture
def box(tmp_path: Path) -> ClaimedBox:
    """A box with an empty bucket and an empty registry."""
    data = tmp_path / "data"
    data.mkdir()
    settings = {"region_code": "ie", "home_region": "ie", "region_ha": True, "claims": True}
    made = Box(box="ie-1", bucket="control", data_dir=str(data)).model_copy(update=settings)
    return claimed_box(made, registry_of(data / "registry.db"), ObjectStore(MemoryStore()))


@pytest.fixture
def opened(box: ClaimedBox, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """What is opened once the box is there."""
    del box
    return opened_paths(monkeypatch)


def never(_: Permit) -> None:
    pytest.fail("written")


@pytest.mark.parametrize("host", ALIASES, ids=ascii)
def test_install(box: ClaimedBox, host: str, opened: Opened) -> None:
    """It is refused with its name, and no path was made of it."""
    with pytest.raises(ClaimUnreadable):
        box.install.install(Selection(host, "key", '"e"', "01J8", "sidecar"), never)
    assert opened.all == []


@pytest.mark.parametrize("host", ALIASES, ids=ascii)
def test_preview_of_a_claim_that_cannot_be(box: ClaimedBox, host: str, opened: Opened) -> None:
    """Nor is one made of it where somebody already has a claim of it in hand."""
    selection = Selection(host, "key", '"e"', "01J8", "sidecar", dry_run=True)
    said = box.install.judge(Observed(host, claim()), selection)
    assert said.answer == "no"
    assert opened.all == []


@pytest.mark.parametrize("host", ALIASES, ids=ascii)
def test_retirement(box: ClaimedBox, host: str, opened: Opened) -> None:
    """A row of such a name, whoever made it, stays."""
    with pytest.raises(ClaimError):
        box.retire.retire(Retirement(host, "key", "sidecar"), never)
    assert opened.all == []


@pytest.mark.parametrize("host", ALIASES, ids=ascii)
def test_fence_and_hold(box: ClaimedBox, tmp_path: Path, host: str, opened: Opened) -> None:
    """The fence of such a name is an error; to hold it looks into the registry alone."""
    with pytest.raises(ClaimUnreadable):
        FileFence(HostFiles(tmp_path / "data")).closed(Observed(host, claim()))
    assert box.install.holds
    with pytest.raises(ClaimChanged):
        box.install.holds.hold(host, "op-41", Permit(NOBODY, lambda: pytest.fail("asked")))
    assert opened.all == []
