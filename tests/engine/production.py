"""What somebody has who types the commands of docs/production.md: a checkout, AWS, and tools.

AWS is emulated, and so are ``aws``, ``gh`` and ``curl``; ``jq`` is the one that gh is built with.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3

from local.bucket import start
from local.zone import ZoneEmulator
from tests.support import aws_cli
from tests.support.checkout import CHECKOUT, Checkout, copy_to
from tests.support.s3_bucket import ACCESS_KEY, REGION
from tests.support.sessions import assert_shows, run_block

PAGE = (CHECKOUT / "docs" / "production.md").read_text()
PERMISSIONS = (CHECKOUT / "docs" / "permissions.md").read_text()
ZONE, STAGING = "Z0123456789ABC", "Z9876543210ABC"
HOST, EDGE = "api.bab.apps.example.com", "edge.apps.example.com"
BOXES = {"ie-1": ("eu-west-1", "99.81.104.219"), "us-1": ("us-east-1", "3.80.0.1")}
SERVICES = "s3,kms,iam,ec2,cloudwatch,monitoring"
RANGES = {
    "prefixes": [
        {"ip_prefix": "15.177.0.0/18", "service": "ROUTE53_HEALTHCHECKS"},
        {"ip_prefix": "3.5.140.0/22", "service": "AMAZON"},
    ]
}
_BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)


@dataclass
class Desk:
    """A checkout, its zone and its account, and what was set by ``export`` so far."""

    checkout: Checkout
    zone: ZoneEmulator
    aws: str
    environ: dict[str, str] = field(default_factory=dict)
    output: str = ""

    def client(self, service: Any, region: str = REGION) -> Any:
        """A boto3 client of the account."""
        session = boto3.Session(ACCESS_KEY, "secret", region_name=region)
        return session.client(service, endpoint_url=self.aws)

    def type(self, section: str, **known: str) -> None:
        """Type a section's commands, and look for what it shows in the output before it.

        ``known`` replaces what the page can only make up.
        """
        _, found, rest = PAGE.partition(f"\n## {section}\n")
        assert found, section
        for _, language, text in _BLOCK.findall(rest.partition("\n## ")[0]):
            for made_up, real in known.items():
                text = text.replace(made_up.replace("_", "-"), real)  # noqa: PLW2901
            if language == "sh":
                self._type(text)
            elif language == "text":
                assert_shows(self.output, text)

    def _type(self, text: str) -> None:
        lines = text.splitlines()
        exports = [line for line in lines if line.startswith("export ")]
        for word in (shlex.split(line)[1] for line in exports):
            name, _, value = word.partition("=")
            self.environ[name] = value
        others = "\n".join(line for line in lines if line not in exports)
        self.output = run_block(self.checkout, others, self.output, self.environ)

    def sh(self, command: str) -> str:
        """Run a command that is not on the page, to its good end."""
        done = self.checkout.run(command, self.environ)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def sets(self, zone: str = ZONE) -> dict[str, list[str]]:
        """The record sets of a zone without its apex: identifiers by name."""
        found: dict[str, list[str]] = {}
        for each in (each.doc for each in self.zone.zones[zone].record_sets()):
            if each["Type"] not in ("NS", "SOA"):
                name = each["Name"].removesuffix(".")
                found.setdefault(name, []).append(each.get("SetIdentifier", ""))
        return found

    def put(self, key: str, body: dict[str, Any]) -> None:
        """Write an object of the control bucket."""
        self.client("s3").put_object(Bucket="control-bucket", Key=key, Body=json.dumps(body))


@contextmanager
def desk_in(folder: Path, gojq: Path) -> Iterator[Desk]:
    """Make one whose zones the platform's agent has filled, with a control bucket for each."""
    server = start(_made(folder / "aws"), services=SERVICES)
    try:
        with ZoneEmulator(insync_after=0) as zone:
            desk = Desk(copy_to(folder / "checkout"), zone, server.url)
            tools = _tools(_made(folder / "bin"), desk.checkout.folder, gojq)
            desk.environ |= _environment(tools, folder, desk)
            zone.seed(_zones())
            _fill(desk)
            yield desk
    finally:
        server.stop()


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _environment(tools: Path, folder: Path, desk: Desk) -> dict[str, str]:
    profile = folder / "profile"
    profile.write_text("[profile production]\n")
    return {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "AWS_ENDPOINT_URL": desk.aws,
        "AWS_ENDPOINT_URL_ROUTE_53": desk.zone.url,
        "AWS_ACCESS_KEY_ID": ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_CONFIG_FILE": str(profile),
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
        "AWS_PROFILE": "production",
        "HTTP_PROXY": "",
        "http_proxy": "",
        "PULUMI_CONFIG_PASSPHRASE": "",
        "PULUMI_BACKEND_URL": _made(folder / "state").as_uri(),
    }


def _tools(bin_: Path, checkout: Path, gojq: Path) -> Path:
    python = checkout / ".venv" / "bin" / "python"
    scripts = {
        "aws": f'exec "{sys.executable}" "{aws_cli.__file__}" "$@"',
        "python": f'exec "{python}" "$@"',
        "jq": f'exec "{gojq}" "$@"',
        "gh": f'echo "$*" >> "{bin_.parent}/gh.log"',
        "curl": f"echo '{json.dumps(RANGES)}'",
    }
    for name, body in scripts.items():
        (bin_ / name).write_text(f"#!/bin/sh\n{body}\n")
        (bin_ / name).chmod(0o755)
    return bin_


def _zones() -> dict[str, Any]:
    """Return what the platform's agent has made: its sets have checks of its own."""
    sets = [
        {
            "Name": name,
            "Type": "A",
            "SetIdentifier": f"carlos-steering/{box}",
            "Region": region,
            "TTL": 60,
            "ResourceRecords": [{"Value": address}],
            "HealthCheckId": f"agent-{box}",
        }
        for name in (HOST, EDGE)
        for box, (region, address) in BOXES.items()
    ]
    checks = [
        {
            "Id": f"agent-{box}",
            "CallerReference": f"agent/{box}",
            "HealthCheckConfig": {"Type": "HTTPS", "IPAddress": address, "Port": 443},
        }
        for box, (_, address) in BOXES.items()
    ]
    zones = [
        {"id": ZONE, "name": "example.com", "record_sets": sets},
        {"id": STAGING, "name": "staging.example.net"},
    ]
    return {"zones": zones, "health_checks": checks}


def _fill(desk: Desk) -> None:
    place = {"CreateBucketConfiguration": {"LocationConstraint": REGION}}
    desk.client("s3").create_bucket(Bucket="control-bucket", **place)
    for prefix, domain in (("", "apps.example.com"), ("staging/", "apps.staging.example.net")):
        host = f"api.bab.{domain}"
        for box, (region, address) in BOXES.items():
            body = {"v": 1, "box": box, "aws_region": region, "eip": address, "armed": True}
            desk.put(f"{prefix}control/edges/{box}.json", body)
        body = {"v": 1, "host": host, "steering": "latency", "pool": ""}
        desk.put(f"{prefix}apps/bab/api/instances/{host}.json", body)
