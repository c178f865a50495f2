"""Which hosts' claims a run reads."""

from __future__ import annotations

import pytest

from control.sidecar_documents import SidecarDocuments
from folds.sidecar_changes import Admission
from folds.sidecar_desired import Box
from folds.sidecar_questions import Question, questions
from folds.sidecar_rows import Row, Rows
from folds.sidecar_standing import desired_of
from folds.sidecars import plan
from tests.folds.sidecar_model import (
    BROKEN,
    CLAIMING,
    bucket,
    documents,
    host,
    key,
    minted,
    record,
    settled,
)

_ALOOF = CLAIMING.model_copy(update={"region_ha": True})


def _asked(found: SidecarDocuments, *rows: Row, box: Box = CLAIMING) -> dict[str, str]:
    """What is asked for, by the first label of its host."""
    made = settled(desired_of(found, box), Rows(tuple(rows)))
    return {each.host.partition(".")[0]: _kind(each) for each in questions(made)}


def _kind(question: Question) -> str:
    if isinstance(question.asks, Row):
        return "retire"
    return "install" if question.planned else "hold"


def test_planned_writes() -> None:
    """Each has its claim read, and no other host."""
    found = bucket(record("new"), record("a", channel="beta"), record("same"), record("c"))
    rows = [minted(record(name)) for name in ("a", "same", "gone", "c")]

    assert _asked(found, *rows) == {
        "new": "install",
        "a": "install",
        "gone": "retire",
    }


def test_claims_off() -> None:
    """Nothing is asked."""
    off = CLAIMING.model_copy(update={"claims": False, "region_ha": True})

    assert _asked(bucket(record("new")), box=off) == {}


def test_rows_that_may_have_to_be_held() -> None:
    """With region availability each owned row that a record here describes, held ones too."""
    found = bucket(record("same"), record("held"), record("theirs"), record("away", region="uk"))
    rows = [minted(record("same")), minted(record("held"), hold="op-41")]
    rows += [minted(record("theirs"), provisioned=0), minted(record("away", region="uk"))]

    assert _asked(found, *rows, box=_ALOOF) == {"same": "hold", "held": "hold"}


@pytest.mark.behaviour(118)
def test_refusals_that_need_no_claim() -> None:
    """A row of somebody else, what the gate refuses, a staged file, a bad record: nothing asked."""
    found = documents(
        {
            **dict(bucket(record("theirs"), record("staged"), record("refused")).records),
            key("bad"): BROKEN,
        }
    )
    rows = Rows((minted(record("theirs"), kind="exec", channel="old"), minted(record("bad"))))
    said = [Admission(host("staged"), staged=True), Admission(host("refused"), refusal="no")]

    assert questions(plan(desired_of(found, _ALOOF), rows, said)) == ()


def test_removals_that_are_held_back() -> None:
    """They are not made, so their claims are not read."""
    assert _asked(bucket(), *(minted(record(name)) for name in "abc")) == {}


def test_order() -> None:
    """By host, whatever the order of the rows."""
    found = bucket(record("b", channel="beta"), record("c"), record("d"))

    assert [*_asked(found, *(minted(record(name)) for name in "ab"))] == ["a", "b", "c", "d"]
