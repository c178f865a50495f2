"""What the claims of hosts let a plan do, and what it says of the rest."""

from __future__ import annotations

import pytest

from folds.sidecar_authority import Answer, Authority
from folds.sidecar_plan import SidecarPlan
from folds.sidecar_report import explained, headline, outputs, remarks
from tests.folds.sidecar_model import (
    BROKEN,
    bucket,
    claimed,
    documents,
    held,
    host,
    key,
    keyed,
    minted,
    minted_hosts,
    planned,
    record,
    removed,
    verdict,
)

_MOVE = "relocating ie-1 to uk-1, releasing, fence closed"
_ROWS = [minted(record(name)) for name in "abc"]


def _says(name: str, answer: Answer = "write", reason: str = "", op: str = "") -> Authority:
    return Authority(host(name), answer, reason, op)


def _line(done: SidecarPlan, name: str) -> str:
    (only,) = [each for each in explained(done) if each.split(" ")[1] == host(name)]
    return only


def test_claims_that_let_everything_pass() -> None:
    """The plan is the one without claims, but for what it was worked out from."""
    found = bucket(record("new"), record("a", channel="beta"), record("b"))

    done = claimed(found, *_ROWS, says=map(_says, ("new", "a", "c")))

    free = planned(found, *_ROWS)
    assert done.lines == free.lines
    assert (done.rows, done.summary, done.failures) == (free.rows, free.summary, ())


@pytest.mark.parametrize("answer", ["no", "hold"])
def test_mint_without_authority(answer: Answer) -> None:
    """There is no row to hold: it is declined with the claim's reason, which is a warning."""
    done = claimed(bucket(record("new")), says=[_says("new", answer, _MOVE, "op-41")])

    assert done.empty
    assert verdict(done, "new").reason == f"not minted: {_MOVE}"
    assert [each["host"] for each in outputs(done)["declined"]] == [host("new")]
    assert remarks(done) == (f"{host('new')} ({key('new').record}) decline: not minted: {_MOVE}",)
    assert (done.failures, done.rows) == ((), ())


def test_converge_without_authority() -> None:
    """The row stays as it is."""
    done = claimed(
        bucket(record("a", channel="beta")), _ROWS[0], says=[_says("a", "no", "serving on uk-1")]
    )

    assert done.empty
    assert verdict(done, "a").action == "decline"
    assert _line(done, "a").endswith(" decline: not converged: serving on uk-1")
    assert done.rows == (host("a"),)


@pytest.mark.parametrize("answer", ["no", "hold"])
def test_removal_without_authority(answer: Answer) -> None:
    """The row is kept, with both reasons; it is no removal that the fuse holds back."""
    found = bucket(record("a"), record("b"))

    done = claimed(found, *_ROWS, says=[_says("c", answer, _MOVE, "op-41")])

    assert (removed(done), held(done), done.holds) == ([], [], ())
    assert verdict(done, "c").action == "decline"
    assert verdict(done, "c").reason == (
        f"not removed: {_MOVE} (its record {key('c').record} is gone)"
    )
    assert done.rows == tuple(host(name) for name in "abc")


def test_host_whose_claim_nobody_asked_for() -> None:
    """Nothing is written: a later run can, but nothing takes a second installer back."""
    found = bucket(record("new"), record("a", channel="beta"), record("b"))

    done = claimed(found, *_ROWS)

    assert done.empty
    assert [verdict(done, name).reason.partition(": ")[2] for name in ("new", "a")] == [
        "its claim was not asked for"
    ] * 2


@pytest.mark.parametrize("channel", ["edge", "beta"])
def test_row_to_be_held(channel: str) -> None:
    """It is held for the operation, and nothing else of it is changed."""
    found = bucket(record("a", channel=channel))

    done = claimed(found, _ROWS[0], says=[_says("a", "hold", _MOVE, "op-41")])

    assert done.converges == ()
    assert done.lines == (f"~ {host('a')} held by op-41: {_MOVE}",)
    assert explained(done) == done.lines
    assert headline(done) == "+0 ~1 -0 of 1 row"
    assert verdict(done, "a").action == "hold"


def test_row_of_somebody_else_is_not_held() -> None:
    """A claim gives no authority over another's row."""
    other = minted(record("a"), provisioned=0)

    done = claimed(bucket(record("a")), other, says=[_says("a", "hold", _MOVE, "op-41")])

    assert done.empty
    assert verdict(done, "a").action == "foreign"


def test_claim_that_could_not_be_read() -> None:
    """Nothing of its host is done, the others go on, and the run fails at its end naming it."""
    found = bucket(record("new"), record("other"))
    unread = Authority(host("new"), "no", "its claim could not be read: denied", failed=True)

    done = claimed(found, says=[unread, _says("other")])

    assert minted_hosts(done) == [host("other")]
    assert done.failures == (f"{host('new')}: its claim could not be read: denied",)


def test_digest_and_claims() -> None:
    """A move under way changes no digest, and gives no cover: what is asked for counts."""
    moving = [_says("a", "no", _MOVE), _says("b", "no", _MOVE)]
    found = bucket(record("c"))

    done = claimed(found, *_ROWS, says=moving)

    assert held(done) == [host("a"), host("b")]
    assert done.digest == planned(found, *_ROWS).digest
    assert verdict(done, "a").action == "held back"


def test_record_that_cannot_be_used_beside_claims() -> None:
    """It protects its row as ever; no claim is needed for what is not done."""
    done = claimed(documents({**keyed(record("b")), key("a"): BROKEN}), *_ROWS[:2])

    assert done.empty
    assert verdict(done, "a").action == "protect"
