"""What speaks on the box itself against a mint: a staged co-spawn, or the configuration gate."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from folds.sidecar_changes import Admission
from folds.sidecar_desired import Box, SidecarDesired, Wanted
from folds.sidecar_rows import Rows, row_for
from folds.sidecars import candidates
from providers.sidecar_gate import ask_gate

AT_ONCE = 8
"""Gate commands that run side by side."""
_SUFFIX = "-sidecar.env"


def admissions(
    desired: SidecarDesired,
    rows: Rows,
    gate: Sequence[str] = (),
    before_each: Callable[[], None] = lambda: None,
) -> tuple[Admission, ...]:
    """Find out for each host that would get a row whether it may, in the order of the hosts.

    ``gate`` is the command of the configuration gate, or empty: it is asked only for a host without
    a row (behaviour 117) and without a staged co-spawn. ``before_each`` may end the asking: what it
    raises passes through.
    """
    found = candidates(desired, rows)
    one = partial(_admission, box=desired.box, gate=gate, before_each=before_each)
    if not gate:
        return tuple(map(one, found))
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="gate") as pool:
        return tuple(pool.map(one, found))


def co_spawn_staged(data_dir: str, host: str) -> bool:
    """Say whether a host has a file-staged co-spawn already (behaviour 91).

    In doubt it has: not to mint can be made good, a second mechanism beside the first cannot.
    """
    try:
        os.stat(f"{data_dir or '.'}/{host}{_SUFFIX}")  # noqa: PTH116 - a Path takes 7 times as long
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return True


def _admission(
    wanted: Wanted, *, box: Box, gate: Sequence[str], before_each: Callable[[], None]
) -> Admission:
    if co_spawn_staged(box.data_dir, wanted.host):
        return Admission(wanted.host, staged=True)
    if not gate:
        return Admission(wanted.host)
    before_each()
    return Admission(wanted.host, refusal=ask_gate(gate, row_for(wanted, box)))
