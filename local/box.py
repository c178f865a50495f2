"""What is asked of the demo's box, what it has, and what its snapshot is worth: only looked at."""

from __future__ import annotations

from datetime import datetime, timezone
from functools import partial

from control.bucket import open_bucket, open_writable
from control.sidecar_scan import read_sidecars
from control.snapshot_keys import generation_prefix, generations
from folds.sidecar_changes import Verdict
from folds.sidecar_placement import concerns
from folds.sidecar_rows import Rows
from folds.sidecar_standing import desired_of
from folds.sidecars import plan
from local.box_table import Shown
from local.demo_box import BOX, REGISTRY
from operate.ages import age
from operate.snapshot_source import Search
from providers.sidecar_admission import admissions
from providers.sidecar_registry import rows_in
from providers.snapshot_scratch import scratch


def verdicts() -> tuple[Verdict, ...]:
    """Return what a run would do now with every record, and with every row of a sidecar.

    Raises:
        ControlError, RegistryError: if either cannot be read.
    """
    documents = read_sidecars(open_bucket(BOX.bucket), concerns=partial(concerns, box=BOX))
    desired, found = desired_of(documents, BOX), rows()
    return plan(desired, found, admissions(desired, found)).verdicts


def rows() -> Rows:
    """Return the rows of the registry. Raises `RegistryError` if they cannot be read."""
    return rows_in(REGISTRY)


def snapshot() -> Shown:
    """Fetch and verify what a restore of the box would take.

    Raises:
        ControlError, OperateError: there is none, it is not whole, or it cannot be read.
    """
    store = open_writable(BOX.bucket)
    kept = generations(BOX.box, store.list(generation_prefix(BOX.box))).keys
    with scratch() as folder:
        source = Search(store, BOX.bucket, BOX.box, folder).newest()
    return Shown(
        key=source.fetched.key,
        created_at=source.meta.created_at,
        age=age(source.meta, datetime.now(timezone.utc)),
        generations=len(kept),
        routes=source.fetched.file.routes,
        passed_over=source.passed_over,
    )
