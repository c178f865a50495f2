"""A fresh bucket at an S3 endpoint, with what it takes to fill it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import pytest

from local.bucket import start

REGION = "eu-west-1"
ACCESS_KEY = "AKIDTEST"
_NUMBERS = itertools.count(1)


@dataclass(frozen=True)
class S3Bucket:
    """One bucket: its endpoint's URL, its name, and a boto3 client of that endpoint."""

    url: str
    name: str
    client: Any

    def put(self, key: str, body: bytes | Mapping[str, object] = b"{}") -> None:
        """Write an object; a mapping is written as JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.client.put_object(Bucket=self.name, Key=key, Body=data)

    def delete(self, key: str) -> None:
        """Delete an object."""
        self.client.delete_object(Bucket=self.name, Key=key)


def serve_s3(folder: Path) -> Generator[Callable[[], S3Bucket], None, None]:
    """Run an S3 emulator for as long as the generator is not closed; yield a maker of buckets."""
    server = start(folder)
    client = client_of(server.url)
    try:
        yield lambda: new_bucket(server.url, client)
    finally:
        client.close()
        server.stop()


def new_bucket(url: str, client: Any) -> S3Bucket:
    """Create a bucket of a name not used before."""
    name = f"control-{next(_NUMBERS)}"
    client.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": REGION})
    return S3Bucket(url, name, client)


def client_of(url: str) -> Any:
    """Return a boto3 S3 client of an endpoint, with credentials of its own."""
    return boto3.client(
        "s3",
        endpoint_url=url,
        region_name=REGION,
        aws_access_key_id=ACCESS_KEY,
        aws_secret_access_key="secret",  # noqa: S106  # the emulator takes any
    )


def point_at(patch: pytest.MonkeyPatch, url: str) -> None:
    """Set the environment so that `open_bucket`, and a program started now, finds an endpoint."""
    patch.delenv("AWS_PROFILE", raising=False)
    for name, value in {
        "AWS_ENDPOINT_URL_S3": url,
        "AWS_ACCESS_KEY_ID": ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": REGION,
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    }.items():
        patch.setenv(name, value)
