"""Calls to Route 53: what may be tried again, and what must never be sent twice."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import boto3
from botocore.config import Config
from tenacity import RetryCallState, Retrying, retry_if_exception_type, wait_random_exponential

from control.text import printable
from route53.errors import NotSent, Rejected, Throttled, Unavailable
from route53.vendor import VendorError, translate

if TYPE_CHECKING:
    from mypy_boto3_route53 import Route53Client

BUDGET = 120.0  # seconds of trying one call again: Route 53 allows 5 calls a second and account
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 20.0  # seconds, each the upper end of a random wait
_HOME = "us-east-1"  # Route 53 is global and signs for this region


def make_client(*, connect_timeout: float = 5.0, read_timeout: float = 60.0) -> Route53Client:
    """Build a boto3 client that tries each call once; ``Calls`` is what tries again.

    Credentials, profile, region and the variables ``AWS_ENDPOINT_URL_ROUTE_53`` and
    ``AWS_ENDPOINT_URL`` are boto3's own business. Timeouts are in seconds.

    Raises:
        AccessRefused: if the profile is unknown.
        Rejected: if the endpoint is no URL, or boto3's configuration is not valid.
    """
    config = Config(
        connect_timeout=connect_timeout,
        read_timeout=read_timeout,
        retries={"total_max_attempts": 1, "mode": "standard"},
    )
    try:
        session = boto3.Session()
        return session.client("route53", region_name=session.region_name or _HOME, config=config)
    except VendorError as error:
        raise translate(error, "the AWS client", write=False) from error
    except ValueError as error:  # what botocore raises for an endpoint
        reason = printable(str(error))
        raise Rejected("the AWS client", reason, "mend AWS_ENDPOINT_URL_ROUTE_53") from error


def _nothing() -> None:
    """Let every write pass."""


class Calls:
    """Every call goes through here, and only here is one repeated.

    ``before_write`` is asked before each try of a write and raises to stop it. ``budget`` is in
    seconds for each call, its tries and waits together; ``sleep`` is what waits.
    """

    def __init__(
        self,
        client: Route53Client,
        *,
        before_write: Callable[[], None] = _nothing,
        budget: float = BUDGET,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.sleep = sleep
        self._client, self._before_write, self._budget = client, before_write, budget

    def read(self, method: str, subject: str, **arguments: Any) -> dict[str, Any]:
        """Call a reading method of the client, until it answers or the budget is spent.

        ``subject`` is what the call is for, in the words of its error message.

        Raises:
            Route53Error: Unavailable, AccessRefused, ZoneNotFound or Rejected.
        """
        retrying = self._retrying(Unavailable)
        return retrying(self._once, method, subject, arguments, write=False)

    def write(self, method: str, subject: str, **arguments: Any) -> dict[str, Any]:
        """Call a writing method: again only after an answer which says that nothing was applied.

        Raises:
            LostAnswer: after a 5xx or a lost connection: it may be applied.
            Route53Error: any other; nothing was applied.
        """
        retrying = self._retrying(Throttled, NotSent)
        return retrying(self._once, method, subject, arguments, write=True)

    def _once(
        self, method: str, subject: str, arguments: dict[str, Any], *, write: bool
    ) -> dict[str, Any]:
        if write:
            self._before_write()
        try:
            answer: dict[str, Any] = getattr(self._client, method)(**arguments)
        except VendorError as error:
            raise translate(error, subject, write=write) from error
        return answer

    def _retrying(self, *again: type[Exception]) -> Retrying:
        return Retrying(
            retry=retry_if_exception_type(again),
            wait=wait_random_exponential(multiplier=_FIRST_WAIT, max=_LONGEST_WAIT),
            stop=self._spent,
            sleep=self.sleep,
            reraise=True,
        )

    def _spent(self, state: RetryCallState) -> bool:
        """Say whether the next wait would end after the budget."""
        elapsed = max(state.seconds_since_start or 0.0, state.idle_for)
        return elapsed + state.upcoming_sleep > self._budget
