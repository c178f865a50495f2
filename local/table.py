"""What is live in a zone as one table: who answers for each host in each region, and what is not.

Pure: from values to text. Everything in it is somebody else's text, so every cell is escaped.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address

from control.text import printable
from folds.checks import owner
from folds.desired import Edge, Refusal
from folds.report import remarks
from folds.zone import LiveCheck, LiveSet, LiveZone


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a stack's outputs say besides the zone; see the outputs of the same names."""

    prefix: str
    serving: tuple[Edge, ...]
    standby: tuple[Edge, ...]
    refused: tuple[Refusal, ...]
    held: tuple[str, ...]


def render(live: LiveZone, outcome: Outcome) -> str:
    """Return the table of the managed sets, then their health checks, then what is left out."""
    managed = [each for each in live.sets if each.managed(outcome.prefix)]
    checks = _checks(live, managed, outcome.prefix)
    numbers = {check.id: f"#{number}" for number, check in enumerate(checks, 1)}
    parts = [
        aligned(_hosts(managed, outcome.prefix, numbers)),
        aligned(_probes(checks, numbers)),
        "\n".join(remarks(outcome)),
    ]
    return "\n\n".join(filter(None, parts)) or "nothing is managed here"


def _hosts(
    managed: Sequence[LiveSet], prefix: str, numbers: Mapping[str, str]
) -> Iterator[list[str]]:
    cells: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in sorted(managed, key=lambda live: live.key):
        box = each.set_identifier.removeprefix(prefix)
        check = numbers.get(each.health_check_id, "no check")
        cells[each.name, each.region].append(f"{box} {','.join(each.values)} {check}")
    regions = sorted({region for _, region in cells})
    if cells:
        yield ["host", *regions]
    for name in sorted({name for name, _ in cells}):
        yield [name, *(" / ".join(cells.get((name, region), ["-"])) for region in regions)]


def _checks(live: LiveZone, managed: Iterable[LiveSet], prefix: str) -> list[LiveCheck]:
    """Return the deployment's own checks and those that its sets refer to, by address."""
    mine = owner(live.zone_id, prefix)
    referred = {each.health_check_id for each in managed}
    shown = [c for c in live.checks if c.id in referred or c.caller_reference.startswith(mine)]
    return sorted(shown, key=lambda check: (_order(check.address), check.id))


def _order(address: str) -> tuple[int, int]:
    """Order addresses by number; a check of a name alone comes first."""
    if not address:
        return (0, 0)
    parsed = ip_address(address)
    return (parsed.version, int(parsed))


def _probes(checks: Iterable[LiveCheck], numbers: Mapping[str, str]) -> Iterator[list[str]]:
    if numbers:
        yield ["check", "address", "health check", "", "id"]
    for each in checks:
        probe = f"{each.type} port {each.port} {each.path}".rstrip()
        rhythm = f"every {each.interval} s, {each.failure_threshold} failures"
        yield [numbers[each.id], each.address, probe, rhythm, each.id]


def aligned(rows: Iterable[Sequence[str]]) -> str:
    """Return rows of equally many cells as lines of aligned columns, every cell escaped."""
    shown = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in shown
    )
    return "\n".join(line.rstrip() for line in lines)
