"""docs/adopt.md: its commands run as written, and its way back leaves a host with its answer."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from local.zone import ZoneEmulator
from route53.client import make_client
from tests.support.checkout import CHECKOUT, Checkout, copy_to
from tests.support.s3_bucket import ACCESS_KEY, REGION, S3Bucket, serve_s3
from tests.support.sessions import assert_shows, run_block
from tests.support.zones import environment

pytestmark = pytest.mark.engine

PAGE = (CHECKOUT / "docs" / "adopt.md").read_text()
BLOCKS = re.findall(r"^( *)```(\w+)\n(.*?)^\1```$", PAGE, re.DOTALL | re.MULTILINE)
ZONE, HOST = "Z0123456789ABC", "api.bab.apps.example.com"
BOXES = {"ie-1": ("eu-west-1", "99.81.104.219"), "us-1": ("us-east-1", "3.80.0.1")}
SIMPLE = {
    "Name": HOST,
    "Type": "A",
    "TTL": 300,
    "ResourceRecords": [{"Value": "99.81.104.219"}],
}


def blocks(language: str) -> list[str]:
    return [text for _, found, text in BLOCKS if found == language]


@pytest.fixture
def make_bucket(tmp_path: Path) -> Iterator[Callable[[], S3Bucket]]:
    yield from serve_s3(tmp_path)


@pytest.fixture
def bucket(make_bucket: Callable[[], S3Bucket]) -> S3Bucket:
    """Two armed boxes, and a record that steers the host."""
    made = make_bucket()
    for box, (region, address) in BOXES.items():
        body = {"v": 1, "box": box, "aws_region": region, "eip": address, "armed": True}
        made.put(f"control/edges/{box}.json", body)
    steer(made, "latency")
    return made


def steer(bucket: S3Bucket, steering: str) -> None:
    body = {"v": 1, "host": HOST, "steering": steering, "pool": ""}
    bucket.put(f"apps/bab/api/instances/{HOST}.json", body)


@pytest.fixture
def zone() -> Iterator[ZoneEmulator]:
    with ZoneEmulator(insync_after=0) as made:
        made.seed({"zones": [{"id": ZONE, "name": "example.com", "record_sets": [SIMPLE]}]})
        yield made


@pytest.fixture
def environ(zone: ZoneEmulator, bucket: S3Bucket, tmp_path: Path) -> dict[str, str]:
    """A backend of the test's own, and the emulators in AWS's place."""
    state, profile = tmp_path / "state", tmp_path / "aws"
    state.mkdir()
    profile.write_text("[profile production]\n")
    return {
        "AWS_ENDPOINT_URL_S3": bucket.url,
        "AWS_ENDPOINT_URL_ROUTE_53": zone.url,
        "AWS_ACCESS_KEY_ID": ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": REGION,
        "AWS_CONFIG_FILE": str(profile),
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
        "AWS_PROFILE": "production",
        "PULUMI_BACKEND_URL": state.as_uri(),
        "HTTP_PROXY": "",
        "http_proxy": "",
    }


@pytest.fixture
def checkout(tmp_path: Path, bucket: S3Bucket) -> Checkout:
    made = copy_to(tmp_path / "checkout")
    settings = {"bucket": bucket.name, "zoneId": ZONE, "appsDomain": "apps.example.com"}
    lines = [f"  fairlead:{key}: {value}" for key, value in settings.items()]
    file = made.folder / "stacks" / "Pulumi.production.yaml"
    file.write_text("\n".join(["config:", *lines, ""]))
    return made


def adopt(checkout: Checkout, environ: dict[str, str]) -> None:
    """Converge without the setting, then type what the page says, and compare what it shows."""
    before = ("stack init production", "up --yes --skip-preview --stack production")
    for words in before:
        done = checkout.run(f"local/pulumi {words}", environ)
        assert done.returncode == 0, done.stdout
    assert "the name carries a foreign A set" in done.stdout
    output = ""
    for _, language, text in BLOCKS:
        if language == "sh":
            output = run_block(checkout, text, output, environ)
        elif language == "text":
            assert_shows(output, text)


def sets_of(zone: ZoneEmulator) -> list[dict[str, Any]]:
    found = (each.doc for each in zone.zones[ZONE].record_sets())
    return [each for each in found if each["Name"] == f"{HOST}."]


def test_commands_of_the_page(
    checkout: Checkout, environ: dict[str, str], zone: ZoneEmulator, bucket: S3Bucket
) -> None:
    """The host is adopted, and given back by one batch, after which a run leaves it alone."""
    adopt(checkout, environ)
    assert [each["SetIdentifier"] for each in sets_of(zone)] == [
        f"carlos-steering/{box}" for box in BOXES
    ]
    give_back(zone)
    steer(bucket, "")
    up = "local/pulumi up --yes --skip-preview --expect-no-changes --stack production"
    done = checkout.run(up, environ)
    assert done.returncode == 0, done.stdout
    assert [each.get("SetIdentifier") for each in sets_of(zone)] == [None]
    assert not zone.violations


def give_back(zone: ZoneEmulator) -> None:
    """Send the page's batch, with the ids of the health checks that are there."""
    (text,) = blocks("json")
    batch = json.loads(text)
    checks = {each["SetIdentifier"]: each["HealthCheckId"] for each in sets_of(zone)}
    for change in batch["Changes"]:
        one = change["ResourceRecordSet"]
        if "HealthCheckId" in one:
            one["HealthCheckId"] = checks[one["SetIdentifier"]]
    with patch.dict(os.environ, environment(zone.url)):
        client = make_client()
    client.change_resource_record_sets(HostedZoneId=ZONE, ChangeBatch=batch)
    client.close()
