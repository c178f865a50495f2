from __future__ import annotations

import pickle

import pytest

from control.errors import (
    CannotOpen,
    ControlError,
    ListingFailed,
    Malformed,
    ObjectNotFound,
    ReadFailed,
    ReadsFailed,
    StoreUnavailable,
)

_ALL = [
    (CannotOpen("b\n", "blank"), r'bucket "b\n": blank'),
    (ListingFailed("control/edges/", "denied"), "list control/edges/: denied"),
    (ListingFailed("apps/", "denied", "steering"), "steering: list apps/: denied"),
    (ReadFailed("k\x1b", "denied\n::error::"), r"read k\x1b: denied\n::error::"),
    (ObjectNotFound("k", "gone"), "read k: gone"),
    (StoreUnavailable("k", "down"), "read k: down"),
    (Malformed("k\n", "v is 2"), r"k\n: v is 2"),
    (ReadsFailed([Malformed("b", "bad"), ReadFailed("a", "denied")]), "read a: denied; b: bad"),
]


@pytest.mark.parametrize(("error", "text"), _ALL)
def test_text_of_an_error(error: ControlError, text: str) -> None:
    """One line that names the subject and the cause, escaped once."""
    assert str(error) == text


@pytest.mark.parametrize("error", [error for error, _ in _ALL])
def test_error_that_crosses_a_process(error: ControlError) -> None:
    """An error survives pickling, as pools and test runners do to it."""
    again = pickle.loads(pickle.dumps(error))  # noqa: S301  # its own output

    assert (type(again), str(again)) == (type(error), str(error))


def test_more_failures_than_a_message_holds() -> None:
    """Twenty are named, in the order of their keys, the rest counted; `keys` has them all."""
    failures = [ReadFailed(f"k{number:02}", "denied") for number in reversed(range(23))]

    error = ReadsFailed(failures, "steering")

    assert str(error).startswith("steering: read k00: denied; read k01: denied; ")
    assert str(error).endswith("read k19: denied; and 3 more")
    assert error.keys == tuple(f"k{number:02}" for number in range(23))


def test_reason_as_long_as_a_body() -> None:
    """A reason that quotes a whole document is cut."""
    assert len(str(Malformed("k", "x" * 300_000))) < 600
