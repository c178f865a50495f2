"""The rate limit over all operations of the account."""

import time

from local.zone.faults import error_of
from local.zone.settings import Settings


class TokenBucket:
    """Tokens that come back at the settings' rate, up to their burst."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._tokens = float(settings.burst)
        self._refilled = time.monotonic()

    def take(self, op: str) -> None:
        """Use a token; ApiError Throttling where none is left. A rate of 0 limits nothing."""
        now, rate = time.monotonic(), self._settings.rate
        refilled = self._tokens + (now - self._refilled) * rate
        self._tokens, self._refilled = min(self._settings.burst, refilled), now
        if rate and self._tokens < 1:
            raise error_of("throttle", op)
        self._tokens -= bool(rate)
