"""The settings of a steering stack as one frozen value."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from folds.desired import CheckSettings, Value
from folds.hosts import legal
from stacks.configuration import from_json

_ZONE_ID = re.compile(r"Z[A-Z0-9]{1,31}")
_PREFIX = re.compile(r"[a-z0-9-]{1,63}/")
_PREFIX_FORM = "must be 2 to 64 of a-z, 0-9 and -, the last one a /"
_PATH = re.compile(r"/[!-~]{0,254}")  # Route 53 takes 255 characters


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

    ``zone_id`` is what the stack says, ``zone`` what it means. ``realizer`` is what makes it so:
    one resource for all, or one of pulumi-aws for each set and check. Names and defaults are those
    of Pulumi.yaml.
    """

    kind: Literal["steering"] = "steering"
    realizer: Literal["batch", "native"] = "batch"
    zone_id: str = ""
    bucket: str = Field(default="", validate_default=True)
    apps_domain: str = ""
    host_rule: Literal["account", "zone"] = "account"
    ttl: int = Field(default=60, ge=1, le=86400)
    set_identifier_prefix: str = "carlos-steering/"
    former_prefix: str = ""
    health_check: Annotated[HealthCheck, BeforeValidator(from_json)] = HealthCheck()
    health_check_limit: int = Field(default=200, ge=1)
    zone_limit: int = Field(default=10_000, ge=1)
    wait_for_sync: bool = True
    allow_test_addresses: bool = False
    ignore_legacy_keys: bool = False
    adopt: Annotated[tuple[str, ...], BeforeValidator(from_json)] = ()

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

    @field_validator("adopt")
    @classmethod
    def _steerable(cls, value: tuple[str, ...], others: ValidationInfo) -> tuple[str, ...]:
        """Refuse what no host can be; which hosts are steered, the bucket says. Each comes once."""
        if value and others.data.get("realizer") == "native":
            raise ValueError("only the realizer batch adopts: it takes the old sets out at once")
        names = [each.strip().removesuffix(".") for each in value]
        if mistakes := [f'"{name}" {why}' for name in names if (why := _unsteerable(name))]:
            raise ValueError(", ".join(mistakes))
        return tuple(sorted({name.lower() for name in names}))

    @field_validator("set_identifier_prefix")
    @classmethod
    def _prefix(cls, value: str) -> str:
        if not _PREFIX.fullmatch(value):
            raise ValueError(_PREFIX_FORM)
        return value

    @field_validator("former_prefix")
    @classmethod
    def _former(cls, value: str, others: ValidationInfo) -> str:
        if value and not _PREFIX.fullmatch(value):
            raise ValueError(_PREFIX_FORM)
        if value and value == others.data.get("set_identifier_prefix"):
            raise ValueError("is setIdentifierPrefix itself; give the one of before, or none")
        if value and others.data.get("realizer") == "native":
            raise ValueError("only the realizer batch changes a prefix of sets that are live")
        return value

    @property
    def prefixes(self) -> tuple[str, ...]:
        """What the identifiers of this deployment's sets begin with."""
        return tuple(filter(None, (self.set_identifier_prefix, self.former_prefix)))

    @property
    def zone(self) -> str:
        """The zone's id without ``/hostedzone/``, or empty: then the stack is dormant."""
        return zone_of(self.zone_id)

    @property
    def zone_malformed(self) -> bool:
        """Whether a zone id is given that is none."""
        return bool(self.zone_id.strip()) and not self.zone


def _unsteerable(name: str) -> str:
    if "*" in name:
        return "is a wildcard host, which cannot be steered and so not adopted"
    # ASCII only: lower() turns some other letters into legal ones.
    return "" if name.isascii() and legal(name.lower()) else "is not a legal host name"


def zone_of(text: str) -> str:
    """Return the zone id in a text, trimmed and without ``/hostedzone/``, or empty for none."""
    bare = text.strip().removeprefix("/hostedzone/")
    return bare if _ZONE_ID.fullmatch(bare) else ""
