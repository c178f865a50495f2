"""The lines of a run, and what its failure says, where there are many of either."""

from __future__ import annotations

from folds.sidecar_changes import Mint
from folds.sidecar_rows import Row
from providers.sidecar_registry import operation_of
from providers.sidecar_report import Applied, listing
from registry.operations import Outcome, Result
from tests.support.sidecar_box import host_of


def _made(count: int, outcome: Outcome, reason: str = "") -> Applied:
    rows = [Row(host_of(f"n{each}"), kind="sidecar", provisioned=1) for each in range(count)]
    mints = [Mint(row) for row in rows]
    return Applied(tuple((each, Result(operation_of(each), outcome, reason)) for each in mints))


def test_many_lines() -> None:
    """200 at most, then how many there are beyond: the plan has named them all."""
    lines = listing(_made(203, "done").lines).splitlines()
    assert (len(lines), lines[-1]) == (201, "sidecars: and 3 more")
    assert len(listing(_made(200, "done").lines).splitlines()) == 200


def test_nothing_that_failed() -> None:
    """No failure, and no others' either."""
    assert _made(3, "done").failure(()) == ""


def test_many_failures() -> None:
    """20 are named, the rest counted; text of the registry is escaped."""
    said = _made(25, "failed", "no\nway\x1b[31m").failure(())
    assert said.count("no\\nway\\x1b[31m") == 20
    assert "; and 5 more; run it again" in said
    assert said.startswith("sidecars: done: 0 minted, 0 converged, 0 removed; not done: ")


def test_failures_of_others() -> None:
    """They come first, and alone they ask for no further run: they say themselves what to do."""
    assert _made(1, "done").failure(("held back: a",)) == "sidecars: held back: a"
    both = _made(1, "refused", "taken").failure(("held back: a",))
    assert both.startswith("sidecars: held back: a; done: 0 minted")
