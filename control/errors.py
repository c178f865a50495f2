"""Everything that can go wrong between the control bucket and its documents.

The fields of an error are raw; only its text is escaped, once, by `control.text.printable`.
"""

from __future__ import annotations

from collections.abc import Iterable

from control.text import printable

NAMED_AT_MOST = 20
"""Failing keys that one message names; `ReadsFailed.failures` has all."""
_REASON_CHARACTERS = 500


class ControlError(Exception):
    """Base of every error of the control bucket."""

    def __str__(self) -> str:
        """Return the whole message: one line, escaped."""
        return self._text()

    def _text(self) -> str:
        raise NotImplementedError


class CannotOpen(ControlError):
    """The bucket's setting, region or credentials do not allow a first request."""

    def __init__(self, bucket: str, reason: str) -> None:
        super().__init__(bucket, reason)
        self.bucket, self.reason = bucket, reason

    def _text(self) -> str:
        return f'bucket "{printable(self.bucket)}": {_bounded(self.reason)}'


class ListingFailed(ControlError):
    """A listing did not come back whole. There is no such thing as a partial listing."""

    def __init__(self, prefix: str, reason: str, duty: str = "") -> None:
        super().__init__(prefix, reason, duty)
        self.prefix, self.reason, self.duty = prefix, reason, duty

    def _text(self) -> str:
        return f"{_lead(self.duty)}list {printable(self.prefix)}: {_bounded(self.reason)}"


class ReadFailed(ControlError):
    """One object could not be read."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(key, reason)
        self.key, self.reason = key, reason

    def _text(self) -> str:
        return f"read {printable(self.key)}: {_bounded(self.reason)}"


class ObjectNotFound(ReadFailed):
    """The object is not there: for a key that was listed, it was deleted meanwhile."""


class ObjectTooLarge(ReadFailed):
    """The object is over the size limit, so it was left unread: it cannot be what it should be."""


class StoreUnavailable(ReadFailed):
    """The store itself failed or did not answer, retries included."""


class WriteFailed(ControlError):
    """One object could not be written, or it is not known whether it was."""

    verb = "write"

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(key, reason)
        self.key, self.reason = key, reason

    def _text(self) -> str:
        return f"{self.verb} {printable(self.key)}: {_bounded(self.reason)}"


class DeleteFailed(WriteFailed):
    """One object could not be deleted."""

    verb = "delete"


class WriteConflict(WriteFailed):
    """Somebody else wrote the object each time that this program was about to."""


class ConditionsIgnored(WriteFailed):
    """The store writes what it was asked not to: no two writers are safe from each other there."""


class NotAsWritten(WriteFailed):
    """The store took an object, and shows another one, or none."""


class Malformed(ControlError):
    """An object was read, and is not what its key promises."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(key, reason)
        self.key, self.reason = key, reason

    def _text(self) -> str:
        return f"{printable(self.key)}: {_bounded(self.reason)}"


class ReadsFailed(ControlError):
    """A pass over many objects failed: all failing keys at once, sorted by key."""

    def __init__(self, failures: Iterable[ReadFailed | Malformed], duty: str = "") -> None:
        self.failures = tuple(sorted(failures, key=lambda failure: failure.key))
        self.duty = duty
        super().__init__(self.failures, duty)

    @property
    def keys(self) -> tuple[str, ...]:
        """Every failing key, sorted."""
        return tuple(failure.key for failure in self.failures)

    def _text(self) -> str:
        named = [str(failure) for failure in self.failures[:NAMED_AT_MOST]]
        more = len(self.failures) - len(named)
        return _lead(self.duty) + "; ".join(named) + (f"; and {more} more" if more else "")


def _lead(duty: str) -> str:
    return f"{duty}: " if duty else ""


def _bounded(reason: str) -> str:
    shown = printable(reason)
    return shown if len(shown) <= _REASON_CHARACTERS else f"{shown[:_REASON_CHARACTERS]}..."
