"""Rows that somebody holds: an operation of a claim, or a person. Claims on or off."""

from __future__ import annotations

import pytest

from folds.sidecar_authority import Answer, Authority
from folds.sidecar_report import explained, headline, outputs
from tests.folds.sidecar_model import (
    BOX,
    ELEVEN,
    bucket,
    claimed,
    held,
    host,
    key,
    minted,
    planned,
    record,
    removed,
    verdict,
)

_MOVE = "relocating ie-1 to uk-1, installing"
_WORDS = ["op-41", "by hand", "?", " ", "op-41\n"]


@pytest.mark.parametrize("word", _WORDS)
def test_held_row_that_differs(word: str) -> None:
    """It does not converge, whoever holds it and whatever the word is."""
    done = planned(bucket(record("a", channel="beta")), minted(record("a"), hold=word))

    assert done.empty
    assert verdict(done, "a").action == "keep"
    assert verdict(done, "a").reason.startswith("held by ")
    assert verdict(done, "a").reason.isprintable()


@pytest.mark.parametrize("word", _WORDS)
def test_held_row_without_a_record(word: str) -> None:
    """It is not removed, nor counted by the fuse; the run has nothing to say against it."""
    done = planned(bucket(record("b")), minted(record("a"), hold=word), minted(record("b")))

    assert (removed(done), held(done), done.failures) == ([], [], ())
    assert done.summary.owned == 1
    assert verdict(done, "a").reason.startswith("held by ")
    assert done.rows == (host("a"), host("b"))


def test_held_row_whose_record_asks_it_away() -> None:
    """It stays, and says both."""
    done = planned(bucket(record("a", region="uk")), minted(record("a"), hold="op-41"))

    assert done.empty
    assert verdict(done, "a").action == "keep"
    assert verdict(done, "a").reason.endswith("the box is of the home region; held by op-41")


def test_held_row_of_an_app_in_the_trash() -> None:
    """It stays, also where such rows are dropped."""
    found = bucket(record("a"), trashed=frozenset({ELEVEN}))
    box = BOX.model_copy(update={"drop_trashed": True})

    assert planned(found, minted(record("a"), hold="op-41"), box=box).empty


def test_held_rows_are_no_cover() -> None:
    """More than half of the rows that nobody holds is what the fuse measures."""
    rows = [minted(record(name), hold="op-41") for name in "defghij"]

    done = planned(bucket(record("a")), *(minted(record(name)) for name in "abc"), *rows)

    assert held(done) == [host("b"), host("c")]
    assert "removes 2 of 3 owned rows" in done.failures[0]


def test_held_row_of_somebody_else() -> None:
    """It is left alone for being another's."""
    done = planned(bucket(record("a")), minted(record("a"), provisioned=0, hold="op-41"))

    assert verdict(done, "a").action == "foreign"


@pytest.mark.parametrize("answer", ["hold", "no", "write"])
@pytest.mark.parametrize("word", ["op-41", "by hand"])
def test_held_row_and_its_claim(answer: Answer, word: str) -> None:
    """Only its own operation could change it, and that one has it already: others' holds stay."""
    says = Authority(host("a"), answer, _MOVE, "op-41" if answer == "hold" else "")

    done = claimed(bucket(record("a", channel="beta")), minted(record("a"), hold=word), says=[says])

    assert done.empty
    whose = "" if (answer, word) == ("hold", "op-41") else "its claim: "
    assert explained(done) == (
        f"= {host('a')} ({key('a').record}) keep: held by {word}: {whose}{_MOVE}",
    )


def test_how_many_are_held() -> None:
    """The headline counts them, and the outputs have them among the rows."""
    done = planned(bucket(record("a"), record("b")), minted(record("a"), hold="op-41"))

    assert headline(done) == "+1 ~0 -0 of 0 rows, 1 held"
    assert outputs(done)["rows"] == [host("a"), host("b")]
