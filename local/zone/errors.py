"""The emulator's errors: what a client is told, and what is wrong with the emulator's own input."""

from collections.abc import Mapping
from typing import TypeVar

Check = tuple[object, str]  # whether a rule is broken, and what to say then
Found = TypeVar("Found")

STATUS = {
    "MissingAuthenticationToken": 403,
    "ExpiredToken": 403,
    "AccessDenied": 403,
    "NoSuchHostedZone": 404,
    "NoSuchHealthCheck": 404,
    "NoSuchChange": 404,
    "UnknownOperationException": 404,
    "HostedZoneAlreadyExists": 409,
    "HealthCheckAlreadyExists": 409,
    "HealthCheckVersionMismatch": 409,
    "InternalFailure": 500,
    "ServiceUnavailable": 503,
}  # the others: 400


class EmulatorError(Exception):
    """The root of the emulator's errors."""


class UnknownFaultError(EmulatorError, ValueError):
    """A fault rule that the emulator cannot carry out."""


class ApiError(EmulatorError):
    """A refusal in the service's own words, with its HTTP status."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = STATUS.get(code, 400)


def refuse(code: str, *checks: Check) -> None:
    """Raise ApiError with the message of the first check that failed, if one did."""
    for failed, message in checks:
        if failed:
            raise ApiError(code, message)


def find(store: Mapping[str, Found], identifier: str, code: str) -> Found:
    """What the store holds under an identifier; ApiError with the code where it holds nothing."""
    refuse(code, (identifier not in store, f"{code}: nothing found with ID: {identifier}"))
    return store[identifier]
