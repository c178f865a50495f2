"""An emulator with one zone, the calls that its tests make most, and the documents they send."""

import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from local.zone import ZoneEmulator

Doc = dict[str, Any]

ZONE = "Z0TEST"
STATUS = {
    "ExpiredToken": 403,
    "AccessDenied": 403,
    "HostedZoneAlreadyExists": 409,
    "HealthCheckAlreadyExists": 409,
    "HealthCheckVersionMismatch": 409,
    "InternalFailure": 500,
    "ServiceUnavailable": 503,
}


def client_of(url: str, attempts: int = 1) -> Any:
    """A client without client-side validation, so that the server is what refuses."""
    retries: Any = {"total_max_attempts": attempts, "mode": "legacy"}
    return boto3.client(
        "route53",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id="id",
        aws_secret_access_key="secret",  # noqa: S106 - signatures are not verified
        config=Config(retries=retries, parameter_validation=False),
    )


class Account:
    """An emulator with one zone, and its client."""

    def __init__(self, emulator: ZoneEmulator) -> None:
        self.emulator, self.client = emulator, client_of(emulator.url)
        emulator.seed({"zones": [{"id": ZONE, "name": "example.com"}]})

    def change(self, *changes: Doc, zone: str = ZONE, **batch: Any) -> Any:
        """Send one change batch."""
        document = {"Changes": list(changes), **batch}
        return self.client.change_resource_record_sets(HostedZoneId=zone, ChangeBatch=document)

    def refused(self, code: str, text: str, *changes: Doc, zone: str = ZONE) -> str:
        """The batch is refused with this code and text, and leaves the zone as it was."""
        before = self.sets()
        message = refused(code, text, lambda: self.change(*changes, zone=zone))
        assert self.sets() == before, "a refused batch changed the zone"
        return message

    def sets(self) -> list[Doc]:
        """The zone's record sets but NS and SOA, over all pages."""
        pages = self.client.get_paginator("list_resource_record_sets").paginate(HostedZoneId=ZONE)
        listed = [each for page in pages for each in page["ResourceRecordSets"]]
        return [each for each in listed if each["Type"] not in ("NS", "SOA")]

    def check(self, reference: str = "ref", **config: Any) -> Any:
        """Create a health check; a setting of None is left out."""
        settings = {"Type": "HTTP", "IPAddress": "192.0.2.1", **config}
        given = {name: value for name, value in settings.items() if value is not None}
        answer = self.client.create_health_check(CallerReference=reference, HealthCheckConfig=given)
        return answer["HealthCheck"]


@contextmanager
def account_with(**settings: Any) -> Iterator[Account]:
    """An account whose emulator has other settings."""
    with ZoneEmulator(**settings) as emulator:
        yield Account(emulator)


def refused(code: str, text: str, call: Callable[..., Any], **arguments: Any) -> str:
    """The call fails with this code, a message that holds the text, and the code's status."""
    with pytest.raises(ClientError) as caught:
        call(**arguments)
    error: Doc = dict(caught.value.response["Error"])
    assert error["Code"] == code, error
    assert text in error["Message"], error
    status = 404 if code.startswith("NoSuch") else STATUS.get(code, 400)
    assert caught.value.response["ResponseMetadata"]["HTTPStatusCode"] == status, error
    return str(error["Message"])


def simple(name: str, *values: str, kind: str = "A", ttl: int = 60, **more: Any) -> Doc:
    """A simple record set, or any other by its further elements."""
    records = [{"Value": value} for value in values or ("192.0.2.1",)]
    return {"Name": name, "Type": kind, "TTL": ttl, "ResourceRecords": records, **more}


def latency(name: str, identifier: str, region: str, *values: str, **more: Any) -> Doc:
    """A latency record set."""
    return simple(name, *values, SetIdentifier=identifier, Region=region, **more)


def weighted(name: str, identifier: str, *values: str, weight: int = 1, **more: Any) -> Doc:
    """A weighted record set."""
    return simple(name, *values, SetIdentifier=identifier, Weight=weight, **more)


def alias(
    name: str, target: str, zone: str = "Z35SXDOTRQ7X7K", kind: str = "A", **more: Any
) -> Doc:
    """An alias record set, by default of a load balancer."""
    wanted = {"HostedZoneId": zone, "DNSName": target, "EvaluateTargetHealth": False}
    return {"Name": name, "Type": kind, "AliasTarget": wanted, **more}


def create(record_set: Doc) -> Doc:
    """A CREATE change."""
    return {"Action": "CREATE", "ResourceRecordSet": record_set}


def upsert(record_set: Doc) -> Doc:
    """An UPSERT change."""
    return {"Action": "UPSERT", "ResourceRecordSet": record_set}


def delete(record_set: Doc) -> Doc:
    """A DELETE change."""
    return {"Action": "DELETE", "ResourceRecordSet": record_set}


def hosts(count: int, action: Callable[[Doc], Doc] = create, prefix: str = "h") -> list[Doc]:
    """Changes of many simple sets."""
    return [action(simple(f"{prefix}{number}.example.com")) for number in range(count)]


def addresses(count: int, start: int = 0) -> list[str]:
    """Distinct addresses."""
    numbers = range(start, start + count)
    return [f"10.{each >> 16}.{each >> 8 & 255}.{each & 255}" for each in numbers]


def raw(
    url: str, body: str | None = None, method: str = "POST", *, signed: bool = True
) -> tuple[int, str]:
    """The status and text of one HTTP request, made without boto3."""
    headers = {"Authorization": "AWS4-HMAC-SHA256 Credential=x"} if signed else {}
    data = body.encode() if body is not None else None
    request = urllib.request.Request(url, data, headers, method=method)  # noqa: S310 - loopback
    try:
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - loopback
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()
