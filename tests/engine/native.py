"""A steering deployment whose realizer is native, over the tests' own pulumi-aws."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from local.zone import ZoneEmulator
from tests.engine.cli import EngineRunner
from tests.engine.deployment import ZONE, Deployment
from tests.support.s3_bucket import S3Bucket

RECORD = "aws:route53/record:Record"
CHECK = "aws:route53/healthCheck:HealthCheck"
PLAN = "pulumi-python:dynamic/steering:Plan"
COMPONENT = "fairlead:steering:Zone"
_ENDPOINT = re.compile(r"http://127\.0\.0\.1:\d+")


@dataclass
class NativeDeployment(Deployment):
    """``attached`` is the variable that leads the engine to the provider process."""

    attached: dict[str, str] = field(default_factory=dict)

    @property
    def env(self) -> dict[str, str]:
        """What points a program at the emulators, and the engine at the provider."""
        return {**super().env, **self.attached}

    def configure(self, **changes: Any) -> None:
        """Set the stack's configuration, and where the provider finds Route 53."""
        super().configure(**{"realizer": "native", **changes})
        own = {f"fairlead:{key}": value for key, value in self.settings().items()}
        endpoints = json.dumps([{"route53": self.zone.url}])
        self.stack.configure({**own, "aws:endpoints": endpoints, "aws:region": "us-east-1"})

    def resources(self, kind: str) -> dict[str, dict[str, Any]]:
        """The resources of a type in the state, by name."""
        found = (each for each in self.stack.resources() if each["type"] == kind)
        return {each["urn"].split("::", 3)[3]: each for each in found}

    def outputs_of_checks(self) -> list[str]:
        """The addresses of the stack's output ``healthChecks``, whose ids are live."""
        listed = self.stack.outputs()["healthChecks"]
        assert {each["id"] for each in listed} == set(self.zone.health_checks)
        return [each["address"] for each in listed]

    def urns(self) -> set[str]:
        """The URNs of all records and health checks in the state."""
        kinds = (RECORD, CHECK)
        return {each["urn"] for kind in kinds for each in self.resources(kind).values()}


def deploy_native(
    engine: EngineRunner,
    folder: Path,
    zone: ZoneEmulator,
    bucket: S3Bucket,
    attached: dict[str, str],
) -> NativeDeployment:
    """Make an empty deployment: a stack in the folder, the zone seeded with its apex alone."""
    zone.seed({"zones": [{"id": ZONE, "name": "example.com"}]})
    made = NativeDeployment(engine.program(folder, {}), zone, bucket, attached=attached)
    made.configure()
    return made


def recall_native(
    engine: EngineRunner,
    kept: Path,
    folder: Path,
    zone: ZoneEmulator,
    bucket: S3Bucket,
    attached: dict[str, str],
) -> NativeDeployment:
    """Make a deployment that is where the remembered one was.

    The state says where the provider finds Route 53, which is somewhere else now.
    """
    zone.seed(json.loads((kept / "zone.json").read_text()))
    made = NativeDeployment(engine.program(folder, {}), zone, bucket, attached=attached)
    shutil.rmtree(made.stack.backend)
    shutil.copytree(kept / "state", made.stack.backend)
    for file in made.stack.backend.rglob("*.json.gz"):
        text = _ENDPOINT.sub(zone.url, gzip.decompress(file.read_bytes()).decode())
        file.write_bytes(gzip.compress(text.encode()))
    made.configure()
    return made
