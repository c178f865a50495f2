"""Stacks that do not know their zone, or forget it, in the real engine."""

from __future__ import annotations

import pytest

from tests.engine.cli import EngineRunner
from tests.engine.deployment import PACK, ZONE, Deployment, digest_of, word

pytestmark = pytest.mark.engine


def _lose_the_state(deployment: Deployment, engine: EngineRunner) -> None:
    lost = engine.program(deployment.stack.home / "lost", {})
    deployment.stack = lost
    deployment.configure()


def test_lost_state_and_nothing_to_remove(converged: Deployment, engine: EngineRunner) -> None:
    """A fresh stack takes over a zone full of its own sets, and writes nothing."""
    _lose_the_state(converged, engine)
    converged.up(*PACK)
    assert not converged.writes
    assert len(converged.sets()) == 16


def test_lost_state_and_a_removal(converged: Deployment, engine: EngineRunner) -> None:
    """Sets that the stack's state does not know are removed under a digest only."""
    _lose_the_state(converged, engine)
    converged.bucket.delete("control/edges/b3.json")
    refused = converged.up("--skip-preview", *PACK, check=False)
    assert refused.returncode != 0
    assert "steering-adoption" in refused.stdout
    assert not converged.writes
    converged.up("--skip-preview", *PACK, env=word(digest_of(refused.stdout)))
    assert converged.boxes() == {"b0", "b1", "b2"}


def test_dormant_and_armed_again(converged: Deployment) -> None:
    """A dormant stack forgets its zone and touches nothing of it; armed again, it goes on."""
    before = converged.sets()
    converged.configure(zoneId="  ")
    dormant = converged.up("--skip-preview")
    assert f"zone {ZONE} (carlos-steering/) forgotten" in dormant.stdout
    assert converged.stack.outputs()["state"] == "dormant"
    converged.configure(zoneId=f"/hostedzone/{ZONE}")
    converged.up("--skip-preview", *PACK)
    assert converged.sets() == before
    assert not converged.writes


def test_destroyed(converged: Deployment) -> None:
    """Destroy forgets the zone: every record set stays."""
    before = converged.sets()
    done = converged.run("destroy", "--yes", "--skip-preview")
    assert "stay as they are" in done.stdout
    assert converged.sets() == before
    assert not converged.writes


def test_refreshed(converged: Deployment) -> None:
    """A refresh reads and writes nothing, and the next run has nothing to do."""
    converged.run("refresh", "--yes", "--skip-preview")
    preview = converged.run("preview", "--expect-no-changes", *PACK)
    assert "2 unchanged" in preview.stdout
    assert not converged.writes


def test_a_reviewed_plan(converged: Deployment) -> None:
    """What reviewers saw is what is applied: the engine refuses inputs that changed since."""
    plan = str(converged.stack.home / "plan.json")
    converged.bucket.delete("control/edges/b3.json")
    converged.run("preview", "--save-plan", plan)
    converged.bucket.delete("control/edges/b2.json")
    assert converged.up("--skip-preview", "--plan", plan, check=False).returncode != 0
    assert not converged.writes
    converged.edge(2)
    converged.up("--skip-preview", "--plan", plan)
    assert converged.boxes() == {"b0", "b1", "b2"}
