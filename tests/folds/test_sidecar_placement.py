from __future__ import annotations

import pytest

from control.sidecar_documents import ManifestFound
from control.sidecar_manifests import SidecarsManifest
from folds.sidecar_placement import concerns, placement
from folds.sidecar_standing import desired_of
from tests.folds.sidecar_model import (
    BOX,
    ELEVEN,
    UNREAD,
    bucket,
    host,
    record,
    states,
)

_SHUT = SidecarsManifest(placement="no-inbound")
_OPEN_BOX = BOX.model_copy(update={"inbound": "public"})


_PLACEMENTS = [
    pytest.param("no-inbound", "", "no-inbound", marks=pytest.mark.behaviour(80)),
    pytest.param("no-inbound", "any", "no-inbound", marks=pytest.mark.behaviour(80)),
    pytest.param("", "no-inbound", "no-inbound", marks=pytest.mark.behaviour(80)),
    pytest.param("any", "no-inbound", "no-inbound", marks=pytest.mark.behaviour(81)),
    pytest.param("any", "", "any", marks=pytest.mark.behaviour(82)),
    pytest.param("", "any", "any", marks=pytest.mark.behaviour(83)),
    pytest.param("", "", "any", marks=pytest.mark.behaviour(83)),
]


@pytest.mark.parametrize(("record_says", "manifest_says", "result"), _PLACEMENTS)
def test_placement(record_says: str, manifest_says: str, result: str) -> None:
    """The most restrictive of the two wins."""
    manifest = SidecarsManifest(placement=manifest_says)

    assert placement(record("acme", placement=record_says), manifest) == result


@pytest.mark.behaviour(84)
@pytest.mark.parametrize("inbound", ["", "public", "None", "none "])
def test_no_inbound_on_a_box_that_can_be_reached(inbound: str) -> None:
    """Exactly `none` says that nothing reaches the box."""
    box = BOX.model_copy(update={"inbound": inbound})

    desired = desired_of(bucket(record("acme", placement="no-inbound")), box)

    assert states(desired) == {host("acme"): "unplaceable"}
    assert desired.standings[0].reason == (
        f'asks for "no-inbound" placement, and the box accepts inbound work (inbound "{inbound}")'
    )


@pytest.mark.behaviour(84)
@pytest.mark.behaviour(85)
@pytest.mark.parametrize("inbound", ["none", "public", ""])
def test_placement_that_fits(inbound: str) -> None:
    """Any placement but no-inbound runs everywhere, and that one where the box is `none`."""
    box = BOX.model_copy(update={"inbound": inbound})
    records = [record("a", placement="any"), record("b"), record("c", placement="no-inbound")]

    wanted = [each.name for each in desired_of(bucket(*records), box).wanted]

    assert wanted == (["a", "b", "c"] if inbound == "none" else ["a", "b"])


@pytest.mark.behaviour(111)
@pytest.mark.parametrize("manifest", [None, UNREAD])
def test_placement_without_a_manifest(manifest: ManifestFound) -> None:
    """The record alone is judged."""
    records = [record("a"), record("b", placement="no-inbound")]

    desired = desired_of(bucket(*records, manifests={ELEVEN: manifest}), _OPEN_BOX)

    assert states(desired) == {host("a"): "unconfigured", host("b"): "unplaceable"}


@pytest.mark.behaviour(110)
def test_manifest_that_became_no_inbound() -> None:
    """Every record of the app is unplaceable on a box with inbound, and loud about it."""
    records = [record(name) for name in "abc"]

    desired = desired_of(bucket(*records, manifests={ELEVEN: _SHUT}), _OPEN_BOX)

    assert [each.state for each in desired.standings] == ["unplaceable"] * 3


@pytest.mark.behaviour(109)
def test_record_of_another_region_or_pool() -> None:
    """It is another box's, and its manifest is not needed here."""
    records = [record("a", region="uk"), record("b", pool="fleet/eu"), record("c")]
    box = BOX.model_copy(update={"region": "ie", "pools": ("fleet/us",)})

    assert [each.reason for each in desired_of(bucket(*records[:2]), BOX).standings] == [
        'asks for region "uk", and the box is of the home region',
        'asks for pool "fleet/eu", which the box does not serve',
    ]
    assert [each.reason for each in desired_of(bucket(records[2]), box).standings] == [
        'asks for the home region, and the box is of region "ie"'
    ]
    assert [concerns(each, BOX) for each in records] == [False, False, True]


@pytest.mark.parametrize(
    ("pools", "served"),
    [((), ["", ""]), (("",), ["", ""]), (("eu",), ["eu"]), (("", "eu"), ["", "", "eu"])],
)
def test_pools(pools: tuple[str, ...], served: list[str]) -> None:
    """No pools serve the shared one; named pools serve themselves, the shared one by its name."""
    records = [record("a"), record("b"), record("c", pool="eu"), record("d", pool="us")]
    box = BOX.model_copy(update={"pools": pools})

    wanted = desired_of(bucket(*records), box).wanted

    assert sorted(each.pool for each in wanted) == served
