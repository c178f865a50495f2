from __future__ import annotations

import pytest

from control.sidecar_keys import SidecarKey
from control.sidecar_scan import read_sidecars
from folds.sidecar_placement import concerns
from folds.sidecar_plan import SidecarPlan
from folds.sidecar_rows import Rows
from folds.sidecar_standing import desired_of
from tests.control.sidecar_store import SidecarStore, account_body, body_of
from tests.folds.sidecar_model import (
    BOX,
    ELEVEN,
    applied,
    host,
    minted,
    record,
    removed,
    settled,
    verdict,
)
from tests.support.sidecar_bodies import KEY, MALFORMED

_OTHERS = [SidecarKey("bab", "eleven", f"bot-{number:02}") for number in range(6)]
_ROWS = [
    minted(record("bad"), channel="theirs", environment="x"),
    minted(record("bot-00"), channel="old"),
    minted(record("bot-01")),
    minted(record("gone")),
]


def _plan(body: bytes, rows: Rows) -> SidecarPlan:
    objects = {
        "accounts/bab.json": account_body("bab"),
        ELEVEN.manifest: b'{"args":["bot","run"]}',
        **{key.record: body_of(key) for key in _OTHERS},
        KEY.record: body,
    }
    store = SidecarStore(objects)
    found = read_sidecars(store, concerns=lambda record: concerns(record, BOX))
    return settled(desired_of(found, BOX), rows)


@pytest.mark.behaviour(102)
@pytest.mark.behaviour(107)
@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_malformed_record_among_good_ones(body: bytes) -> None:
    """The others converge, its own row stays as it is, and the second pass has nothing to do."""
    rows = Rows(tuple(_ROWS))

    done = _plan(body, rows)
    after = applied(rows, done)

    assert removed(done) == [host("gone")]
    assert verdict(done, "bad").action == "protect"
    assert done.failures == ()
    assert {row.host for row in after.rows} == {host("bad"), *(key.host for key in _OTHERS)}
    assert after.rows[0] == _ROWS[0]
    assert _plan(body, after).empty
