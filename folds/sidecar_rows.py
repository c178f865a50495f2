"""A box's registry rows as the sidecars fold needs them, and the row that a record describes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from control.sidecar_keys import SidecarKey, host_key
from folds.sidecar_desired import Box, Wanted

KIND = "sidecar"
READY = "ready"


@dataclass(frozen=True, slots=True)
class Row:
    """The columns of ``routes`` that this fold reads or mints, by their names.

    Flags are 0 or 1, ceilings in seconds. ``hold`` names the operation, or the person, that holds
    the row, or is empty. All else of a row is others' and stays untouched.
    """

    host: str
    slug: str = ""
    kind: str = ""
    app: str = ""
    account: str = ""
    pool: str = ""
    region: str = ""
    channel: str = ""
    environment: str = ""
    db_path: str = ""
    socket: str = ""
    addr: str = ""
    hibernate: int = 0
    args: str = ""
    idle_seconds: int = 0
    max_run_seconds: int = 0
    provisioned: int = 0
    status: str = ""
    hold: str = ""
    claim_key: str = ""
    claim_incarnation: str = ""
    claim_family: str = ""
    claim_stamp: int = 0


@dataclass(frozen=True, slots=True)
class StrangeRow:
    """A row that no `Row` can stand for. It is nobody's, and it has its host."""

    host: str
    reason: str


@dataclass(frozen=True, slots=True)
class Rows:
    """All rows of the registry, in any order."""

    rows: tuple[Row, ...] = ()
    strange: tuple[StrangeRow, ...] = ()


def minted_key(row: Row) -> SidecarKey | None:
    """Return the key of the record that a row was minted for, or None where none was.

    A sidecars pass minted it if it has the kind, the flag, and the host that app and account give.
    Only such a row may ever be removed (behaviour 127): one that merely carries the flag is
    somebody else's.
    """
    if row.kind != KIND or row.provisioned != 1:
        return None
    key = host_key(row.host)
    return key if key and (key.app, key.account) == (row.app, row.account) else None


def owned_for(row: Row, wanted: Wanted) -> bool:
    """Say whether the pass owns a row for a record, all four columns agreeing (behaviour 120)."""
    owner = (row.kind, row.provisioned, row.app, row.account)
    return owner == (KIND, 1, wanted.app, wanted.account)


def in_scope(row: Row, box: Box) -> bool:
    """Say whether a row is of the box's region and pools (behaviour 128)."""
    return row.region == box.region and pool_served(box.pools, row.pool)


def pool_served(pools: Collection[str], pool: str) -> bool:
    """Say whether a box of these pools serves a pool; ``""`` is the shared one, as is no pool."""
    return pool in pools or (not pool and not pools)


def row_for(wanted: Wanted, box: Box) -> Row:
    """Return the row that a record describes: what is minted, and what is converged to.

    Behaviours 86-90: no socket and no address, since a sidecar binds nothing and nothing dials it;
    a database path of its own, since a hibernating row without one would be replicated box-wide.
    """
    return Row(
        host=wanted.host,
        slug=wanted.name,
        kind=KIND,
        app=wanted.app,
        account=wanted.account,
        pool=wanted.pool,
        region=wanted.region,
        channel=wanted.channel,
        environment=wanted.environment,
        db_path=box.db_path(wanted.host),
        hibernate=wanted.hibernate,
        args=wanted.args,
        idle_seconds=wanted.idle_seconds,
        max_run_seconds=wanted.max_run_seconds,
        provisioned=1,
        status=READY,
    )
