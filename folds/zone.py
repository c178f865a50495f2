"""The live side as values: one hosted zone's record sets, and the account's health checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class LiveSet:
    """One resource record set as Route 53 returned it.

    ``name`` is lower case, without the final dot, with ``*`` shown as itself; other escapes stay.
    ``region`` is empty unless the set is a latency set, ``set_identifier`` unless it has a routing
    policy, ``ttl`` (seconds) and ``values`` unless it is no alias. ``document`` is the set exactly
    as the API gave it: a DELETE has to repeat every field of it.
    """

    name: str
    type: str
    set_identifier: str = ""
    region: str = ""
    ttl: int = 0
    values: tuple[str, ...] = ()
    health_check_id: str = ""
    document: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def key(self) -> tuple[str, str, str]:
        """What is unique in a zone: name, type, set identifier."""
        return (self.name, self.type, self.set_identifier)

    def managed(self, *prefixes: str) -> bool:
        """Whether it is ours: a latency set whose identifier starts with one of the prefixes."""
        return bool(self.region) and self.set_identifier.startswith(prefixes)


@dataclass(frozen=True, slots=True)
class LiveCheck:
    """One health check of the account, ours or foreign.

    ``address`` is in the shortest spelling, ``interval`` in seconds, ``version`` the number that
    an update has to name.
    """

    id: str
    caller_reference: str
    version: int = 1
    type: str = ""
    address: str = ""
    port: int = 0
    path: str = ""
    domain_name: str = ""
    interval: int = 30
    failure_threshold: int = 3


@dataclass(frozen=True, slots=True)
class LiveZone:
    """A whole zone, never a part of one.

    ``name`` is the apex, lower case, without the final dot. ``sets`` are all sets of the zone,
    ``checks`` all health checks of the account.
    """

    zone_id: str
    name: str
    sets: tuple[LiveSet, ...]
    checks: tuple[LiveCheck, ...]
