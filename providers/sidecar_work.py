"""What a ``SidecarRoutes`` does to a box's registry: reconcile, refresh, forget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from folds.sidecar_plan import SidecarPlan
from folds.sidecars import plan
from providers.engine import Engine
from providers.errors import ApplyFailed, GuardRefused
from providers.sidecar_admission import admissions
from providers.sidecar_inputs import SidecarInputs, SidecarWork, refusals
from providers.sidecar_registry import Change, operation_of, rows_in
from providers.sidecar_removals import decided_again
from providers.sidecar_report import Applied, listing
from registry.connection import reading
from registry.errors import RegistryMissing, WritesStopped
from registry.operations import Result
from registry.writes import apply


def reconcile(inputs: SidecarInputs) -> dict[str, Any]:
    """Make the box's rows what is desired, on a fresh read of them, and return the outputs.

    Whatever fails on its own stops nothing else: all that can be done is done first.

    Raises:
        GuardRefused, EngineGone: nothing was written, or nothing more.
        ControlError, RegistryError: the rows could not be read, or removals not decided again.
        ApplyFailed: what was done, what was not, what was held back, and what to do.
    """
    engine, desired = Engine.of_this_process(), inputs.desired
    fresh = _planned_again(inputs, engine)
    standing = decided_again(fresh.removals, inputs.removals, desired.asked.box)
    changes: tuple[Change, ...] = (*standing.going, *fresh.converges, *fresh.mints)
    made, stopped = _apply(Path(desired.registry), changes, engine)
    done = Applied(made, standing.kept, stopped)
    if lines := (*done.lines, *_no_longer_minted(inputs, fresh)):
        engine.say(listing(lines))
    if failure := done.failure(fresh.failures):
        raise ApplyFailed(failure)
    return _outputs(desired)


def refreshed(props: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the outputs of a box by its old ones; none where the registry is gone.

    Raises:
        RegistryError: it is there, and is none, or cannot be read.
    """
    path = Path(props["registry"])
    try:
        with reading(path):
            return {name: props[name] for name in ("bucket", "box", "registry")}
    except RegistryMissing:
        return None


def forget(props: Mapping[str, Any]) -> None:
    """Say that a box is forgotten: its rows stay, and go on running what they say."""
    Engine.of_this_process().say(
        f"sidecars: box {props['box']} forgotten: the sidecar rows in {props['registry']} stay as"
        " they are, and so does what they run; the platform removes them (carlos remove)"
    )


def _planned_again(inputs: SidecarInputs, engine: Engine) -> SidecarPlan:
    """Plan for the rows as they are now.

    Raises:
        GuardRefused: if a mandatory guard refuses it.
    """
    desired = inputs.desired
    rows = rows_in(Path(desired.registry))
    admitted = admissions(desired.asked, rows, desired.config_gate, engine.require)
    fresh = plan(desired.asked, rows, admitted, inputs.summary.acknowledged)
    if reasons := refusals(fresh.summary):
        raise GuardRefused("sidecars: " + "; ".join(reasons))
    return fresh


def _no_longer_minted(inputs: SidecarInputs, fresh: SidecarPlan) -> Iterator[str]:
    """Say of mints that this run's plan held why the box does not take them after all."""
    refused = fresh.seen.refused
    for host in sorted(inputs.mints & refused.keys()):
        yield f"sidecars: {host} is not minted: {refused[host].reason}"


def _apply(
    path: Path, changes: Sequence[Change], engine: Engine
) -> tuple[tuple[tuple[Change, Result], ...], str]:
    """Make the changes, and return what came of each that was begun, and why the rest was not."""
    if not changes:
        return (), ""
    engine.progress(f"sidecars: writing {len(changes)} rows")
    stopped = ""
    try:
        results = apply(path, [*map(operation_of, changes)], before_write=engine.require)
    except WritesStopped as error:
        results, stopped = error.results, str(error)
    return tuple(zip(changes, results, strict=False)), stopped


def _outputs(desired: SidecarWork) -> dict[str, Any]:
    box = desired.asked.box
    return {"bucket": box.bucket, "box": box.box, "registry": desired.registry}
