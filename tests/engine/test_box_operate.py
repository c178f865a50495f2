"""``operate digest`` and ``status`` of a box's two stacks, beside the real engine."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.boxes import BoxDeployment, deploy_box, fill
from tests.engine.cli import Completed, EngineRunner, Stack
from tests.registry.samples import dump
from tests.support.checkout import CHECKOUT
from tests.support.s3_bucket import S3Bucket

pytestmark = pytest.mark.engine


@pytest.fixture
def box(engine: EngineRunner, tmp_path: Path, bucket: S3Bucket) -> BoxDeployment:
    """A box with nothing in its registry, whose bucket asks for three sidecars."""
    made = deploy_box(engine, tmp_path, bucket)
    fill(made, *"abc")
    return made


def operate(box: BoxDeployment, stack: Stack, command: str) -> Completed:
    own = ["--stack", stack.name, "--config-file", str(stack.config_file)]
    return subprocess.run(
        [sys.executable, "-m", "operate", command, *own],
        cwd=CHECKOUT,
        env={**stack.environ, **box.env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_is_held_back_and_its_digest(box: BoxDeployment) -> None:
    """It is listed before any run fails for it, and the word of the command lets it through."""
    box.up()
    for name in "ab":
        box.forget(name)
    before = dump(box.registry)
    done = operate(box, box.sidecars, "digest")
    assert (done.returncode, done.stderr) == (1, "")
    assert "+0 ~0 -0 of 3 rows, 2 held back" in done.stdout
    assert dump(box.registry) == before
    word = re.search(r"FAIRLEAD_ACKNOWLEDGE=(\S+)", done.stdout)
    assert word is not None
    box.up(env={"FAIRLEAD_ACKNOWLEDGE": word[1]})
    assert box.names() == ["c"]
    status = operate(box, box.sidecars, "status")
    assert status.returncode == 0
    assert status.stdout.startswith("stack a1-sidecars: armed, 1 row\nlast converged: 20")


def test_a_snapshot_that_is_due(box: BoxDeployment) -> None:
    """It is listed, not taken; afterwards there is nothing to do."""
    due = operate(box, box.snapshot, "digest")
    assert (due.returncode, due.stderr) == (0, "")
    assert "\n+ control/registry-snapshot/a1.db: " in due.stdout
    box.take()
    assert "\nnothing to do\nnothing is refused\n" in operate(box, box.snapshot, "digest").stdout
    status = operate(box, box.snapshot, "status").stdout
    assert re.match(r"stack a1-snapshot: armed, control/.*a1\.db taken 20\S+Z, 1 gen", status)
