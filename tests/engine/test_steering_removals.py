"""What goes out of a zone, what is refused, and the one way past a refusal, in the real engine."""

from __future__ import annotations

import os
import re
import signal
from datetime import timedelta

import pytest

from tests.engine.deployment import PACK, PREFIX, ZONE, Deployment, digest_of, word

pytestmark = pytest.mark.engine

URN = f"urn:pulumi:test::fairlead::pulumi-python:dynamic/steering:ZoneRecords::{ZONE}"


def _remove(deployment: Deployment, *boxes: int) -> None:
    for number in boxes:
        deployment.bucket.delete(f"control/edges/b{number}.json")


def test_one_of_four_boxes_goes(converged: Deployment) -> None:
    """Preview lists exactly its removals; up makes them, and sweeps its health check."""
    _remove(converged, 2)
    names = ["edge.apps.example.com", *(f"h00{n}.bab.apps.example.com" for n in range(3))]
    preview = converged.run("preview", *PACK)
    listed = re.findall(r"^ +([-+~] \S+ A .*)$", preview.stdout, re.MULTILINE)
    assert listed == [f"- {name} A {PREFIX}b2 us-east-1 192.0.2.3 ttl=60" for name in names]
    assert not converged.writes
    converged.up(*PACK)
    assert converged.boxes() == {"b0", "b1", "b3"}
    assert "192.0.2.3" not in converged.checked_addresses()
    assert not converged.zone.violations


@pytest.mark.parametrize(
    "words",
    [
        ("preview", *PACK),
        ("up", "--yes", "--skip-preview", "--target", URN),
        ("up", "--yes", "--skip-preview", "--exclude", "urn:pulumi:test::fairlead::a:b:C::other"),
        ("up", "--yes", "--skip-preview", *PACK, "--exclude", URN),
    ],
    ids=["preview", "target", "exclude", "left out"],
)
def test_three_of_four_boxes_go(converged: Deployment, words: tuple[str, ...]) -> None:
    """More than half at once is refused on every way to run, and nothing is written."""
    _remove(converged, 1, 2, 3)
    refused = converged.run(*words, check=False)
    assert refused.returncode != 0
    assert "removes 12 of 16 managed sets, limit half (8)" in refused.stdout
    assert digest_of(refused.stdout) in refused.stdout
    assert not converged.writes


def test_three_boxes_go_and_another_comes(converged: Deployment) -> None:
    """A box armed elsewhere answers for no region that lost its own."""
    _remove(converged, 1, 2, 3)
    converged.edge(4, aws_region="eu-north-1")
    refused = converged.run("preview", *PACK, check=False)
    assert refused.returncode != 0
    assert "removes 12 of 16 managed sets" in refused.stdout
    assert not converged.writes


def test_acknowledged_too_late(converged: Deployment) -> None:
    """An acknowledgement holds before its expiry."""
    _remove(converged, 1, 2, 3)
    digest = digest_of(converged.run("preview", check=False).stdout)
    refused = converged.up("--skip-preview", check=False, env=word(digest, timedelta(hours=-1)))
    assert refused.returncode != 0
    assert "expired" in refused.stdout
    assert not converged.writes


def test_another_removal_under_the_samedigest_of(converged: Deployment) -> None:
    """A digest is for one end: it lets no other through."""
    _remove(converged, 1, 2, 3)
    digest = digest_of(converged.run("preview", check=False).stdout)
    converged.edge(3)
    _remove(converged, 0)
    refused = converged.up("--skip-preview", check=False, env=word(digest))
    assert refused.returncode != 0
    assert "answers nothing in this run" in refused.stdout
    assert not converged.writes


def test_killed_half_way_under_adigest_of(converged: Deployment) -> None:
    """A withdrawal cut short goes on under the digest it began with."""
    _remove(converged, 1, 2, 3)
    digest = digest_of(converged.run("preview", check=False).stdout)
    before = len(converged.zone.calls)
    cli = converged.stack.start(
        "up",
        "--yes",
        "--skip-preview",
        log=converged.stack.home / "log",
        env={**converged.env, **word(digest)},
    )

    def kill(call: dict[str, object]) -> None:
        if call["op"] == "ChangeResourceRecordSets":
            os.kill(cli.pid, signal.SIGKILL)

    converged.zone.on_call = kill
    assert cli.wait() == -signal.SIGKILL
    converged.zone.on_call = None
    assert len(converged.zone.calls) > before
    converged.stack.launch("up", "--yes", *PACK, env={**converged.env, **word(digest)})
    assert converged.boxes() == {"b0"}
    assert converged.checked_addresses() == ["192.0.2.1"]
