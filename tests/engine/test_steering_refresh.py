"""What `pulumi refresh`, dormancy and another prefix do to a zone, in the real engine."""

from __future__ import annotations

import pytest

from tests.engine.deployment import DOMAIN, Deployment

pytestmark = pytest.mark.engine

QUIET = ("--expect-no-changes", "--suppress-outputs")


def test_a_refresh_between_two_runs(converged: Deployment) -> None:
    """The next preview and the next run find nothing to do, nor does a refresh after them."""
    converged.run("refresh", "--yes", "--skip-preview")
    converged.run("preview", *QUIET)
    converged.up("--skip-preview", *QUIET)
    converged.run("refresh", "--yes", "--skip-preview", *QUIET)
    assert not converged.writes


def test_a_refresh_of_a_zone_that_is_gone(converged: Deployment) -> None:
    """It leaves the state; a run then fails at its first read, and names the zone."""
    converged.zone.zones.clear()
    converged.run("refresh", "--yes", "--skip-preview")
    assert not [each for each in converged.stack.resources() if "Zone" in each["type"]]
    done = converged.run("preview", check=False)
    assert done.returncode != 0
    assert "zone Z0STEERING: ListResourceRecordSets: NoSuchHostedZone" in done.stdout
    assert not converged.writes


def test_a_prefix_that_changes(converged: Deployment) -> None:
    """It is another deployment: the resource is made anew, and the sets of the old one stay."""
    before = converged.sets()
    converged.configure(setIdentifierPrefix="others/", appsDomain=DOMAIN)
    done = converged.up("--skip-preview", "--suppress-outputs")
    assert "1 replaced" in done.stdout
    assert "(carlos-steering/) forgotten" in done.stdout
    assert converged.sets() == before


@pytest.mark.behaviour(26)
@pytest.mark.behaviour(33)
def test_a_stack_made_dormant(converged: Deployment) -> None:
    """The zone is forgotten, not withdrawn: nothing is called, and a line says what stays."""
    converged.configure(zoneId=" ")
    done = converged.up("--skip-preview", "--suppress-outputs")
    assert "steering: no zone id, so this stack is dormant; nothing is read" in done.stdout
    assert "forgotten: its record sets and health checks stay as they are" in done.stdout
    assert converged.zone.calls == []
    assert converged.stack.outputs()["state"] == "dormant"
