"""What obstore's errors mean. The only place that knows their texts."""

from __future__ import annotations

import re
from typing import Literal

from obstore.exceptions import (
    AlreadyExistsError,
    GenericError,
    InvalidPathError,
    PreconditionError,
)

from control.errors import ObjectNotFound, ReadFailed, StoreUnavailable

_DEBUG = "\n\nDebug source:"
_STATUS = re.compile(r"non-2xx status code: (\d{3})")
_CODE = re.compile(r"<Code>([^<]*)</Code>(?:\s*<Message>([^<]*)</Message>)?")
_KIND = re.compile(r"HttpError \{\s*kind: (\w+)")
_NOISE = re.compile(
    r"^Generic S3 error: | in [\d.]+[^\s\d,]*s\b|, max_retries: \S+ retry_timeout: \S+ (?= - )"
)


def read_failure(key: str, error: Exception) -> ReadFailed:
    """Translate the error of one read: missing, or the store's fault, or this object's."""
    text = str(error)
    if isinstance(error, FileNotFoundError) and "<Code>NoSuchBucket<" not in text:
        return ObjectNotFound(key, "no such object")
    kind = StoreUnavailable if isinstance(error, GenericError) else ReadFailed
    return kind(key, reason_of(error))


def write_refusal(error: Exception) -> Literal["lost", "contended", "vanished", "failed"]:
    """Tell the ways in which a conditional write is refused from failures.

    obstore calls a 409 "already exists", and a 404 a condition that was not met. Of the 409s only
    ConditionalRequestConflict is about this write; a 404 without a bucket is a failure.
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
    """
    if not isinstance(error, (AlreadyExistsError, PreconditionError)):
        return "failed"
    text = str(error).partition(_DEBUG)[0]
    status, code = _STATUS.search(text), _CODE.search(text)
    number, name = status and status.group(1), code.group(1) if code else ""
    if number == "409":
        return "contended" if name in ("", "ConditionalRequestConflict") else "failed"
    if number == "404":
        return "failed" if name == "NoSuchBucket" else "vanished"
    return "vanished" if text.endswith(" not found") else "lost"


def reason_of(error: Exception) -> str:
    """Say what an error means: S3's own code and message where it gave one, else obstore's words.

    Without timings, so that one cause has one text. Raw: it may hold what a server sent.
    """
    text, _, debug = str(error).partition(_DEBUG)
    if code := _CODE.search(text):
        status = _STATUS.search(text)
        said = ": ".join(filter(None, code.groups()))
        said += f" (HTTP {status.group(1)})" if status else ""
        return f"{said}; mend the setting bucket" if code.group(1) == "NoSuchBucket" else said
    said = _NOISE.sub("", text).strip()
    if isinstance(error, InvalidPathError):
        return f"{said}; rename or delete that object"
    kind = _KIND.search(debug)
    return f"{said} ({kind.group(1)})" if kind else said
