"""One steering deployment for the real CLI: a bucket, a zone and a stack, all of the test's own."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from local.engine_env import CHECKOUT
from local.zone import ZoneEmulator
from tests.engine.cli import Completed, EngineRunner, Stack
from tests.support.s3_bucket import ACCESS_KEY, REGION, S3Bucket

ZONE = "Z0STEERING"
DOMAIN = "apps.example.com"
PREFIX = "carlos-steering/"
PACK = ("--policy-pack", str(CHECKOUT / "policy"))
REGIONS = ("eu-west-1", "eu-west-2", "us-east-1", "ap-southeast-2")
WRITES = frozenset(
    {
        "ChangeResourceRecordSets",
        "ChangeTagsForResource",
        "CreateHealthCheck",
        "DeleteHealthCheck",
        "UpdateHealthCheck",
    }
)


@dataclass
class Deployment:
    """What a test steers with, and what it looks at."""

    stack: Stack
    zone: ZoneEmulator
    bucket: S3Bucket
    s3_url: str = ""
    config: dict[str, Any] = field(default_factory=dict)

    @property
    def env(self) -> dict[str, str]:
        """What points a program at the emulators."""
        return {
            "AWS_ENDPOINT_URL_S3": self.s3_url or self.bucket.url,
            "AWS_ENDPOINT_URL_ROUTE_53": self.zone.url,
            "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_DEFAULT_REGION": REGION,
            "AWS_CONFIG_FILE": "/dev/null",
            "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
        }

    def configure(self, **changes: Any) -> None:
        """Set the stack's configuration: the test's own on top of the deployment's."""
        self.config |= changes
        self.stack.configure({f"fairlead:{key}": each for key, each in self.settings().items()})

    def settings(self) -> dict[str, Any]:
        """The stack's settings, without their namespace."""
        base = {"bucket": self.bucket.name, "zoneId": ZONE, "appsDomain": DOMAIN}
        return {**base, "allowTestAddresses": True, **self.config}

    def edge(self, number: int, *, armed: bool = True, **changes: Any) -> None:
        """Write the edges file of box ``b<number>``; its region and address follow its number."""
        box = f"b{number}"
        body = {
            "v": 1,
            "box": box,
            "aws_region": REGIONS[number % len(REGIONS)],
            "eip": f"192.0.2.{number + 1}",
            "armed": armed,
        }
        self.bucket.put(f"control/edges/{box}.json", {**body, **changes})

    def host(self, name: str, account: str = "bab", **changes: Any) -> str:
        """Write the record of ``<name>.<account>.<apps domain>``, and return that host."""
        host = f"{name}.{account}.{DOMAIN}"
        body = {"v": 1, "host": host, "steering": "latency", "pool": ""}
        self.bucket.put(f"apps/{account}/{name}/instances/{host}.json", {**body, **changes})
        return host

    def up(
        self, *words: str, check: bool = True, env: Mapping[str, str] | None = None
    ) -> Completed:
        """Run ``up`` as CI does: after its own preview, unless the words say otherwise."""
        return self.run("up", "--yes", *words, check=check, env=env)

    def run(
        self, *words: str, check: bool = True, env: Mapping[str, str] | None = None
    ) -> Completed:
        """Run a command of the CLI against the emulators."""
        return self.stack.run(*words, check=check, env={**self.env, **(env or {})})

    def launch(self, *words: str, check: bool = True) -> Completed:
        """Run a command by local/pulumi, which heals what a killed run left."""
        return self.stack.launch(*words, check=check, env=self.env)

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        """Start a command of the CLI, to be interrupted."""
        return self.stack.start(*words, log=self.stack.home / "log", env=self.env)

    @property
    def writes(self) -> list[dict[str, Any]]:
        """The write calls of the log so far, refused ones too."""
        return [call for call in self.zone.calls if call["op"] in WRITES]

    def sets(self) -> list[dict[str, Any]]:
        """The zone's record sets but for those of its apex, as boto3 has them."""
        documents = (each.doc for each in self.zone.zones[ZONE].record_sets())
        return [each for each in documents if each["Type"] not in ("NS", "SOA")]

    def boxes(self) -> set[str]:
        """The boxes that have a managed set."""
        identifiers = (each.get("SetIdentifier", "") for each in self.sets())
        return {each.removeprefix(PREFIX) for each in identifiers if each.startswith(PREFIX)}

    def checked_addresses(self) -> list[str]:
        """The addresses that have a health check, sorted."""
        checks = self.zone.health_checks.values()
        return sorted(each["HealthCheckConfig"]["IPAddress"] for each in checks)


def digest_of(text: str) -> str:
    """The digest that a refusal offers."""
    found = re.search(r"digest ([0-9a-f]{12})\b", text)
    assert found, text
    return found[1]


def word(digest: str, ahead: timedelta = timedelta(hours=1)) -> dict[str, str]:
    """The variable that lets a digest through for so long from now."""
    expiry = datetime.now(timezone.utc) + ahead
    return {"FAIRLEAD_ACKNOWLEDGE": f"{digest}.{expiry:%Y%m%dT%H%M%SZ}"}


def deploy(engine: EngineRunner, folder: Path, zone: ZoneEmulator, bucket: S3Bucket) -> Deployment:
    """Make an empty deployment: a stack in the folder, the zone seeded with its apex alone."""
    zone.seed({"zones": [{"id": ZONE, "name": "example.com"}]})
    made = Deployment(engine.program(folder, {}), zone, bucket)
    made.configure()
    return made


def fill(deployment: Deployment, *, boxes: Iterable[int], hosts: int) -> None:
    """Arm boxes and steer hosts ``h000`` and so on."""
    for number in boxes:
        deployment.edge(number)
    for number in range(hosts):
        deployment.host(f"h{number:03}")


def remember(deployment: Deployment, folder: Path) -> Path:
    """Keep a converged deployment's state and zone in a folder, for `recall`."""
    shutil.copytree(deployment.stack.backend, folder / "state")
    (folder / "zone.json").write_text(json.dumps(deployment.zone.state()))
    return folder


def recall(
    engine: EngineRunner, kept: Path, folder: Path, zone: ZoneEmulator, bucket: S3Bucket
) -> Deployment:
    """Make a deployment that is where the remembered one was."""
    zone.seed(json.loads((kept / "zone.json").read_text()))
    made = Deployment(engine.program(folder, {}), zone, bucket)
    shutil.rmtree(made.stack.backend)
    shutil.copytree(kept / "state", made.stack.backend)
    made.configure()
    return made
