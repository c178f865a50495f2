"""Making the claim of a host that has none: created once, known again, never written over."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from control.claims import Op, claim_key
from control.strict_json import parse_object
from providers.claim_adoption import BucketAdoption
from providers.claim_errors import ClaimChanged, ClaimReadFailed, ClaimUnreadable
from providers.claim_files import HostFiles
from providers.claim_guard import FileGuard
from providers.claim_ports import Captured, Selection
from providers.claim_store import BucketClaims
from tests.support.claim_samples import HOST
from tests.support.claims_bucket import ClaimsBucket
from tests.support.s3_faults import DROP

KEY = "apps/bab/eleven/sidecars/bot.json"
SELECTED = Selection(HOST, KEY, '"e1"', "01J8", "sidecar")
Adopting = Callable[..., BucketAdoption]


@pytest.fixture
def adopting(control: ClaimsBucket, tmp_path: Path) -> Adopting:
    """A box's adoption on the bucket."""

    def made(box: str = "ie-1", nonce: str = "n1") -> BucketAdoption:
        data = tmp_path / box
        data.mkdir(exist_ok=True)
        guard = FileGuard(HostFiles(data))
        claims = BucketClaims(control.store)
        return BucketAdoption(control.writer, claims, guard, box, nonce=lambda: nonce)

    return made


def body(control: ClaimsBucket) -> dict[str, Any]:
    return parse_object(control.store.get(claim_key(HOST)).data, HOST)


def puts(control: ClaimsBucket) -> int:
    return sum(call.method == "PUT" for call in control.proxy.calls)


def test_adoption(control: ClaimsBucket, adopting: Adopting) -> None:
    """The record holds the host, this box serves it, and the claim reads as any other."""
    observed = adopting().adopt(SELECTED)
    claim = observed.claim
    assert claim
    assert claim.holder
    assert (claim.holder.key, claim.holder.incarnation, claim.holder.family) == (
        KEY,
        "01J8",
        "sidecar",
    )
    assert (claim.holder.stamp, claim.op) == (1, Op("adopt-n1", "serving", "ie-1"))
    assert (claim.lost, claim.obligations, claim.quiet_after, claim.completed) == ((), (), (), None)
    assert observed == BucketClaims(control.store).read(HOST)


def test_nonce_of_its_own(adopting: Adopting, control: ClaimsBucket) -> None:
    """No two attempts write the same body."""
    box = adopting()
    made = BucketAdoption(box.store, box.claims, box.guard, box.box)
    made.adopt(SELECTED)
    first = body(control)["nonce"]
    control.bucket.delete(claim_key(HOST))
    made.adopt(SELECTED)
    assert body(control)["nonce"] != first


@pytest.mark.parametrize("there", ["uk-1", "ie-1"])
def test_claim_that_is_there(control: ClaimsBucket, adopting: Adopting, there: str) -> None:
    """It is left as it is, and returned: who made it first has it."""
    control.platform.serve(HOST, there, key=KEY)
    before = control.store.get(claim_key(HOST))
    observed = adopting().adopt(SELECTED)
    assert observed.claim
    assert observed.claim.op.exec == there
    assert control.store.get(claim_key(HOST)) == before


def test_answer_that_is_lost(control: ClaimsBucket, adopting: Adopting) -> None:
    """The client's second try is refused by its own first one, which is known again."""
    control.proxy.lose_answers("PUT", claim_key(HOST), 1)
    observed = adopting().adopt(SELECTED)
    assert observed.claim
    assert observed.claim.op == Op("adopt-n1", "serving", "ie-1")
    assert puts(control) == 2


def test_every_answer_is_lost(control: ClaimsBucket, adopting: Adopting) -> None:
    """What cannot be known from the answers is read."""
    control.proxy.lose_answers("PUT", claim_key(HOST), 99)
    observed = adopting().adopt(SELECTED)
    assert observed.claim
    assert observed.claim.op.exec == "ie-1"


def test_another_box_between_try_and_answer(control: ClaimsBucket, adopting: Adopting) -> None:
    """Its claim is not taken for ours, and is not written over."""
    theirs = adopting("uk-1", "n2").adopt(SELECTED)
    control.proxy.lose_answers("PUT", claim_key(HOST), 1)
    assert adopting("ie-1", "n1").adopt(SELECTED) == theirs
    assert body(control)["nonce"] == "n2"


@pytest.mark.parametrize("status", [403, 500, 503, DROP])
def test_store_that_refuses(control: ClaimsBucket, adopting: Adopting, status: int) -> None:
    """Nothing is made, and the error says what failed; the next run makes it."""
    control.proxy.fail_key(claim_key(HOST), status)
    with pytest.raises(ClaimReadFailed, match=claim_key(HOST)):
        adopting().adopt(SELECTED)
    control.proxy.clear()
    assert BucketClaims(control.store).read(HOST).claim is None
    assert adopting().adopt(SELECTED).claim


def test_right_to_read_alone(control: ClaimsBucket, adopting: Adopting) -> None:
    """Without the right to write, the reason is the store's."""
    control.proxy.fail_method("PUT", claim_key(HOST), 403)
    with pytest.raises(ClaimReadFailed, match=r"its claim cannot be made: write .*AccessDenied"):
        adopting().adopt(SELECTED)


def test_claim_that_went_missing(control: ClaimsBucket, adopting: Adopting) -> None:
    """Where this box knows a stamp, a first claim would be behind it: none is made."""
    box = adopting()
    box.guard.retire(HOST, Captured(HOST, "ie-1", "01J8", 7))
    with pytest.raises(ClaimChanged, match="knows its stamp 7: put the claim back"):
        box.adopt(SELECTED)
    assert puts(control) == 0


def test_host_that_is_no_name(control: ClaimsBucket, adopting: Adopting) -> None:
    """Nothing is asked of the bucket."""
    with pytest.raises(ClaimUnreadable):
        adopting().adopt(Selection("../x", KEY, '"e1"', "01J8", "sidecar"))
    assert control.proxy.calls == []


def test_many_boxes_at_once(control: ClaimsBucket, adopting: Adopting) -> None:
    """One makes it, and all of them see that one."""
    boxes = [adopting(f"b{number}", f"n{number}") for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(lambda box: box.adopt(SELECTED), boxes)]
    executors = {each.claim.op.exec for each in found if each.claim}
    assert len(executors) == 1
    assert body(control)["op"]["exec"] in executors
