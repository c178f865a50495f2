"""The operator's one-run word for one end: ``FAIRLEAD_ACKNOWLEDGE=<digest>.<expiry>``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from stacks.errors import AcknowledgementInvalid

VARIABLE = "FAIRLEAD_ACKNOWLEDGE"
LONGEST = timedelta(days=7)
OFFERED = timedelta(hours=24)
_FORM = re.compile(r"([0-9a-f]{12})\.([0-9]{8}T[0-9]{6}Z)")
_STAMP = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """The digest that counts in this run, or empty, and what to warn of."""

    digest: str = ""
    warning: str = ""


def read(value: str, now: datetime) -> Acknowledgement:
    """Read the variable's value; empty means none. ``now`` has a time zone.

    An expired one, or one over 7 days ahead, counts for nothing and is warned of.

    Raises:
        AcknowledgementInvalid: if it is not of the form.
    """
    text = value.strip()
    if not text:
        return Acknowledgement()
    expiry = _expiry(text)
    digest = text.partition(".")[0]
    if expiry <= now:
        return Acknowledgement(warning=f"{VARIABLE}: {digest} expired at {expiry:{_STAMP}}")
    if expiry - now > LONGEST:
        return Acknowledgement(
            warning=f"{VARIABLE}: {digest} expires at {expiry:{_STAMP}}, limit 7 days ahead;"
            " it counts for nothing"
        )
    return Acknowledgement(digest=digest)


def offered(digest: str, now: datetime) -> str:
    """Return the value that lets a digest through for 24 hours."""
    return f"{VARIABLE}={digest}.{now.astimezone(timezone.utc) + OFFERED:{_STAMP}}"


def _expiry(text: str) -> datetime:
    form = _FORM.fullmatch(text)
    try:
        if form:
            return datetime.strptime(form[2], _STAMP).replace(tzinfo=timezone.utc)
    except ValueError as error:
        raise _invalid() from error
    raise _invalid()


def _invalid() -> AcknowledgementInvalid:
    return AcknowledgementInvalid(
        f"{VARIABLE} is not <12 hex digits>.<YYYYMMDDTHHMMSSZ>; take it from the refusal,"
        " or from python -m operate digest"
    )
