"""Health checks: creating, updating and removing them.

https://docs.aws.amazon.com/Route53/latest/APIReference/API_CreateHealthCheck.html
"""

from __future__ import annotations

from typing import Any

from folds.changes import CheckCreation, CheckUpdate
from folds.desired import CheckSettings
from folds.zone import LiveCheck
from route53.client import Calls
from route53.errors import Conflict, ReferenceTaken, Rejected, Route53Error

MOST_GENERATIONS = 50
_OPTIONAL = {"ResourcePath": "path", "FullyQualifiedDomainName": "domain_name"}


def create_check(calls: Calls, creation: CheckCreation) -> str:
    """Create a health check and return its id.

    Route 53 remembers the caller references of deleted checks for days: then the next generation
    is tried. The plan says that no live check of ours serves the address.

    Raises:
        Route53Error: LostAnswer, QuotaExceeded, Rejected and those of every call.
    """
    about = f"health check of {creation.address}"
    config = {**_settings(creation.address, creation.settings), **_identity(creation.settings)}
    for generation in range(creation.generation, creation.generation + MOST_GENERATIONS):
        try:
            answer = calls.write(
                "create_health_check",
                about,
                CallerReference=f"{creation.stem}{generation}",
                HealthCheckConfig=config,
            )
        except ReferenceTaken:
            continue
        identifier: str = answer["HealthCheck"]["Id"]
        return identifier
    raise Rejected(
        about,
        f"Route 53 remembers {MOST_GENERATIONS} deleted checks of caller reference"
        f" {creation.stem}, limit {MOST_GENERATIONS}",
        "wait some days, or change the interval of the health checks",
    )


def tag_check(calls: Calls, identifier: str, label: str) -> str:
    """Give a check a name for people, and return a warning, empty where it worked.

    The tag decides nothing, so that a failure of it alone must not fail the run.
    """
    about = f"health check {identifier}"
    tags = [{"Key": "Name", "Value": label}]
    try:
        calls.write(
            "change_tags_for_resource",
            about,
            ResourceType="healthcheck",
            ResourceId=identifier,
            AddTags=tags,
        )
    except Route53Error as error:
        return f"it has no Name tag ({label}), which nothing depends on: {error}"
    return ""


def update_check(calls: Calls, update: CheckUpdate) -> None:
    """Change a check's settings in place, if it is still at the version that was read.

    Raises:
        Conflict: if it is not, or is gone.
        Route53Error: any other.
    """
    settings = _settings(update.address, update.settings)
    emptied = [
        element
        for element, attribute in _OPTIONAL.items()
        if element not in settings and getattr(update.before, attribute)
    ]
    if emptied:
        settings["ResetElements"] = emptied
    calls.write(
        "update_health_check",
        f"health check {update.before.id} of {update.address}",
        HealthCheckId=update.before.id,
        HealthCheckVersion=update.before.version,
        **settings,
    )


def remove_check(calls: Calls, check: LiveCheck) -> None:
    """Delete a check that no set refers to; one that is gone already is as good."""
    about = f"health check {check.id} of {check.address}"
    try:
        calls.write("delete_health_check", about, HealthCheckId=check.id)
    except Conflict:  # NoSuchHealthCheck, the only one that this call knows
        return


def _identity(settings: CheckSettings) -> dict[str, Any]:
    """Return what a check keeps for life. HTTPS sends the name by SNI, which is the default."""
    return {"Type": settings.type, "RequestInterval": settings.interval}


def _settings(address: str, settings: CheckSettings) -> dict[str, Any]:
    """Return what an update can change. TCP takes neither path nor name: both are empty then."""
    texts = {element: getattr(settings, attribute) for element, attribute in _OPTIONAL.items()}
    return {
        "IPAddress": address,
        "Port": settings.port,
        "FailureThreshold": settings.failure_threshold,
        **{element: text for element, text in texts.items() if text},
    }
