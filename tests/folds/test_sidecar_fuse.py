from __future__ import annotations

import re

import pytest

from control.sidecar_documents import SidecarDocuments
from folds.sidecar_plan import SidecarPlan
from folds.sidecar_rows import Row, Rows
from policy.guards.sidecars import sidecar_violations
from tests.folds.sidecar_model import (
    BOX,
    HELLO,
    applied,
    bucket,
    held,
    host,
    minted,
    minted_hosts,
    planned,
    record,
    removed,
    verdict,
)

_NAMES = "abcdefghij"
_RECORDS = [record(name) for name in _NAMES]
_ROWS = [minted(each) for each in _RECORDS]
_EMPTY = bucket(accounts=frozenset())


def _keeping(count: int) -> SidecarDocuments:
    """A bucket that has lost all but the first records."""
    return bucket(*_RECORDS[:count])


@pytest.mark.parametrize(("owned", "absent"), [(2, 1), (3, 1), (10, 5), (4, 2), (9, 4)])
def test_half_of_the_rows(owned: int, absent: int) -> None:
    """Up to half of the owned rows go without further ado."""
    done = planned(_keeping(owned - absent), *_ROWS[:owned])

    assert len(removed(done)) == absent
    assert (done.held_back, done.failures, done.digest) == ((), (), "")


@pytest.mark.parametrize(("owned", "absent"), [(2, 2), (3, 2), (10, 6), (9, 5)])
def test_more_than_half_of_the_rows(owned: int, absent: int) -> None:
    """None of the absent ones goes, and the run fails with names, measure, limit and digest."""
    done = planned(_keeping(owned - absent), *_ROWS[:owned])

    assert removed(done) == []
    assert held(done) == [host(name) for name in _NAMES[owned - absent : owned]]
    (failure,) = done.failures
    assert failure.startswith(f"held back: {host(_NAMES[owned - absent])}")
    assert (
        f"sidecar-mass-retire: box ie-1 (bucket carlos/eu): removes {absent} of {owned} owned rows"
        f" because their records are absent, limit half ({owned // 2});"
    ) in failure
    assert failure.endswith(f"or, if it is meant, acknowledge digest {done.digest}")
    assert re.fullmatch("[0-9a-f]{12}", done.digest)


def test_only_row() -> None:
    """A box's only row may go, while its account is known."""
    assert removed(planned(bucket(), _ROWS[0])) == [host("a")]


@pytest.mark.parametrize("count", [1, 2, 10])
def test_wrong_bucket_prefix(count: int) -> None:
    """Nothing is retired, one row neither, and all of it is named."""
    done = planned(_EMPTY, *_ROWS[:count])

    assert done.empty
    assert held(done) == [host(name) for name in _NAMES[:count]]
    assert done.digest in done.failures[0]
    assert "see whether the bucket was read under the right prefix" in done.failures[0]
    assert verdict(done, "a").action == "held back"
    assert verdict(done, "a").reason.endswith(f"would go; digest {done.digest}")


def test_prefix_of_another_deployment() -> None:
    """Its own accounts do not make ours known."""
    found = bucket(record("bot", HELLO), accounts=frozenset({"jam"}))

    assert held(planned(found, _ROWS[0])) == [host("a")]


def test_what_goes_on_beside_it() -> None:
    """Mints, converges and what records ask for are applied."""
    found = bucket(record("new"), record("a", channel="beta"), record("b", region="uk"))

    done = planned(found, *_ROWS)

    assert minted_hosts(done) == [host("new")]
    assert [each.host for each in done.converges] == [host("a")]
    assert removed(done) == [host("b")]
    assert held(done) == [host(name) for name in _NAMES[2:]]
    assert done.rows == tuple(sorted([host("new"), host("a"), *held(done)]))


def test_rows_of_others_do_not_count() -> None:
    """Half of the owned rows is meant: what this pass may not touch gives no cover."""
    strangers = [minted(record(f"x{number}"), provisioned=0) for number in range(20)]
    strangers += [minted(record(f"y{number}"), region="uk") for number in range(20)]

    assert held(planned(_keeping(1), *_ROWS[:3], *strangers)) == [host("b"), host("c")]


