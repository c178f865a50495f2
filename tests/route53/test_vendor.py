"""What botocore's errors mean."""

from __future__ import annotations

import pytest
from botocore import exceptions as boto
from botocore.parsers import ResponseParserError

from route53 import errors
from route53.vendor import translate

URL = "https://route53.amazonaws.com"
CODES = [
    ("Throttling", 400, errors.Throttled),
    ("PriorRequestNotComplete", 400, errors.Throttled),
    ("ExpiredToken", 403, errors.AccessRefused),
    ("AccessDenied", 403, errors.AccessRefused),
    ("SignatureDoesNotMatch", 403, errors.AccessRefused),
    ("NoSuchHostedZone", 404, errors.ZoneNotFound),
    ("InvalidChangeBatch", 400, errors.Conflict),
    ("HealthCheckVersionMismatch", 409, errors.Conflict),
    ("NoSuchHealthCheck", 404, errors.Conflict),
    ("InvalidInput", 400, errors.Conflict),
    ("HealthCheckAlreadyExists", 409, errors.ReferenceTaken),
    ("TooManyHealthChecks", 400, errors.QuotaExceeded),
    ("SomethingNew", 400, errors.Rejected),
]


def answered(code: str, status: int, message: str = "why", op: str = "") -> boto.ClientError:
    response = {
        "Error": {"Code": code, "Message": message},
        "ResponseMetadata": {"HTTPStatusCode": status},
    }
    return boto.ClientError(response, op or "ChangeResourceRecordSets")  # type: ignore[arg-type] # the stub wants every member of the metadata


@pytest.mark.parametrize(("code", "status", "kind"), CODES)
@pytest.mark.parametrize("write", [False, True])
def test_answer_with_a_code(
    code: str, status: int, kind: type[errors.Route53Error], *, write: bool
) -> None:
    """The code decides, for a read and for a write."""
    error = translate(answered(code, status), "zone Z1", write=write)
    assert type(error) is kind
    assert str(error).startswith(f"zone Z1: ChangeResourceRecordSets: {code}: why (HTTP {status});")


def test_invalid_input_of_another_operation() -> None:
    """Only for a change batch it can be the doing of one host among many."""
    error = translate(answered("InvalidInput", 400, op="CreateHealthCheck"), "x", write=True)
    assert type(error) is errors.Rejected


@pytest.mark.parametrize("status", [500, 502, 503])
def test_answer_of_a_server_in_trouble(status: int) -> None:
    """A read is not answered; a write may be applied all the same."""
    error = answered("InternalFailure", status)
    assert type(translate(error, "x", write=False)) is errors.Unavailable
    assert type(translate(error, "x", write=True)) is errors.LostAnswer


@pytest.mark.parametrize(
    "error",
    [
        boto.ConnectionClosedError(endpoint_url=URL),
        boto.ReadTimeoutError(endpoint_url=URL),
        boto.SSLError(endpoint_url=URL, error=OSError("EOF")),
        boto.IncompleteReadError(actual_bytes=1, expected_bytes=2),
        ResponseParserError("not XML"),
    ],
)
def test_answer_that_is_lost(error: boto.BotoCoreError | ResponseParserError) -> None:
    """The request was sent: a write may be applied."""
    assert type(translate(error, "x", write=False)) is errors.Unavailable
    assert type(translate(error, "x", write=True)) is errors.LostAnswer


@pytest.mark.parametrize(
    "error",
    [
        boto.EndpointConnectionError(endpoint_url=URL),
        boto.ConnectTimeoutError(endpoint_url=URL),
        boto.ProxyConnectionError(proxy_url=URL),
    ],
)
def test_request_that_was_never_sent(error: boto.BotoCoreError) -> None:
    """There was no connection to send it over."""
    assert type(translate(error, "x", write=True)) is errors.NotSent


@pytest.mark.parametrize(
    "error", [boto.NoCredentialsError(), boto.SSOTokenLoadError(error_msg="expired")]
)
def test_credentials_that_are_missing(error: boto.BotoCoreError) -> None:
    """The message says what to renew."""
    refused = translate(error, "x", write=True)
    assert type(refused) is errors.AccessRefused
    assert "renew the credentials" in str(refused)


def test_request_that_the_sdk_refuses() -> None:
    """It was never sent, and would never be."""
    error = boto.ParamValidationError(report="Id: too long")
    assert type(translate(error, "x", write=True)) is errors.Rejected


def test_message_of_many_lines_and_other_characters() -> None:
    """It is one line of printable ASCII, and not endless."""
    text = str(translate(answered("X", 400, "a\nb\x1b[2J é " + "z" * 9999), "x", write=True))
    assert "a b\\x1b[2J \\xe9 zzz" in text
    assert text.isascii()
    assert len(text) < 700
