"""The end of a native run: whether the zone is what the run was for, once the engine is done.

The engine compares with its state, and deletes after the program is over. The SDK keeps the
program's process until then, so that hooks can be asked, and the run fails if the process then ends
badly: `resmon.Cancel` in
https://github.com/pulumi/pulumi/blob/v3.274.1/pkg/resource/deploy/source_eval.go.
Nothing of the SDK's is called in between, but an exit handler is.
"""

from __future__ import annotations

import os
import sys
from atexit import register
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType

from folds.changes import SWEEP
from route53.errors import Route53Error
from stacks.errors import NotDone
from stacks.notices import deleting_check

_FAILED = 1


def at_end(zone: str, left: Callable[[], tuple[str, ...]]) -> None:
    """When all is done, ask for the lines of what is left to do, and fail the run if there are any.

    It fails, too, if ``left`` raises anything: then nobody knows.
    """
    register(_end, zone, left)


def _end(zone: str, left: Callable[[], tuple[str, ...]]) -> None:
    with ExitStack() as ending:
        ending.push(_fail)
        _require_none(zone, left())


def _fail(
    kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
) -> None:
    """End the process badly, if anything was raised: Python would only print it, and end with 0."""
    if kind is None or error is None:
        return
    if isinstance(error, (NotDone, Route53Error)):
        sys.stderr.write(f"error: {error}\n")
    else:
        sys.excepthook(kind, error, trace)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(_FAILED)  # an exit handler has no other way to say so


def _require_none(zone: str, lines: tuple[str, ...]) -> None:
    if lines:
        raise NotDone(
            f"steering: zone {zone}: {len(lines)} differences stay, limit 0 (the first:"
            f' "{lines[0]}"): unless something above failed, this stack\'s state does not know what'
            f" is live; {_way_out(lines[0])}; or --target, --exclude or --run-program left them out"
        )


def _way_out(line: str) -> str:
    if line.startswith(SWEEP):
        return f"delete it: {deleting_check(line.removeprefix(SWEEP).split()[0])}"
    return "take what is to go out of the zone by hand, pulumi up --refresh mends the rest"
