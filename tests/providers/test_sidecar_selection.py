"""What a claim is asked with: all that is known of a record, or of a row that is to go."""

from __future__ import annotations

import pytest

from folds.sidecar_rows import Row, row_for
from folds.sidecar_standing import desired_of
from providers.claim_ports import Retirement, Selection
from providers.sidecar_selection import retirement_of, selection_of
from tests.folds.sidecar_model import CLAIMING, bucket, key, minted, record

_WHOLE = record(
    "acme", incarnation="01J8", created_at="2026-09-07T10:00:00Z", placement="any", channel="beta"
)


@pytest.mark.behaviour(122)
@pytest.mark.parametrize("dry", [True, False])
def test_record_that_asks_for_a_host(dry: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Each part of it, the record whole, the row wanted, and whether the run is dry."""
    found = bucket(_WHOLE)
    (wanted,) = desired_of(found, CLAIMING).wanted

    selection = selection_of(wanted, CLAIMING, dry_run=dry)

    assert selection == Selection(
        host=_WHOLE.host,
        key=key("acme").record,
        etag="",
        incarnation="01J8",
        family="sidecar",
        paths=(f"/data/{_WHOLE.host}.db",),
        dry_run=dry,
        account="bab",
        app="eleven",
        created_at="2026-09-07T10:00:00Z",
        record=_WHOLE,
        row=row_for(wanted, CLAIMING),
    )


def test_row_that_is_to_go() -> None:
    """By its own columns: what was read of it, and the key that it was minted for."""
    row = minted(_WHOLE, claim_incarnation="01J8", claim_stamp=7)

    assert retirement_of(row) == Retirement(
        _WHOLE.host, key("acme").record, "sidecar", incarnation="01J8", stamp=7
    )
    assert retirement_of(Row("a.example.com")).key == ""
