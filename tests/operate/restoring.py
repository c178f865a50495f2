"""What the tests of a restore set out from: an order, its successor, and what is in place then."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from operate.restore import Order
from registry.connection import reading
from tests.support.snapshots import START, Machine

NOW = START + timedelta(hours=3, minutes=2)


def order(target: Path, **changes: object) -> Order:
    made = Order("control", "a1", target, replace=False, now=NOW, new_id="new-line")
    return replace(made, **changes)  # type: ignore[arg-type] # fields of an order, by the tests


def successor(dead: Machine, target: Path) -> Machine:
    made = dead.twin(target)
    made.now = NOW
    return made


def hosts_of(path: Path) -> list[str]:
    with reading(path) as connection:
        return [slug for (slug,) in connection.execute("SELECT slug FROM routes ORDER BY slug")]
