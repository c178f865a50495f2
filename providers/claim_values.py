"""What the ports of `providers.claim_ports` take and give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from control.claims import Claim
from control.sidecar_records import SidecarRecord
from folds.sidecar_rows import Row


@dataclass(frozen=True, slots=True)
class Selection:
    """The record that asks for a host, as it was read (behaviour 122).

    ``etag`` is the record's; ``family`` is ``sidecar``. ``layout`` and ``paths`` are for the
    inventory. The rest tells an adoption what it would take on: the record, and the row wanted.
    """

    host: str
    key: str
    etag: str
    incarnation: str
    family: str
    layout: str = "flat"
    paths: tuple[str, ...] = ()
    dry_run: bool = False
    account: str = ""
    app: str = ""
    created_at: str = ""
    record: SidecarRecord | None = None
    row: Row | None = None


@dataclass(frozen=True, slots=True)
class Retirement:
    """A row that is to go. ``incarnation``, ``stamp`` and ``hold`` are the row's own columns."""

    host: str
    key: str
    family: str
    incarnation: str = ""
    stamp: int = 0
    hold: str = ""
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Observed:
    """A host's claim as one read had it; ``claim`` None means not found, and nothing else."""

    host: str
    claim: Claim | None
    etag: str = ""


@dataclass(frozen=True, slots=True)
class Captured:
    """A host's activation record as it was read: who was let in, under which stamp.

    ``retired``: the row was removed under that stamp, and comes back under a later one only.
    """

    host: str
    box: str
    incarnation: str
    stamp: int
    retired: bool = False


@dataclass(frozen=True, slots=True)
class Ownership:
    """What goes into a row's ``claim_*`` columns, and what its write is conditional on."""

    key: str = ""
    incarnation: str = ""
    family: str = ""
    stamp: int = 0


@dataclass(frozen=True, slots=True)
class Permit:
    """The right to one write of one host's row.

    ``confirm`` reads the claim once more. It is to be called inside the write's own transaction,
    after the statement and before COMMIT; what it raises must roll the write back.
    """

    ownership: Ownership
    confirm: Callable[[], None]


Write: TypeAlias = Callable[[Permit], None]
