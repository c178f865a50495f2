"""Whether a claim lets this box remove the row of a host whose record asks for it no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from control.claims import SERVING, Claim, Holder
from folds.claim_text import state
from folds.claims import Refused, mismatch, serving
from folds.sidecar_text import shown


class Retiring(Protocol):
    """The row that is to go, as far as a claim is compared with it: its own columns."""

    @property
    def host(self) -> str: ...  # noqa: D102 - see `providers.claim_ports.Retirement`
    @property
    def key(self) -> str: ...  # noqa: D102
    @property
    def family(self) -> str: ...  # noqa: D102
    @property
    def incarnation(self) -> str: ...  # noqa: D102
    @property
    def stamp(self) -> int: ...  # noqa: D102
    @property
    def hold(self) -> str: ...  # noqa: D102


def held(hold: str) -> Refused | None:
    """Refuse a row with any hold, whatever the word: only its own operation lets it go."""
    return Refused("changed", f'its row is held by "{shown(hold)}"') if hold else None


def may_retire(claim: Claim | None, row: Retiring, box: str) -> Refused | None:
    """Say why a row may not be removed under a claim, or None where it may.

    The claim must name this box as the serving executor: during a move or a relocation no route is
    torn down, and a box that does not serve retires its row by its own obligation to park.
    """
    if refused := held(row.hold):
        return refused
    if claim is None or claim.holder is None:
        way_out = f"; `carlos remove {shown(row.host)}` removes a row without one"
        return Refused("unsupported", f"{state(claim)}{way_out}")
    for refused in _mistakes(claim, claim.holder, row):
        return refused
    refused = serving(claim, box)
    if refused and claim.op.kind == SERVING and claim.op.exec != box:
        return Refused("changed", f"{refused.reason}: the obligation to park retires the row here")
    return refused


def _mistakes(claim: Claim, holder: Holder, row: Retiring) -> Iterator[Refused]:
    # A later stamp may be of the record written anew, and gone again before this box had a look.
    older = row.stamp < holder.stamp or not row.incarnation
    pairs = [
        ("host", claim.host, row.host),
        ("family", holder.family, row.family),
        ("key", holder.key, row.key),
        ("incarnation", holder.incarnation, holder.incarnation if older else row.incarnation),
    ]
    for name, claimed, ours in pairs:
        if refused := mismatch(name, claimed, ours, whose="row"):
            yield refused
    if holder.stamp < max(row.stamp, 1):
        stamps = f"its claim has the stamp {holder.stamp}, the row {row.stamp}"
        yield Refused("changed", stamps if row.stamp else f"{stamps}: nobody took the claim yet")
