"""What the bucket asks for, as one value: the ``desired`` input of a ``ZoneRecords``.

It holds hosts and edges, not their product, so that 2,000 hosts on 4 edges are 2,004 short items.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class Value(BaseModel):
    """A frozen value with camelCase names on the wire, where every number may arrive as a float."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True
    )


class CheckSettings(Value):
    """How health checks probe: see the setting ``healthCheck``.

    ``path`` and ``domain_name`` are empty for TCP. ``interval`` is in seconds, 10 or 30.
    """

    type: Literal["HTTP", "HTTPS", "TCP"] = "HTTPS"
    port: int = Field(default=443, ge=1, le=65535)
    path: str = "/"
    domain_name: str = ""
    interval: int = 30
    failure_threshold: int = Field(default=3, ge=1, le=10)


class Edge(Value):
    """An armed edge box: its label, its latency region and the address that answers there."""

    box: str
    region: str
    address: str

    @property
    def type(self) -> str:
        """The record type its address needs."""
        return "AAAA" if ":" in self.address else "A"


class Refusal(Value):
    """A host or record that is left out, and why. All texts are printable ASCII."""

    host: str
    key: str
    reason: str


class Desired(Value):
    """Everything a plan needs besides the live zone.

    ``former`` is the prefix of before while it is being changed, else empty: its sets are ours
    too, and give way to those of ``prefix``. ``domain`` is the apps domain or empty, ``hosts`` the
    steered hosts, ``refused`` the records left out, ``held`` the names those records may stand for,
    ``withdrawn`` the names whose record is there and asks for no steering, ``adopt`` the names
    whose simple sets may become ours. All lists are sorted and without duplicates. ``ttl`` is in
    seconds, the limits are quotas at AWS.
    """

    zone: str
    prefix: str
    former: str = ""
    domain: str = ""
    ttl: int = 60
    check: CheckSettings = CheckSettings()
    wait_for_sync: bool = True
    zone_limit: int = 10_000
    health_check_limit: int = 200
    edges: tuple[Edge, ...] = ()
    hosts: tuple[str, ...] = ()
    refused: tuple[Refusal, ...] = ()
    held: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    adopt: tuple[str, ...] = ()

    @property
    def prefixes(self) -> tuple[str, ...]:
        """What the identifiers of our sets begin with."""
        return (self.prefix, self.former) if self.former else (self.prefix,)

    @property
    def edge_host(self) -> str:
        """The synthetic ``edge.<apps domain>``, or empty (behaviour 41)."""
        return f"edge.{self.domain}" if self.domain else ""
