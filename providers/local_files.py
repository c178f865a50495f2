"""Files below a folder that are opened without following a link, and replaced whole."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
# Without O_NONBLOCK a FIFO would be waited for; it changes nothing for a file.
_READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_WRITE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK
_LOCK_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK


class NotAFile(OSError):
    """Something else than a file has the name, or one that is too large."""


@contextmanager
def folder(top: Path, names: Sequence[str], *, make: bool = False) -> Iterator[int]:
    """Open a folder below another, each step from the one above; yield its descriptor.

    ``top`` may be a link, nothing below it. ``names`` must be single segments, never ``..``: they
    are checked by whoever gives them. What is missing below ``top`` is made on demand, for its
    owner alone.

    Raises:
        OSError: `FileNotFoundError` where a folder is missing; a link or a file is in the way.
    """
    with ExitStack() as opened:
        descriptor = _opened(opened, os.open(top, os.O_RDONLY | os.O_DIRECTORY))
        for name in names:
            if make:
                _make(name, descriptor)
            descriptor = _opened(opened, os.open(name, _FOLDER_FLAGS, dir_fd=descriptor))
        yield descriptor


def _opened(stack: ExitStack, descriptor: int) -> int:
    stack.callback(os.close, descriptor)
    return descriptor


def _make(name: str, parent: int) -> None:
    with suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=parent)
        os.fsync(parent)


def read_file(name: str, parent: int, limit: int) -> bytes:
    """Return the bytes of a file in an open folder.

    Raises:
        OSError: it is not there, cannot be read, or is a link; `NotAFile` where it is none, or has
            more than ``limit`` bytes.
    """
    with os.fdopen(os.open(name, _READ_FLAGS, dir_fd=parent), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise NotAFile(0, "not a file")
        data = file.read(limit + 1)
    if len(data) > limit:
        raise NotAFile(0, f"over the limit of {limit} bytes")
    return data


def replace_file(name: str, parent: int, data: bytes) -> None:
    """Write a file whole or not at all, and wait until the disk has it.

    Only one at a time may call for one name: the temporary file has one name, too. What a killed
    process left of it is written over.

    Raises:
        OSError: no room, no right; what was there before is there still.
    """
    temporary = f"{name}.new"
    with os.fdopen(os.open(temporary, _WRITE_FLAGS, 0o600, dir_fd=parent), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.rename(temporary, name, src_dir_fd=parent, dst_dir_fd=parent)
    os.fsync(parent)


@contextmanager
def lockable(name: str, parent: int) -> Iterator[int]:
    """Open a file in an open folder by a descriptor of one's own, making an empty one on demand.

    Raises:
        OSError: it cannot be opened, or is a link.
    """
    descriptor = os.open(name, _LOCK_FLAGS, 0o600, dir_fd=parent)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
