"""Speed as a user sees it: both realizers and octoDNS on one emulator, with as many record sets.

Every side is its own command, start included: ``pulumi up --skip-preview``, or ``octodns-sync``.
Fairlead's sets are latency sets with a health check, out of a bucket that it reads over HTTP;
octoDNS's are A records out of a file, plain or with a health check. The emulator holds all of them
to the quota of 200 health checks. docs/performance.md has one run's tables.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass

from local.zone import ZoneEmulator
from tests.bench._octodns import OctoDns
from tests.bench._realizers import Costs, Ground, Step, ground, measure

SIZES = (100, 500, 2000)
LARGEST, BOXES = 9000, 4
SLOWEST_LARGEST, FASTER_THAN_NATIVE = 1.5, 20  # times, to create
_STEPS = ("create", "unchanged", "replace")


@dataclass(frozen=True)
class Side:
    """One tool at one size: what each step cost, and the bytes of its state, 0 for none."""

    tool: str
    sets: int
    steps: dict[str, Step]
    state: int = 0


def run() -> None:
    """Print a table for each size, and the ratios that have a target."""
    with ground() as made:
        if made is None:
            sys.stdout.write("there is no engine: run `make setup`\n")
            return
        batch, octo = _ours(measure(made, "batch", LARGEST, boxes=BOXES)), _octodns(made, LARGEST)
        _print((batch, octo))
        _ratio("batch takes", batch, octo, f"octoDNS's time (target at most {SLOWEST_LARGEST})")
        for sets in SIZES:
            _size(made, sets)


def _size(made: Ground, sets: int) -> None:
    """Compare all of them."""
    batch, native = _ours(measure(made, "batch", sets)), _ours(measure(made, "native", sets))
    _print((batch, native, _octodns(made, sets), _octodns(made, sets, checked=True)))
    _ratio("native takes", native, batch, f"batch's time (target at 2,000: {FASTER_THAN_NATIVE})")


def _ours(costs: Costs) -> Side:
    return Side(costs.realizer, costs.sets, costs.steps, costs.state)


def _octodns(made: Ground, sets: int, *, checked: bool = False) -> Side:
    tool = "octoDNS, checked" if checked else "octoDNS"
    with ZoneEmulator(insync_after=0) as zone:
        octo = OctoDns.of(made.folder / f"{tool}-{sets}", zone)
        octo.want(sets, "192.0.2.1", checked=checked)
        steps = {"create": octo.sync()}
        if not steps["create"].done:
            return Side(tool, sets, steps)
        steps["unchanged"] = octo.sync()
        octo.want(sets, "192.0.2.200", checked=checked)
        steps["replace"] = octo.sync()
        answers = octo.addresses()
    if answers != ({"192.0.2.200"} if steps["replace"].done else {"192.0.2.1"}):
        raise RuntimeError(f"{tool} left {sorted(answers)}")
    return Side(tool, sets, steps)


def _print(sides: Iterable[Side]) -> None:
    lines = [
        "| sets | tool | create | unchanged | replace | state |",
        "|---:|---|---|---|---|---:|",
    ]
    for side in sides:
        cells = " | ".join(_cell(side.steps.get(name)) for name in _STEPS)
        state = f"{side.state / 1024:.0f} KiB" if side.state else "-"
        lines.append(f"| {side.sets} | {side.tool} | {cells} | {state} |")
    sys.stdout.write("\n".join([*lines, "", ""]))
    sys.stdout.flush()


def _cell(step: Step | None) -> str:
    if step is None:
        return "-"
    time = f"{step.seconds:.1f} s" if step.done else "refused"
    return f"{time}, {step.calls} calls"


def _ratio(what: str, one: Side, other: Side, of: str) -> None:
    ratio = one.steps["create"].seconds / other.steps["create"].seconds
    sys.stdout.write(f"to create {one.sets} sets {what} {ratio:.1f} times {of}\n\n")
    sys.stdout.flush()


if __name__ == "__main__":
    run()
