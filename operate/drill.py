"""``drill``: restore a box's current snapshot into a temporary file, and see if it is whole."""

from __future__ import annotations

from datetime import datetime

from control.text import printable
from control.writes import WriteStore
from folds.snapshots import routes
from operate.ages import age
from operate.snapshot_source import Search
from providers.snapshot_scratch import scratch


def drill(store: WriteStore, *, bucket: str, box: str, now: datetime) -> int:
    """Fetch and verify what a restore would take, and print its age and its routes.

    Returns:
        0 if the current snapshot is whole, 1 if a restore would have to pass something over.

    Raises:
        OperateError: there is no snapshot, it is another box's, or none is whole.
        ControlError: the bucket could not be read.
    """
    with scratch() as folder:
        source = Search(store, bucket, box, folder).newest()
    for line in source.passed_over:
        print(f"not whole: {line}")
    file = source.fetched.file
    verdict = "whole" if source.is_current else "all that a restore would find"
    print(
        f"box {box}: {source.fetched.key} is {verdict}: {routes(file.routes)}, taken"
        f" {printable(source.meta.created_at)} ({age(source.meta, now)}), {file.size} bytes,"
        f" fingerprint {file.fingerprint[:12]}"
    )
    return 0 if source.is_current else 1
