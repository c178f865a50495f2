"""What the real engine does with a removal of more than half a zone, whatever the realizer."""

from __future__ import annotations

import json

import pytest

from tests.engine.deployment import PACK, Deployment, digest_of, word

pytestmark = pytest.mark.engine


@pytest.fixture(params=["converged", "native"])
def three_go(request: pytest.FixtureRequest) -> Deployment:
    """A converged deployment of either realizer, three of whose four boxes go."""
    made: Deployment = request.getfixturevalue(request.param)
    for number in (1, 2, 3):
        made.bucket.delete(f"control/edges/b{number}.json")
    return made


def test_without_the_pack(three_go: Deployment) -> None:
    """The resource's own check refuses it without a preview too, and nothing is written."""
    refused = three_go.up("--skip-preview", check=False)
    assert refused.returncode != 0
    assert "removes 12 of 16 managed sets, limit half (8)" in refused.stdout
    assert digest_of(refused.stdout) in refused.stdout
    assert not three_go.writes


def test_the_pack_is_told_to_let_all_pass(three_go: Deployment) -> None:
    """A pack's configuration can disarm the pack, and not the resource's own check."""
    disarmed = three_go.stack.home / "disarmed.json"
    disarmed.write_text(json.dumps({"all": "disabled"}))
    words = ("--skip-preview", *PACK, "--policy-pack-config", str(disarmed))
    refused = three_go.up(*words, check=False)
    assert refused.returncode != 0
    assert "removes 12 of 16 managed sets" in refused.stdout
    assert not three_go.writes


def test_acknowledged(three_go: Deployment) -> None:
    """The digest lets exactly this through, with the pack on."""
    digest = digest_of(three_go.run("preview", *PACK, check=False).stdout)
    three_go.up(*PACK, env=word(digest))
    assert three_go.boxes() == {"b0"}
    assert three_go.checked_addresses() == ["192.0.2.1"]
    assert not three_go.zone.violations
