"""What an operator's command ends with beside the errors of the packages it calls.

OperateError
├── PulumiFailed       the CLI gave an error; carries what it said
├── OutputsUnreadable  a stack's outputs are not those of its program
├── PreviewUnreadable  a file is not the output of a preview that succeeded
├── ZoneNotNamed       the stack is dormant, or what was given is no zone id
├── KeptByEngine       the stack's own run is what takes its records out of the zone
├── BucketNotNamed     neither a bucket nor a stack that has one
├── NoSnapshot         the bucket holds nothing of this box
├── WrongBox           the snapshot under a box's name says that it is another box's
├── NothingVerifies    there are snapshots, and none of them is whole
├── TargetTaken        a file is where a registry is to be restored to
├── ClaimsOff          the stack is none of a box that works under claims
└── RestoreFailed      the operating system did not let it into its place
"""

from __future__ import annotations

from control.text import printable


class OperateError(Exception):
    """Base of them all. The message is one line."""


class PulumiFailed(OperateError):
    """The CLI could not answer."""

    def __init__(self, words: tuple[str, ...], said: str) -> None:
        last = [line for line in said.splitlines() if line.strip()][-1:] or ["no output"]
        super().__init__(f"pulumi {' '.join(words)}: {printable(last[0].removeprefix('error: '))}")


class OutputsUnreadable(OperateError):
    """The outputs of a stack have not the form that its program gives them."""


class PreviewUnreadable(OperateError):
    """A file is not what ``pulumi preview --json`` prints when all is well."""


class ZoneNotNamed(OperateError):
    """There is no zone to work on."""


class KeptByEngine(OperateError):
    """The realizer native: what this command would remove, the state would still hold."""


class BucketNotNamed(OperateError):
    """There is no bucket to look into."""


class NoSnapshot(OperateError):
    """There is nothing of this box, and that is known for certain."""


class WrongBox(OperateError):
    """A snapshot says that it is another box's."""


class NothingVerifies(OperateError):
    """No snapshot of the box is whole; the message says what is wrong with each."""


class TargetTaken(OperateError):
    """A registry, or a side file of one, is where another is to be put."""


class RestoreFailed(OperateError):
    """A restored file could not be put into its place."""


class ClaimsOff(OperateError):
    """The stack is no sidecars stack, or its claims are off."""
