"""What botocore's errors mean. The only place that knows its classes and Route 53's codes."""

from __future__ import annotations

from botocore import exceptions as boto
from botocore.parsers import ResponseParserError

from control.text import printable
from route53 import errors

THROTTLING = frozenset(
    {
        "PriorRequestNotComplete",
        "RequestLimitExceeded",
        "SlowDown",
        "Throttling",
        "ThrottlingException",
        "TooManyRequestsException",
    }
)
ACCESS = frozenset(
    {
        "AccessDenied",
        "AccessDeniedException",
        "ExpiredToken",
        "ExpiredTokenException",
        "IncompleteSignature",
        "InvalidClientTokenId",
        "MissingAuthenticationToken",
        "OptInRequired",
        "RequestExpired",
        "SignatureDoesNotMatch",
        "UnrecognizedClientException",
    }
)
CONFLICTS = frozenset({"HealthCheckVersionMismatch", "InvalidChangeBatch", "NoSuchHealthCheck"})
QUOTAS = frozenset({"LimitsExceeded", "TooManyHealthChecks"})

VendorError = (boto.ClientError, boto.BotoCoreError, ResponseParserError)
"""All that a call of botocore raises."""

_NO_CREDENTIALS = (
    boto.CredentialRetrievalError,
    boto.LoginError,
    boto.MetadataRetrievalError,
    boto.NoAuthTokenError,
    boto.NoCredentialsError,
    boto.PartialCredentialsError,
    boto.ProfileNotFound,
    boto.RefreshWithMFAUnsupportedError,
    boto.SSOError,
    boto.TokenRetrievalError,
)
_UNCONNECTED = (boto.ConnectTimeoutError, boto.EndpointConnectionError, boto.ProxyConnectionError)
_BROKEN = (
    boto.ConnectionError,
    boto.HTTPClientError,
    boto.IncompleteReadError,
    ResponseParserError,
)

_LONGEST = 500  # characters: the answer to a change batch names every change it refuses
_SIGN_IN = (
    "renew the credentials or allow the action (docs/permissions.md lists them), and run it again"
)
_BUSY = "others use up the account's 5 calls a second, the limit: run it again later"
_LATER = "Route 53 or the network is in trouble: run it again later"
_MEND = "mend what it names, and run it again"
_QUOTA = "raise the quota at AWS or free some of it, and run it again"
_LOST = f"it may be applied or not: {errors.RUN_AGAIN}"


def translate(
    error: boto.ClientError | boto.BotoCoreError | ResponseParserError,
    subject: str,
    *,
    write: bool,
) -> errors.Route53Error:
    """Return what an error of a call means, for ``raise ... from error``.

    ``subject`` is what the call was for. A ``write`` that got no answer, or a 5xx, is lost: it may
    be applied or not.
    """
    if isinstance(error, boto.ClientError):
        return _answered(error, subject, write=write)
    reason = _said(str(error))
    if isinstance(error, _NO_CREDENTIALS):
        return errors.AccessRefused(subject, reason, _SIGN_IN)
    if isinstance(error, _UNCONNECTED):
        return errors.NotSent(subject, reason, _LATER)
    if isinstance(error, _BROKEN):
        return _unanswered(subject, reason, write=write)
    return errors.Rejected(subject, reason, _MEND)


def _answered(error: boto.ClientError, subject: str, *, write: bool) -> errors.Route53Error:
    code = error.response["Error"]["Code"]
    status = error.response["ResponseMetadata"]["HTTPStatusCode"]
    said = _said(error.response["Error"].get("Message", ""))
    reason = f"{error.operation_name}: {code}: {said} (HTTP {status})"
    if code in THROTTLING:
        return errors.Throttled(subject, reason, _BUSY)
    if code in ACCESS:
        return errors.AccessRefused(subject, reason, _SIGN_IN)
    if status >= 500:  # noqa: PLR2004 - HTTP's own number
        return _unanswered(subject, reason, write=write)
    return _refused(code, error.operation_name, subject, reason)


def _refused(code: str, operation: str, subject: str, reason: str) -> errors.Route53Error:
    if code == "NoSuchHostedZone":
        return errors.ZoneNotFound(
            subject, reason, "mend the setting zoneId, or take the zone's account"
        )
    if code == "HealthCheckAlreadyExists":
        return errors.ReferenceTaken(subject, reason)
    if code in QUOTAS:
        return errors.QuotaExceeded(subject, reason, _QUOTA)
    if code in CONFLICTS or (code, operation) == ("InvalidInput", "ChangeResourceRecordSets"):
        return errors.Conflict(subject, reason)
    return errors.Rejected(subject, reason, _MEND)


def _unanswered(subject: str, reason: str, *, write: bool) -> errors.Route53Error:
    if write:
        return errors.LostAnswer(subject, reason, _LOST)
    return errors.Unavailable(subject, reason, _LATER)


def _said(text: str) -> str:
    """Show somebody else's text: one line, escaped, and not endless."""
    shown = printable(" ".join(text.split()))
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."
