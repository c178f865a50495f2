"""A copy of this checkout as a team's repository: its stack file, its state, its workflows."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from local.zone import ZoneEmulator
from tests.engine.cli import Stack
from tests.engine.deployment import ZONE, Deployment
from tests.support.checkout import Checkout, copy_to
from tests.support.s3_bucket import S3Bucket
from tests.support.workflow import Ran, Runner

STACK = "production"


@dataclass(frozen=True)
class Repository:
    """The copy, the deployment that it steers, and a runner for its workflows."""

    checkout: Checkout
    deployment: Deployment
    runner: Runner

    @property
    def environ(self) -> dict[str, str]:
        """What a shell has that works on the stack."""
        return {**self.deployment.stack.environ, **self.deployment.env}

    def step(self, workflow: str, job: str, name: str, **values: str) -> Ran:
        """Run a step of a workflow; a value is an input of its dispatch."""
        inputs = {f"inputs.{key}": value for key, value in values.items()}
        runner = replace(self.runner, values={**self.runner.values, **inputs})
        return runner.run(workflow, job, name)

    def sh(self, command: str, *, code: int = 0, more: Mapping[str, str] | None = None) -> str:
        """Run a shell command in the checkout, which has to end so; return all that it prints."""
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self.checkout.folder,
            env={**self.environ, **(more or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == code, f"{command}\n{done.stdout}"
        return done.stdout


def found(folder: Path, zone: ZoneEmulator, bucket: S3Bucket, backend: str = "") -> Repository:
    """Make one whose zone has its apex alone, and whose stack was never updated.

    ``backend`` is where the state lies, a folder unless another is named.
    """
    zone.seed({"zones": [{"id": ZONE, "name": "example.com"}]})
    for name in ("state", "temp"):
        (folder / name).mkdir()
    checkout = copy_to(folder / "checkout")
    state = {
        "PULUMI_BACKEND_URL": backend or (folder / "state").as_uri(),
        "PULUMI_CONFIG_PASSPHRASE": "",
    }
    environ = {**{key: os.environ[key] for key in ("HOME", "PATH")}, **state}
    pulumi = checkout.folder / "local" / "pulumi"
    stack = Stack(checkout.folder, checkout.folder / "stacks", STACK, pulumi, environ)
    deployment = Deployment(stack, zone, bucket)
    values = {
        "vars.FAIRLEAD_STACK": STACK,
        "vars.FAIRLEAD_BACKEND": state["PULUMI_BACKEND_URL"],
        "secrets.PULUMI_CONFIG_PASSPHRASE": "",
        "inputs.acknowledge": "",
    }
    runner = Runner(checkout.folder, folder / "temp", values, {**environ, **deployment.env})
    made = Repository(checkout, deployment, runner)
    made.sh(f"local/pulumi stack init {STACK} --no-select")
    deployment.configure()
    return made
