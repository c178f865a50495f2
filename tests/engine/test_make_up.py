"""`make up` where the engine fails; that it succeeds is what the README's session shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from local.services import ZONE_CALLS
from tests.support.checkout import Checkout, copy_to

pytestmark = pytest.mark.engine
UP = ".venv/bin/python -m local up"


@pytest.fixture
def checkout(tmp_path: Path) -> Iterator[Checkout]:
    made = copy_to(tmp_path / "checkout")
    yield made
    made.run("make down")


def test_engine_that_fails(checkout: Checkout) -> None:
    """Its exit code is the command's, no table claims what is not so, and the others ran."""
    stack_file = checkout.folder / "stacks" / "Pulumi.local-steering.yaml"
    stack_file.write_text(stack_file.read_text().replace("example.com", "not a domain"))
    done = checkout.run(UP)
    assert "fairlead:appsDomain: not a legal domain name" in done.stdout
    said = "local up: local-steering: local/pulumi up ended with exit code"
    assert done.stdout.splitlines()[-1].startswith(said)
    assert done.returncode == int(done.stdout.split()[-1]) != 0
    assert "live in zone" not in done.stdout
    assert re.search(r"\nindexer\.shop\.bab\.\S+ +sidecar edge +minted\n", done.stdout)
    assert re.search(r"\ncontrol/registry-snapshot/ie-1\.db .* whole, 6 routes\n", done.stdout)


def test_bucket_with_a_bad_edges_file(checkout: Checkout) -> None:
    """A read that fails ends `make up`, with no write call to the zone."""
    checkout.run(".venv/bin/python -c 'from local.up import _start; _start()'")
    bad = "echo '{' > bad && .venv/bin/python -m local bucket put control/edges/ie-1.json bad"
    assert checkout.run(bad).returncode == 0
    done = checkout.run(UP)
    assert done.returncode != 0
    assert "control/edges/ie-1.json: is not JSON" in done.stdout
    log = checkout.folder / ".local" / ZONE_CALLS
    calls = log.read_text().splitlines() if log.exists() else []
    assert [call for call in calls if json.loads(call)["op"].startswith("Change")] == []
