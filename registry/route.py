"""One row of `routes`, as a value."""

from __future__ import annotations

from typing import NamedTuple

SIDECAR = "sidecar"
"""The kind of the rows that this program mints, converges and retires."""


class Route(NamedTuple):
    """The known columns of a row, in the table's order: TEXT is `str`, INTEGER is `int`.

    Flags are 0 or 1 as the file has them. An empty text or 0 is "not set". Extra columns of the
    table are not here: they are the platform's, kept and never written.
    A tuple, because a row is one: it is read and written as it is, thousands at a time.
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
    steering: str = ""
    caps: str = ""
    unit: str = ""
    replication: str = ""
    canary: int = 0
    seed: str = ""
    version: str = ""
    next_due: int = 0
    hold: str = ""
    claim_key: str = ""
    claim_incarnation: str = ""
    claim_family: str = ""
    claim_stamp: int = 0

    def owned_by(self, app: str, account: str) -> bool:
        """Tell whether a sidecar pass owns this row for that app (behaviour 120)."""
        return (
            self.kind == SIDECAR
            and self.provisioned == 1
            and self.app == app
            and self.account == account
        )


COLUMNS: tuple[str, ...] = Route._fields
"""Names of the known columns."""

DEFAULTS: tuple[str | int, ...] = ("", *Route._field_defaults.values())
"""What each is when it is not set, and what a NULL of the file reads as."""

TYPES: tuple[type, ...] = tuple(map(type, DEFAULTS))
"""The Python type of each."""
