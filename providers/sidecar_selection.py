"""What a sidecars pass asks of a host's claim: for a record and its row, or for a row to go."""

from __future__ import annotations

from control.sidecar_records import SidecarRecord
from folds.sidecar_desired import Box, Wanted
from folds.sidecar_rows import Row, minted_key, row_for
from providers.claim_ports import Retirement, Selection

FAMILY = "sidecar"


def selection_of(wanted: Wanted, box: Box, *, dry_run: bool = False) -> Selection:
    """Return the record that asks for a host, as it was read (behaviour 122)."""
    fields = {name: getattr(wanted, name) for name in SidecarRecord.model_fields}
    return Selection(
        host=wanted.host,
        key=wanted.key,
        etag=wanted.etag,
        incarnation=wanted.incarnation,
        family=FAMILY,
        paths=(box.db_path(wanted.host),),
        dry_run=dry_run,
        account=wanted.account,
        app=wanted.app,
        created_at=wanted.created_at,
        record=SidecarRecord(**fields),
        row=row_for(wanted, box),
    )


def retirement_of(row: Row, *, dry_run: bool = False) -> Retirement:
    """Return a row that is to go, as it was read; the key is the one that it was minted for."""
    key = minted_key(row)
    return Retirement(
        host=row.host,
        key=key.record if key else "",
        family=FAMILY,
        incarnation=row.claim_incarnation,
        stamp=row.claim_stamp,
        hold=row.hold,
        dry_run=dry_run,
    )
