"""Rows written under a claim, and the reference hold writer, on a box's registry."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from control.sidecar_keys import host_key
from providers.claim_errors import ClaimChanged, LocalStateUnreadable, LocalWriteFailed
from providers.claim_ports import Ownership, Permit
from registry import operations
from registry.connection import BUDGET_SECONDS, reading
from registry.errors import RegistryError
from registry.operations import Hold, Operation, Result
from registry.rows import read_route
from registry.writes import apply_confirmed


def write_under(
    path: Path, operation: Operation, permit: Permit, *, budget_seconds: float = BUDGET_SECONDS
) -> Result:
    """Make one change of a row under a claim: where none newer wrote it, and confirmed.

    Raises:
        ClaimError: what the permit's ``confirm`` raises; nothing was written.
        RegistryError: the registry failed; nothing was written.
    """
    owned = replace(operation, ownership=_ownership(permit.ownership))
    return apply_confirmed(path, owned, permit.confirm, budget_seconds=budget_seconds)


def _ownership(ownership: Ownership) -> operations.Ownership | None:
    """Return what the registry asks a row for; none where there is no claim (stamp 0)."""
    if not ownership.stamp:
        return None
    return operations.Ownership(
        ownership.key, ownership.incarnation, ownership.family, ownership.stamp
    )


@dataclass(frozen=True, slots=True)
class RegistryHolds:
    """A `providers.claim_ports.HoldWriter` on a registry, and what `HeldCensus` asks of it."""

    path: Path
    budget_seconds: float = BUDGET_SECONDS

    def hold(self, host: str, op: str, permit: Permit) -> None:
        """Hold a row of ours for an operation, where nobody else holds it.

        Raises:
            ClaimChanged: there is no such row, another hold, or a newer claim wrote the row.
            ClaimError: what the permit's ``confirm`` raises.
            LocalWriteFailed: the registry failed, or refused the row.
        """
        if (key := host_key(host)) is None:
            raise ClaimChanged(host, "no sidecar's name, so no row of ours")
        wanted = Hold(host, key.app, key.account, op)
        try:
            result = write_under(self.path, wanted, permit, budget_seconds=self.budget_seconds)
        except RegistryError as error:
            raise LocalWriteFailed(host, str(error)) from error
        if result.outcome == "refused":
            raise ClaimChanged(host, result.reason)
        if result.outcome == "failed":
            raise LocalWriteFailed(host, f"the registry refused its row: {result.reason}")

    def has_row(self, host: str, incarnation: str) -> bool:
        """Say whether a host has a row of ours, written under an incarnation or under no claim.

        Raises:
            LocalStateUnreadable: the registry cannot be read.
        """
        if (key := host_key(host)) is None:
            return False
        try:
            with reading(self.path, budget_seconds=self.budget_seconds) as connection:
                route = read_route(connection, host)
        except RegistryError as error:
            raise LocalStateUnreadable(host, str(error)) from error
        ours = route is not None and route.owned_by(key.app, key.account)
        return ours and route is not None and route.claim_incarnation in ("", incarnation)
