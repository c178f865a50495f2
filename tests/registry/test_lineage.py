"""The lineage row, and that it is durable and alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from registry.connection import reading
from registry.errors import LineageMissing, LineageUnreadable, RegistryBusy
from registry.lineage import Lineage, begin, confirm, read_lineage, set_last
from tests.registry.samples import dump, locked, opened, run


def lineage(path: Path) -> Lineage | None:
    with reading(path) as connection:
        return read_lineage(connection, path)


def test_before_the_first_pass(registry: Path) -> None:
    """A registry without the table has no lineage, and looking makes none."""
    before = dump(registry)
    assert lineage(registry) is None
    assert dump(registry) == before


def test_first_pass(registry: Path) -> None:
    """The first pass gives the lineage its id; nothing is last before something is confirmed."""
    assert begin(registry, "f1", "line") == Lineage("line", "", "f1")
    assert confirm(registry, "f1") == Lineage("line", "f1", "f1")
    assert lineage(registry) == Lineage("line", "f1", "f1")


def test_later_pass(registry: Path) -> None:
    """The id stays; pending moves on before last does."""
    begin(registry, "f1", "line")
    confirm(registry, "f1")
    assert begin(registry, "f2", "another") == Lineage("line", "f1", "f2")
    assert lineage(registry) == Lineage("line", "f1", "f2")


def test_table_without_its_row(registry: Path) -> None:
    """A row that somebody deleted is no lineage; the next pass begins one."""
    begin(registry, "f1", "line")
    run(registry, "DELETE FROM fairlead_lineage")
    assert lineage(registry) is None
    assert begin(registry, "f2", "new") == Lineage("new", "", "f2")


def test_confirming_nothing(registry: Path) -> None:
    """Without a lineage there is nothing to confirm, and nothing is made."""
    with pytest.raises(LineageMissing):
        confirm(registry, "f1")
    assert lineage(registry) is None


@pytest.mark.parametrize("earlier", [None, "line", "stranger"])
def test_restored_file(registry: Path, earlier: str | None) -> None:
    """A restored file succeeds the snapshot it is told, whatever lineage the file had in it."""
    if earlier is not None:
        begin(registry, "f1", earlier)
    assert set_last(registry, "line", "f9") == Lineage("line", "f9", "")
    assert lineage(registry) == Lineage("line", "f9", "")


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE fairlead_lineage (x)"],
        [
            "CREATE TABLE fairlead_lineage (id, last, pending)",
            "INSERT INTO fairlead_lineage VALUES ('l', 'f', 1)",
        ],
        [
            "CREATE TABLE fairlead_lineage (id, last, pending)",
            "INSERT INTO fairlead_lineage VALUES ('l', 'f', ''), ('m', 'f', '')",
        ],
    ],
)
def test_table_of_another_make(registry: Path, statements: list[str]) -> None:
    """A lineage that does not read is never taken for none: it is named, and left."""
    run(registry, *statements)
    before = dump(registry)
    attempts: tuple[Callable[[], object], ...] = (
        lambda: lineage(registry),
        lambda: begin(registry, "f1", "line"),
        lambda: confirm(registry, "f1"),
        lambda: set_last(registry, "line", "f1"),
    )
    for attempt in attempts:
        with pytest.raises(LineageUnreadable, match="drop that table"):
            attempt()
    assert dump(registry) == before


def test_locked_registry(registry: Path) -> None:
    """A lineage that cannot be written within the budget is an error, not a skipped step."""
    with locked(registry), pytest.raises(RegistryBusy):
        begin(registry, "f1", "line", budget_seconds=0.05)
    assert lineage(registry) is None


def test_lineage_waits_for_the_disk(registry: Path, statements: list[str]) -> None:
    """A power cut takes no lineage back: the box's own snapshot would look like a stranger's."""
    begin(registry, "f1", "line")
    confirm(registry, "f1")
    set_last(registry, "line", "f1")
    waits = [statement for statement in statements if "synchronous" in statement]
    assert waits == ["PRAGMA synchronous = FULL"] * 3


def test_everything_else_stays(registry: Path) -> None:
    """The lineage's table is all that is written."""
    before = set(dump(registry))
    begin(registry, "f1", "line")
    confirm(registry, "f1")
    added = set(dump(registry)) - before
    assert all("fairlead_lineage" in line for line in added)


def test_open_elsewhere(registry: Path) -> None:
    """The platform reads on while a lineage is written, and sees it."""
    with opened(registry) as platform:
        platform.execute("SELECT count(*) FROM routes").fetchone()
        begin(registry, "f1", "line")
        assert platform.execute("SELECT id FROM fairlead_lineage").fetchone() == ("line",)
