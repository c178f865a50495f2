from __future__ import annotations

import pickle

import pytest

from providers.claim_errors import (
    ClaimChanged,
    ClaimError,
    ClaimReadFailed,
    ClaimUnreadable,
    ClaimUnsupported,
    HostBusy,
    LocalStateUnreadable,
    LocalWriteFailed,
)

ANSWERS = (ClaimChanged, ClaimUnsupported)
FAILURES = (
    ClaimUnreadable,
    ClaimReadFailed,
    HostBusy,
    LocalStateUnreadable,
    LocalWriteFailed,
)


@pytest.mark.parametrize("kind", ANSWERS)
def test_answer(kind: type[ClaimError]) -> None:
    """What a claim says of this box is no failure of the run."""
    assert not kind("a.b", "it serves on uk-1").failed


@pytest.mark.parametrize("kind", FAILURES)
def test_failure(kind: type[ClaimError]) -> None:
    """What could not be found out fails the run at its end."""
    assert kind("a.b", "no answer after 5 s").failed


@pytest.mark.parametrize("kind", [*ANSWERS, *FAILURES])
def test_message(kind: type[ClaimError]) -> None:
    """One line that names the host, escaped and bounded; it survives another process."""
    error = kind("a\n.b", "##[error]\x1b" + "x" * 1000)

    assert str(error).startswith("claims: a\\n.b: #\\x23[error]\\x1bxxx")
    assert len(str(error)) < 600
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (type(again), str(again)) == (kind, str(error))


def test_reason_that_was_escaped_before() -> None:
    """It is not escaped a second time: errors of the bucket come as they are shown."""
    assert ClaimChanged("a.b", "a\\nb").phrase == "a\\nb"
