"""What a ``SidecarRoutes`` does to a box's registry: reconcile, refresh, forget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from control.bucket import open_bucket, open_hasty
from folds.sidecar_plan import SidecarPlan
from folds.sidecar_questions import questions
from folds.sidecar_text import word
from folds.sidecars import plan
from policy.guards.words import count
from providers.claimed_box import ClaimedBox, claimed_box
from providers.engine import Engine
from providers.errors import ApplyFailed, GuardRefused
from providers.sidecar_admission import admissions
from providers.sidecar_authorities import authorities
from providers.sidecar_claimed import ClaimedChanges
from providers.sidecar_inputs import SidecarInputs, SidecarWork, refusals
from providers.sidecar_registry import Change, operation_of, rows_in
from providers.sidecar_removals import decided_again
from providers.sidecar_report import Applied, listing
from registry.connection import reading
from registry.errors import RegistryMissing, WritesStopped
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
    claimed = _claimed(desired, engine)
    fresh = _planned_again(inputs, engine, claimed)
    standing = decided_again(fresh.removals, inputs.removals, desired.asked.box)
    changes: list[Change] = [*standing.going, *fresh.holds, *fresh.converges, *fresh.mints]
    if claimed is None:
        made = _apply(Path(desired.registry), changes, engine)
    else:
        under = ClaimedChanges.of(fresh, Path(desired.registry), claimed, engine.require)
        made = under.make(changes)
    done = replace(made, kept=(*standing.kept, *made.kept))
    if lines := (*done.lines, *_no_longer_made(inputs, fresh)):
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


def _claimed(desired: SidecarWork, engine: Engine) -> ClaimedBox | None:
    """Put together what reads and honours claims; None where claims are off."""
    box = desired.asked.box
    if not box.claims:
        return None
    store, last_look = open_bucket(box.bucket), open_hasty(box.bucket)
    return claimed_box(box, Path(desired.registry), store, last_look, engine.require)


def _planned_again(
    inputs: SidecarInputs, engine: Engine, claimed: ClaimedBox | None
) -> SidecarPlan:
    """Plan for the rows and claims as they are now.

    Raises:
        GuardRefused: if a mandatory guard refuses it.
    """
    desired, acknowledged = inputs.desired, inputs.summary.acknowledged
    rows = rows_in(Path(desired.registry))
    admitted = admissions(desired.asked, rows, desired.config_gate, engine.require)
    fresh = plan(desired.asked, rows, admitted, acknowledged)
    if claimed:
        said = authorities(questions(fresh), desired.asked.box, claimed)
        fresh = plan(desired.asked, rows, admitted, acknowledged, said)
    if reasons := refusals(fresh.summary):
        raise GuardRefused("sidecars: " + "; ".join(reasons))
    return fresh


def _no_longer_made(inputs: SidecarInputs, fresh: SidecarPlan) -> Iterator[str]:
    """Say of changes that this run's plan held why they are not made after all."""
    refused, withheld = fresh.seen.refused, fresh.seen.allowed.withheld
    for host in sorted(inputs.mints & refused.keys()):
        yield f"sidecars: {host} is not minted: {refused[host]}"
    for host in sorted(inputs.changed & withheld.keys()):
        yield f"sidecars: {word(host)} is left as it is: {withheld[host]}"


def _apply(path: Path, changes: Sequence[Change], engine: Engine) -> Applied:
    """Make the changes, and say what came of each that was begun, and why the rest was not."""
    if not changes:
        return Applied()
    engine.progress(f"sidecars: writing {count(len(changes), 'row')}")
    stopped = ""
    try:
        results = apply(path, [*map(operation_of, changes)], before_write=engine.require)
    except WritesStopped as error:
        results, stopped = error.results, str(error)
    return Applied(tuple(zip(changes, results, strict=False)), stopped=stopped)


def _outputs(desired: SidecarWork) -> dict[str, Any]:
    box = desired.asked.box
    return {"bucket": box.bucket, "box": box.box, "registry": desired.registry}