def test_rows_that_records_ask_away_count_as_owned() -> None:
    """They are not absent, and no part of what is held back."""
    found = bucket(record("a", region="uk"), record("b", region="uk"))

    done = planned(found, *_ROWS[:4])

    assert removed(done) == [host(name) for name in "abcd"]


def test_acknowledged_digest() -> None:
    """It lets exactly what was held back through, and is told as the one that did."""
    first = planned(_keeping(2), *_ROWS)

    done = planned(_keeping(2), *_ROWS, acknowledged=first.digest)

    assert removed(done) == held(first)
    assert (done.held_back, done.failures, done.digest) == ((), (), first.digest)
    assert sidecar_violations(done.summary) == ()


@pytest.mark.parametrize("acknowledged", ["", "0" * 12, "not one"])
def test_another_digest(acknowledged: str) -> None:
    """It lets nothing through."""
    assert removed(planned(_keeping(2), *_ROWS, acknowledged=acknowledged)) == []


def test_digest_after_an_unclean_scan() -> None:
    """There is none, and one of an earlier run lets nothing through."""
    code = planned(_keeping(2), *_ROWS).digest
    found = bucket(*_RECORDS[:2], unclean=("list apps/jam/: denied",))

    done = planned(found, *_ROWS, acknowledged=code)

    assert (removed(done), done.digest) == ([], "")
    assert held(done) == [host(name) for name in _NAMES[2:]]


def _code(found: SidecarDocuments, *rows: Row, **box: str) -> str:
    return planned(found, *rows, box=BOX.model_copy(update=box)).digest


def test_what_a_digest_covers() -> None:
    """Box, bucket and the hosts that stay; not the rows that go."""
    code = _code(_keeping(2), *_ROWS)

    assert code == _code(_keeping(2), *_ROWS[:8])
    assert code != _code(_keeping(3), *_ROWS)
    assert code != _code(_keeping(2), *_ROWS, box="ie-2")
    assert code != _code(_keeping(2), *_ROWS, bucket="carlos/us")


def test_withdrawal_cut_short() -> None:
    """It goes on under the digest that it began with."""
    code = planned(_keeping(1), *_ROWS).digest

    for gone in range(1, 9):
        left = (_ROWS[0], *_ROWS[1 + gone :])
        done = planned(_keeping(1), *left, acknowledged=code)
        assert len(removed(done)) == len(left) - 1


def test_digest_over_the_mints_of_its_run() -> None:
    """The run that names a digest mints; the next one is to end where that digest says."""
    found = bucket(record("new"), record("a"))
    rows = Rows(tuple(_ROWS))
    first = planned(found, *rows.rows)

    rows = applied(rows, first)
    second = planned(found, *rows.rows, acknowledged=first.digest)

    assert removed(second) == held(first)


def _summarised(done: SidecarPlan) -> tuple[int, int, int, int]:
    return (done.summary.owned, done.summary.removed, done.summary.absent, done.summary.unknown)


def test_summary_for_the_guards() -> None:
    """It is of what the plan holds, and none of the guards has anything against it."""
    done = planned(bucket(record("a"), record("b", region="uk")), *_ROWS[:4])
    fused = planned(_EMPTY, *_ROWS)

    assert _summarised(done) == (4, 3, 2, 0)
    assert _summarised(fused) == (10, 0, 0, 0)
    assert sidecar_violations(done.summary) == sidecar_violations(fused.summary) == ()


def test_names_of_what_is_held_back() -> None:
    """Twenty in the message, all of them in the plan."""
    rows = [minted(record(f"bot-{number:02}")) for number in range(25)]

    done = planned(_EMPTY, *rows)

    assert len(done.held_back) == 25
    assert f"{host('bot-19')} and 5 more; sidecar-mass-retire: " in done.failures[0]
