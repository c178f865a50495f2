"""Changes under a claim: no row that a newer claim has written is changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from registry.operations import Converge, Hold, Mint, Operation, Ownership, Remove
from registry.route import Route
from tests.registry.samples import ACCOUNT, APP, dump, run, sidecar
from tests.registry.test_writes import CEILINGS, CHANNEL, one, route_of, routes

B = sidecar("b").host
CLAIM = Ownership("apps/bab/eleven/sidecars/b.json", "01J", "sidecar", 7)
COLUMNS: dict[str, str | int] = {
    "claim_key": CLAIM.key,
    "claim_incarnation": "01J",
    "claim_family": "sidecar",
    "claim_stamp": 7,
}
CONVERGE = Converge(B, APP, ACCOUNT, (CHANNEL, CEILINGS), CLAIM)
REMOVE = Remove(B, APP, ACCOUNT, CLAIM)
HOLD = Hold(B, APP, ACCOUNT, "op-41", CLAIM)
OLDER = ["NULL, NULL", "0, ''", "6, 'other'", "7, ''", "7, NULL", "7, '01J'"]
NEWER = ["8, '01J'", "8, ''", "7, 'other'", "7, '01j'", "'x', '01J'", "7, x'3031'"]


def written_under(path: Path, claim: str) -> None:
    """Let a row carry a stamp and an incarnation, as SQL; the columns take NULL."""
    run(path, "CREATE TABLE other AS SELECT * FROM routes", "DROP TABLE routes")
    run(path, "CREATE TABLE routes AS SELECT * FROM other", "DROP TABLE other")
    run(path, f"UPDATE routes SET (claim_stamp, claim_incarnation) = ({claim})")  # noqa: S608


@pytest.mark.behaviour(123)
def test_mint_under_a_claim(registry: Path) -> None:
    """A minted row carries the ownership handed to the write, whatever its route says."""
    minted = Mint(sidecar("new", claim_key="k", claim_stamp=9), CLAIM)
    assert one(registry, minted).outcome == "done"
    assert route_of(registry, "new") == sidecar("new", **COLUMNS)


@pytest.mark.parametrize("older", OLDER)
def test_converge_of_a_row_of_no_newer_claim(registry: Path, older: str) -> None:
    """Every group is written, and the ownership with it, other rows are not."""
    written_under(registry, older)
    (before,) = {route for route in routes(registry).values() if route.slug == "a"}
    assert one(registry, CONVERGE).outcome == "done"
    changed: dict[str, str | int] = {"channel": "beta", "idle_seconds": 60, "max_run_seconds": 600}
    assert route_of(registry, "b") == sidecar("b", **changed, **COLUMNS)
    assert route_of(registry, "a") == before


@pytest.mark.parametrize("older", OLDER)
def test_removal_of_a_row_of_no_newer_claim(registry: Path, older: str) -> None:
    """The row goes."""
    written_under(registry, older)
    assert one(registry, REMOVE).outcome == "done"
    assert B not in routes(registry)


@pytest.mark.parametrize("older", OLDER)
def test_hold_of_a_row_of_no_newer_claim(registry: Path, older: str) -> None:
    """To hold is not to install: the hold is written, the ownership stays as it was."""
    written_under(registry, older)
    before: Route = route_of(registry, "b")
    assert one(registry, HOLD).outcome == "done"
    assert route_of(registry, "b") == before._replace(hold="op-41")


@pytest.mark.parametrize("newer", NEWER)
@pytest.mark.parametrize("change", [CONVERGE, REMOVE, HOLD])
def test_row_of_a_newer_claim(registry: Path, change: Operation, newer: str) -> None:
    """Who comes late writes nothing: the row has a higher stamp, or this one of another holder."""
    written_under(registry, newer)
    before = dump(registry)
    result = one(registry, change)
    assert (result.outcome, result.reason.partition(":")[0]) == (
        "refused",
        "a newer claim wrote the row",
    )
    assert dump(registry) == before


def test_row_that_is_there_before_a_mint(registry: Path) -> None:
    """A mint under a newer claim does not take a row over either."""
    before = dump(registry)
    assert one(registry, Mint(sidecar("b"), CLAIM)).outcome == "refused"
    assert dump(registry) == before


def test_converge_without_changes(registry: Path) -> None:
    """The ownership is never written on its own."""
    before = registry.read_bytes()
    one(registry, Converge(B, APP, ACCOUNT, (), CLAIM))
    assert registry.read_bytes() == before


def test_change_without_a_claim(registry: Path) -> None:
    """With claims off no row is asked for its stamp, and none loses it."""
    run(registry, "UPDATE routes SET claim_stamp = 9, claim_incarnation = 'x'")
    assert one(registry, Converge(B, APP, ACCOUNT, (CHANNEL,))).outcome == "done"
    assert route_of(registry, "b").claim_stamp == 9
    assert one(registry, Remove(B, APP, ACCOUNT)).outcome == "done"
