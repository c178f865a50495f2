"""How a native run ends once the engine has made its deletions: the program is over by then.

The SDK keeps the program's process until the engine is done, so that hooks can be asked, and the
run fails if that process then ends badly: `resmon.Cancel` in
https://github.com/pulumi/pulumi/blob/v3.274.1/pkg/resource/deploy/source_eval.go.
Nothing of the SDK's is called in between, but an exit handler is.
"""

from __future__ import annotations

import os
import sys
from atexit import register
from collections.abc import Callable

from stacks.errors import StillLive

_FAILED = 1


def at_end(require: Callable[[], None]) -> None:
    """Ask something when all is done, and fail the run if it raises `StillLive`."""
    register(_end, require)


def _end(require: Callable[[], None]) -> None:
    try:
        require()
    except StillLive as error:
        sys.stderr.write(f"error: {error}\n")
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(_FAILED)  # an exit handler has no other way to say so
