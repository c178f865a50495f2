"""A held row: nothing converges it, nothing removes it, and only its own operation holds it."""

from __future__ import annotations

from pathlib import Path

import pytest

from registry.operations import Hold, Mint, Operation
from tests.registry.samples import ACCOUNT, APP, dump, insert, run, sidecar
from tests.registry.test_writes import EVERY, OTHERS, converge, one, remove, route_of

HELD = [
    "'op-40'",
    "'operator'",
    "'?!'",
    "' '",
    "'op-4'",
    "x''",
    "x'6f702d3431'",
    "0",
    "'OP-41'",
]
"""Holds of others, as they may stand in a file: words, nonsense, blobs and numbers."""


def hold(name: str, op: str = "op-41") -> Hold:
    return Hold(sidecar(name).host, APP, ACCOUNT, op)


@pytest.mark.parametrize("held", [*HELD, "'op-41'"])
@pytest.mark.parametrize("change", [converge("b", *EVERY), remove("b"), Mint(sidecar("b"))])
def test_change_of_a_held_row(registry: Path, change: Operation, held: str) -> None:
    """Whatever the hold says, the row is neither converged nor removed nor minted again."""
    run(registry, f"UPDATE routes SET hold = {held} WHERE slug = 'b'")  # noqa: S608
    before = dump(registry)
    assert one(registry, change).outcome == "refused"
    assert dump(registry) == before


def test_hold_that_is_named(registry: Path) -> None:
    """Who is refused hears by whom the row is held."""
    run(registry, "UPDATE routes SET hold = 'op-40' WHERE slug = 'b'")
    assert one(registry, remove("b")).reason == "the row is held by 'op-40'"


@pytest.mark.parametrize("free", ["''", "NULL"])
def test_hold_of_a_free_row(tmp_path: Path, registry: Path, free: str) -> None:
    """The hold is written and no other column; a NULL is no hold."""
    del tmp_path
    run(registry, "CREATE TABLE other AS SELECT * FROM routes", "DROP TABLE routes")
    run(registry, "ALTER TABLE other RENAME TO routes", f"UPDATE routes SET hold = {free}")  # noqa: S608
    assert one(registry, hold("b")).outcome == "done"
    assert route_of(registry, "b") == sidecar("b", hold="op-41")
    assert route_of(registry, "a") == sidecar("a")


def test_hold_twice(registry: Path) -> None:
    """The second finds its own hold, and writes nothing."""
    one(registry, hold("b"))
    before = registry.read_bytes()
    assert one(registry, hold("b")).outcome == "nothing to do"
    assert registry.read_bytes() == before


@pytest.mark.parametrize("held", HELD)
def test_hold_of_a_row_that_another_holds(registry: Path, held: str) -> None:
    """An operator's hold, another operation's, and one of an unknown word all stay."""
    run(registry, f"UPDATE routes SET hold = {held} WHERE slug = 'b'")  # noqa: S608
    before = dump(registry)
    assert one(registry, hold("b")).outcome == "refused"
    assert dump(registry) == before


@pytest.mark.parametrize("other", OTHERS)
def test_hold_of_a_row_that_is_not_ours(registry: Path, other: dict[str, str | int]) -> None:
    """A row that is somebody else's is not held either."""
    insert(registry, [sidecar("new", **other)])
    before = dump(registry)
    assert "not ours meanwhile" in one(registry, hold("new")).reason
    assert dump(registry) == before


def test_hold_of_no_row(registry: Path) -> None:
    """To hold mints nothing."""
    before = dump(registry)
    assert one(registry, hold("gone")).outcome == "refused"
    assert dump(registry) == before


def test_hold_without_a_name(registry: Path) -> None:
    """It would be no hold."""
    del registry
    with pytest.raises(ValueError, match="named by its operation"):
        hold("b", "")


def test_hold_that_a_trigger_passes_over(registry: Path) -> None:
    """Silence of the registry is not called done."""
    run(
        registry,
        "CREATE TRIGGER t BEFORE UPDATE ON routes BEGIN SELECT RAISE(IGNORE); END",
    )
    assert one(registry, hold("b")).outcome == "failed"
