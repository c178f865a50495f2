"""The stack's configuration as one frozen value, with every mistake at once."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError, ValidationInfo, field_validator

from control.text import printable
from folds.desired import CheckSettings, Value
from folds.hosts import legal
from stacks.errors import SettingsInvalid

NAMESPACE = "fairlead:"
_ZONE_ID = re.compile(r"Z[A-Z0-9]{1,31}")
_PREFIX = re.compile(r"[a-z0-9-]{1,63}/")
_PATH = re.compile(r"/[!-~]{0,254}")  # Route 53 takes 255 characters
_OWN_WORDS = {
    "extra_forbidden": "no such setting; remove it, or see Pulumi.yaml for those there are",
    "model_type": "not a JSON object",
}


def _json(value: object) -> object:
    """Objects reach a program as JSON text."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error}") from error


class HealthCheck(Value):
    """The setting ``healthCheck``: what is left out has its default."""

    type: Literal["HTTP", "HTTPS", "TCP"] = "HTTPS"
    port: int = Field(default=443, ge=1, le=65535, strict=True)
    path: str | None = None
    interval: Literal[10, 30] = 30
    failure_threshold: int = Field(default=3, ge=1, le=10, strict=True)

    @field_validator("path")
    @classmethod
    def _usable(cls, value: str | None, others: ValidationInfo) -> str | None:
        if value is not None and others.data.get("type") == "TCP":
            raise ValueError("a TCP check takes no path")
        if value is not None and not _PATH.fullmatch(value):
            raise ValueError("must be a / and at most 254 printable ASCII characters, no blanks")
        return value

    def of(self, domain: str) -> CheckSettings:
        """Return the settings of every check; ``domain`` is the apps domain or empty."""
        http = self.type != "TCP"
        return CheckSettings(
            type=self.type,
            port=self.port,
            path=(self.path or "/") if http else "",
            domain_name=f"edge.{domain}" if http and domain else "",
            interval=self.interval,
            failure_threshold=self.failure_threshold,
        )


class SteeringSettings(Value):
    """All settings of a steering stack. Limits are counts, ``ttl`` is in seconds.

    ``zone_id`` is what the stack says, ``zone`` what it means. Names and defaults are those of
    Pulumi.yaml.
    """

    kind: Literal["steering"] = "steering"
    zone_id: str = ""
    bucket: str = Field(default="", validate_default=True)
    apps_domain: str = ""
    host_rule: Literal["account", "zone"] = "account"
    ttl: int = Field(default=60, ge=1, le=86400)
    set_identifier_prefix: str = "carlos-steering/"
    health_check: Annotated[HealthCheck, BeforeValidator(_json)] = HealthCheck()
    health_check_limit: int = Field(default=200, ge=1)
    zone_limit: int = Field(default=10_000, ge=1)
    wait_for_sync: bool = True
    allow_test_addresses: bool = False
    ignore_legacy_keys: bool = False

    @field_validator("bucket")
    @classmethod
    def _named(cls, value: str, others: ValidationInfo) -> str:
        """A dormant stack reads no bucket."""
        if not value.strip() and zone_of(others.data.get("zone_id", "")):
            raise ValueError("needed where zoneId is set")
        return value

    @field_validator("apps_domain")
    @classmethod
    def _domain(cls, value: str) -> str:
        """Behaviour 35: trimmed, may be empty."""
        domain = value.strip().removesuffix(".").lower()
        if domain and not legal(domain):
            raise ValueError("not a legal domain name")
        return domain

    @field_validator("set_identifier_prefix")
    @classmethod
    def _prefix(cls, value: str) -> str:
        if not _PREFIX.fullmatch(value):
            raise ValueError("must be 2 to 64 of a-z, 0-9 and -, the last one a /")
        return value

    @property
    def zone(self) -> str:
        """The zone's id without ``/hostedzone/``, or empty: then the stack is dormant."""
        return zone_of(self.zone_id)

    @property
    def zone_malformed(self) -> bool:
        """Whether a zone id is given that is none."""
        return bool(self.zone_id.strip()) and not self.zone


def zone_of(text: str) -> str:
    """Return the zone id in a text, trimmed and without ``/hostedzone/``, or empty for none."""
    bare = text.strip().removeprefix("/hostedzone/")
    return bare if _ZONE_ID.fullmatch(bare) else ""


def load(config: Mapping[str, Any]) -> SteeringSettings:
    """Read the settings out of a stack's whole configuration, ``namespace:key`` to value.

    Raises:
        SettingsInvalid: naming every bad key, unknown ones of our namespace included.
    """
    own = {
        key.removeprefix(NAMESPACE): value
        for key, value in config.items()
        if key.startswith(NAMESPACE)
    }
    try:
        return SteeringSettings.model_validate(own, by_alias=True, by_name=False)
    except ValidationError as error:
        mistakes = [_mistake(each["loc"], each["type"], each["msg"]) for each in error.errors()]
        raise SettingsInvalid(f"settings: {'; '.join(sorted(mistakes))}") from error


def _mistake(location: tuple[int | str, ...], kind: str, message: str) -> str:
    key = ".".join(printable(str(part)) for part in location)
    text = _OWN_WORDS.get(kind) or message.removeprefix("Value error, ")
    return f"{NAMESPACE}{key}: {printable(text)}"
