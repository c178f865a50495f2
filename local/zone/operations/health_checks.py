"""The operations on health checks."""

import uuid

from local.zone.account import Account
from local.zone.errors import refuse
from local.zone.health_checks import check_config, complete_config
from local.zone.operations.violations import observe_deleted_check
from local.zone.request import Request
from local.zone.vocabulary import ENDPOINT, Doc

OTHER_SETTINGS = (
    "A different health check has already been created with the specified caller reference."
)
OVER_QUOTA = "The limit on the number of active health checks has been reached."


def create_health_check(account: Account, request: Request) -> Doc:
    """A new health check, or the one made before under the same reference and settings."""
    wanted = request.read()
    reference, config = wanted["CallerReference"], wanted["HealthCheckConfig"]
    check_config(config, allow_test_nets=account.settings.allow_test_nets)
    identifier = account.references.get(f"healthcheck/{reference}")
    if identifier is None:
        identifier = _add(account, reference, config)
    else:
        known = account.health_checks.get(identifier, {}).get("HealthCheckConfig")
        refuse("HealthCheckAlreadyExists", (known != complete_config(config), OTHER_SETTINGS))
    location = f"{ENDPOINT}/healthcheck/{identifier}"
    return {"HealthCheck": account.health_checks[identifier], "Location": location}


def get_health_check(account: Account, request: Request) -> Doc:
    """A health check by id."""
    return {"HealthCheck": account.health_check(request.args[0])}


def get_health_check_count(account: Account, _: Request) -> Doc:
    """How many health checks the account has."""
    return {"HealthCheckCount": len(account.health_checks)}


def list_health_checks(account: Account, request: Request) -> Doc:
    """A page of health checks by id."""
    return request.page("HealthChecks", account.health_checks)


def update_health_check(account: Account, request: Request) -> Doc:
    """Change some settings of the version that the caller names, or of any."""
    check, wanted = account.health_check(request.args[0]), request.read()
    version, reset = check["HealthCheckVersion"], wanted.pop("ResetElements", ())
    changed = wanted.pop("HealthCheckVersion", version) != version
    since = "The health check has changed since that version."
    refuse("HealthCheckVersionMismatch", (changed, since))
    old = check["HealthCheckConfig"]
    config = {name: value for name, value in old.items() if name not in reset} | wanted
    other_address = ("IPAddress" in config) != ("IPAddress" in old)
    fixed = "Invalid parameter : IPAddress can be neither added nor removed."
    refuse("InvalidInput", (other_address, fixed))
    check_config(config, allow_test_nets=account.settings.allow_test_nets)
    check.update(HealthCheckConfig=complete_config(config), HealthCheckVersion=version + 1)
    return {"HealthCheck": check}


def delete_health_check(account: Account, request: Request) -> Doc:
    """Remove a health check, one in use too."""
    identifier = account.health_check(request.args[0])["Id"]
    observe_deleted_check(account, request, identifier)
    del account.health_checks[identifier]
    account.tags.pop(f"healthcheck/{identifier}", None)
    return {}


def _add(account: Account, reference: str, config: Doc) -> str:
    full = len(account.health_checks) >= account.settings.health_check_quota
    refuse("TooManyHealthChecks", (full, OVER_QUOTA))
    identifier = str(uuid.uuid4())
    check = {"Id": identifier, "CallerReference": reference, "HealthCheckConfig": config}
    account.seed({"health_checks": [check]})
    return identifier
