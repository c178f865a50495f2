"""The two types of resource that the tests' own pulumi-aws knows, and what counts as a change."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from tests.support.aws_checks import HealthCheck
from tests.support.aws_records import Record, bare

if TYPE_CHECKING:
    from mypy_boto3_route53 import Route53Client

Props = dict[str, Any]


class Kind(Protocol):
    """One type of resource. ``forced`` are the inputs that only a new resource can have."""

    forced: frozenset[str]
    inputs: frozenset[str]

    def create(self, client: Route53Client, news: Props) -> tuple[str, Props]:
        """Make it, and return its id and outputs."""

    def read(self, client: Route53Client, id_: str, olds: Props) -> Props | None:
        """Return the outputs of what is live, or none. No ``olds``: it is imported."""

    def update(self, client: Route53Client, id_: str, olds: Props, news: Props) -> Props:
        """Change it in place."""

    def delete(self, client: Route53Client, id_: str, olds: Props) -> None:
        """Take it away; what is gone already is as good."""


KINDS: Mapping[str, Kind] = {
    "aws:route53/record:Record": Record(),
    "aws:route53/healthCheck:HealthCheck": HealthCheck(),
}


def same(key: str, old: object, new: object) -> bool:
    """Say whether a property is what it was.

    Empty is none, and an address is no spelling. A new name is written as the state would have it,
    and an old one is as it was imported.
    """
    if key == "name":
        return old == bare(str(new))
    if key == "ipAddress" and old and new:
        return ipaddress.ip_address(str(old)) == ipaddress.ip_address(str(new))
    return (old or None) == (new or None)
