"""The operators' commands beside the real engine: a stack from its first run to its end."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from local.engine_env import CHECKOUT
from tests.engine.cli import Completed
from tests.engine.deployment import ZONE, Deployment

pytestmark = pytest.mark.engine


def operate(deployment: Deployment, *words: str, word: str = "") -> Completed:
    own = ["--stack", deployment.stack.name, "--config-file", str(deployment.stack.config_file)]
    return subprocess.run(
        [sys.executable, "-m", "operate", *words, *own],
        cwd=CHECKOUT,
        env={**deployment.stack.environ, **deployment.env, "FAIRLEAD_ACKNOWLEDGE": word},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def offered(done: Completed) -> str:
    found = re.search(r"FAIRLEAD_ACKNOWLEDGE=(\S+)", done.stdout)
    assert found, done
    return found[1]


def test_before_the_first_run(fresh: Deployment) -> None:
    """Never converged; the plan is listed all the same."""
    fresh.edge(0)
    fresh.host("a")
    assert operate(fresh, "status").stdout.startswith("stack test: never converged\n")
    done = operate(fresh, "digest")
    assert (done.returncode, done.stderr) == (0, "")
    assert "+2 ~0 -0 of 0 record sets, 2 hosts; +1 ~0 -0 health checks" in done.stdout


def test_a_refusal_and_its_digest(converged: Deployment) -> None:
    """The digest of the command is the one that lets the run through."""
    for number in (1, 2, 3):
        converged.bucket.delete(f"control/edges/b{number}.json")
    done = operate(converged, "digest")
    assert done.returncode == 1
    assert converged.up("--skip-preview", check=False).returncode != 0
    status = operate(converged, "status")
    assert (status.returncode, "last update: failed at" in status.stdout) == (1, True)
    converged.up("--skip-preview", env={"FAIRLEAD_ACKNOWLEDGE": offered(done)})
    assert converged.boxes() == {"b0"}
    assert operate(converged, "status").returncode == 0


def test_a_state_that_is_lost(converged: Deployment) -> None:
    """The command sees that the state has no zone, and offers what a first run needs."""
    converged.bucket.delete("control/edges/b3.json")
    converged.stack.run("state", "delete", "--all", "--yes", "--force")
    done = operate(converged, "digest")
    assert "mandatory: steering-adoption: " in done.stdout
    converged.up("--skip-preview", env={"FAIRLEAD_ACKNOWLEDGE": offered(done)})
    assert converged.boxes() == {"b0", "b1", "b2"}


def test_the_end_of_a_stack(converged: Deployment) -> None:
    """Made dormant, then withdrawn: nothing is left, and no run brings it back."""
    converged.configure(zoneId="")
    converged.up("--skip-preview")
    assert operate(converged, "status").stdout.startswith("stack test: dormant\n")
    named = ("withdraw", "--zone-id", ZONE)
    asked = operate(converged, *named)
    assert (asked.returncode, len(converged.sets())) == (1, 16)
    done = operate(converged, *named, word=offered(asked))
    assert (done.returncode, converged.sets(), converged.checked_addresses()) == (0, [], [])
    converged.up("--skip-preview")
    assert converged.sets() == []
