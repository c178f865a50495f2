"""What the embedded default refuses or fails at.

LocalError
├── NotRunning          a stack of this checkout is addressed, and its bucket and zone do not run
├── NoteDamaged         a file in `.local`, written for a later command, is not as it was written
├── EmulatorNotStarted  an emulator ended or did not answer at its start
├── ObjectMissing       a command names an object that the bucket does not hold
├── BucketUnreachable   the emulated bucket refused a request, or does not answer
├── AnswerUnreadable    the engine ended well and printed something else than was asked for
├── EngineFailed        the engine ended with an error; carries its exit code
└── StacksFailed        some of the stacks; carries the exit code of the first
"""

from __future__ import annotations

from collections.abc import Mapping


class LocalError(Exception):
    """Base of them all. The message is one line and names the way out."""


class NotRunning(LocalError):
    """There is nothing to talk to."""


class NoteDamaged(LocalError):
    """Nobody knows what runs."""


class EmulatorNotStarted(LocalError):
    """An emulator did not come up; the message names its log."""


class ObjectMissing(LocalError):
    """No object has this key."""


class BucketUnreachable(LocalError):
    """The bucket gave an error, or none at all."""


class AnswerUnreadable(LocalError):
    """Nobody knows what the engine says."""


class EngineFailed(LocalError):
    """The engine said why on its own; ``code`` is its exit code, 1 to 255."""

    def __init__(self, what: str, code: int) -> None:
        super().__init__(f"{what} ended with exit code {code}")
        self.code = code


class StacksFailed(LocalError):
    """Some stacks failed, the others ran; ``code`` is the first failure's, 1 where it has none."""

    def __init__(self, failures: Mapping[str, Exception]) -> None:
        """Take the failures by stack, in the order of the runs; there is at least one."""
        super().__init__("; ".join(f"{stack}: {failure}" for stack, failure in failures.items()))
        first = next(iter(failures.values()))
        self.code = first.code if isinstance(first, EngineFailed) else 1
