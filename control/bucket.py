"""Opening the control bucket: its setting, credentials, region, endpoint and time limits."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import boto3
from botocore.exceptions import BotoCoreError
from obstore.auth.boto3 import Boto3CredentialProvider
from obstore.store import S3Store

from control.errors import CannotOpen
from control.store import ObjectStore
from control.writer import ObjectWriter

if TYPE_CHECKING:  # obstore has these in its stubs alone
    from obstore.store import ClientConfig, RetryConfig, S3Config

_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_PREFIX_SEGMENT = re.compile(r"(?!\.{1,2}$)[A-Za-z0-9!_.*'()-]+")
_REGION = re.compile(r"[a-z0-9-]+")
_ENDPOINT = re.compile(r"https?://[A-Za-z0-9._~:/\[\]-]+")
_CREDENTIALS_KEPT = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class _Patience:
    """How long one attempt may take, body and all, and from when on none is tried again."""

    attempt: timedelta
    retries_end: timedelta
    retries_at_most: int = 4

    @property
    def retries(self) -> RetryConfig:
        backoff = (timedelta(milliseconds=100), timedelta(seconds=2))
        return {
            "max_retries": self.retries_at_most,
            "retry_timeout": self.retries_end,
            "backoff": {"init_backoff": backoff[0], "max_backoff": backoff[1], "base": 2},
        }


# A store that does not answer is given up after two attempts, within 15 seconds.
_DOCUMENTS = _Patience(attempt=timedelta(seconds=7), retries_end=timedelta(seconds=8))
# Somebody holds a lock meanwhile.
_HASTY = _Patience(attempt=timedelta(seconds=2), retries_end=timedelta(0), retries_at_most=0)
# Whole registries: 60 MB at 1 MB/s.
_FILES = _Patience(attempt=timedelta(seconds=60), retries_end=timedelta(seconds=30))


def open_bucket(bucket: str, *, session: boto3.Session | None = None) -> ObjectStore:
    """Open ``name`` or ``name/prefix``; keys are then relative to the prefix. No request is made.

    Credentials and region are the boto3 session's (the region ``AWS_REGION`` where it has none),
    the endpoint ``AWS_ENDPOINT_URL_S3``, else ``AWS_ENDPOINT_URL``, else AWS's own. Raises
    `CannotOpen` for a wrong setting, and where there is no region or there are no credentials.
    """
    return ObjectStore(_opened(bucket, session, _DOCUMENTS))


def open_hasty(bucket: str, *, session: boto3.Session | None = None) -> ObjectStore:
    """Open a bucket for reads that give up after 2 seconds and are never tried again.

    Else as `open_bucket`. Credentials that are not yet known are fetched first, in their own time.
    """
    return ObjectStore(_opened(bucket, session, _HASTY))


def open_writable(
    bucket: str,
    *,
    session: boto3.Session | None = None,
    before_write: Callable[[], None] = lambda: None,
    sleep: Callable[[float], None] = time.sleep,
) -> ObjectWriter:
    """Open a bucket for writing, and for objects of any size; else as `open_bucket`.

    ``before_write`` is called before each write: what it raises passes through.
    """
    store = _opened(bucket, session, _FILES)
    return ObjectWriter(store, before_write=before_write, sleep=sleep)


def _opened(bucket: str, session: boto3.Session | None, patience: _Patience) -> S3Store:
    name, prefix = _split(bucket)
    try:
        session = session or boto3.Session()
        credentials = Boto3CredentialProvider(session, ttl=_CREDENTIALS_KEPT)
    except (BotoCoreError, ValueError) as error:
        raise CannotOpen(bucket, f"no AWS credentials: {error}") from error
    region = _region(bucket, session)
    endpoint = _endpoint(bucket) or _aws_endpoint(region)
    return S3Store(
        name,
        prefix=prefix or None,
        config=_place(region, endpoint),
        credential_provider=credentials,
        client_options=_client(endpoint, patience.attempt),
        retry_config=patience.retries,
    )


def _place(region: str, endpoint: str) -> S3Config:
    # Both are always given: obstore takes what is missing from the environment, blanks too.
    return {"region": region, "endpoint": endpoint, "aws_endpoint_url_s3": endpoint}


def _aws_endpoint(region: str) -> str:
    return f"https://s3.{region}.amazonaws.com{'.cn' if region.startswith('cn-') else ''}"


def _client(endpoint: str, attempt: timedelta) -> ClientConfig:
    return {
        "connect_timeout": min(timedelta(seconds=3), attempt),
        "timeout": attempt,
        "allow_http": endpoint.startswith("http:"),
    }


def _split(bucket: str) -> tuple[str, str]:
    name, slash, prefix = bucket.partition("/")
    if not bucket.strip():
        raise CannotOpen(bucket, "the setting is blank; give a bucket's name, or name/prefix")
    if not _NAME.fullmatch(name):
        raise CannotOpen(bucket, "not a bucket's name: 3 to 63 of a-z, 0-9, dots and hyphens")
    if slash and not all(_PREFIX_SEGMENT.fullmatch(part) for part in prefix.split("/")):
        raise CannotOpen(bucket, "the prefix must be segments of letters, digits and !_.*'()-")
    return name, prefix


def _endpoint(bucket: str) -> str:
    for variable in ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"):
        if endpoint := os.environ.get(variable, "").strip():
            if not _ENDPOINT.fullmatch(endpoint):
                raise CannotOpen(
                    bucket, f'{variable} is "{endpoint}", not http(s)://host[:port][/path]'
                )
            return endpoint.rstrip("/")
    return ""


def _region(bucket: str, session: boto3.Session) -> str:
    region = session.region_name or os.environ.get("AWS_REGION", "")
    if not _REGION.fullmatch(region):
        raise CannotOpen(bucket, f'no usable region ("{region}"); set AWS_REGION')
    return region
