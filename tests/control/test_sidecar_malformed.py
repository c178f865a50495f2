from __future__ import annotations

import json

import pytest

from control.errors import Malformed
from control.sidecar_records import parse_record
from tests.support.sidecar_bodies import GOOD, KEY, MALFORMED


def test_number_of_malformed_bodies() -> None:
    """Enough of them, and no two alike."""
    assert len(set(MALFORMED.values())) == len(MALFORMED) >= 60


def test_body_that_the_malformed_ones_are_made_of() -> None:
    """What they are wrong in is what is wrong with them."""
    assert parse_record(json.dumps(GOOD).encode(), KEY).host == KEY.host


@pytest.mark.behaviour(102)
@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_malformed_body(body: bytes) -> None:
    """It is refused with its key and a reason of one printable line, and for nothing else."""
    with pytest.raises(Malformed) as caught:
        parse_record(body, KEY)

    assert caught.value.key == KEY.record
    assert str(caught.value).startswith(f"{KEY.record}: ")
    assert str(caught.value).isascii()
    assert str(caught.value).isprintable()
