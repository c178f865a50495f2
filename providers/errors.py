"""What a provider raises, and how it reaches the person who reads the log.

ProviderError
├── GuardRefused    a safety guard refuses the plan
├── ZoneChanged     the fresh read would remove or adopt what this run's plan did not hold
├── EngineGone      the engine that started this process has ended
└── ApplyFailed     part of the work was done, and the message says which
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


class ProviderError(Exception):
    """Base of what a provider refuses or fails at. The message is one line for people."""


class GuardRefused(ProviderError):
    """A safety guard refuses the plan: nothing was changed."""


class ZoneChanged(ProviderError):
    """The live side changed since the program looked: nothing more is removed or adopted."""


class EngineGone(ProviderError):
    """The engine has ended. Nothing is written for nobody."""


class ApplyFailed(ProviderError):
    """The apply ended before it was done."""


@contextmanager
def reported(*expected: type[Exception]) -> Iterator[None]:
    """Let foreseen errors reach the engine without frames: a ``ProviderError``, or an expected one.

    The SDK sends ``traceback.format_exc()``, whatever the exception, once the call has ended. The
    limit of its frames is one for the process, so each call begins by giving the frames back: an
    error that nobody foresaw keeps them.
    """
    vars(sys).pop("tracebacklimit", None)
    try:
        yield
    except ProviderError:
        sys.tracebacklimit = 0
        raise
    except expected as error:
        sys.tracebacklimit = 0
        raise ApplyFailed(str(error)) from None
