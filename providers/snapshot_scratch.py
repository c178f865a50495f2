"""A folder for a snapshot while it is made or looked at; what killed runs left is swept first."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NAME = "fairlead-snapshot-"


@contextmanager
def scratch(place: Path | None = None) -> Iterator[Path]:
    """Make a folder that is the user's alone, and take it away whatever happens (behaviour 47).

    It lies in ``place``, else where temporary folders do. Its name carries the process, so that the
    folder of one that is gone, a whole registry perhaps, is known for what it is and swept.
    """
    place = place or Path(tempfile.gettempdir())
    _sweep(place)
    with tempfile.TemporaryDirectory(prefix=f"{_NAME}{os.getpid()}-", dir=place) as folder:
        yield Path(folder)


def _sweep(place: Path) -> None:
    for left in place.glob(f"{_NAME}*-*"):
        process = left.name.removeprefix(_NAME).partition("-")[0]
        if process.isdecimal() and not _lives(int(process)):
            shutil.rmtree(left, ignore_errors=True)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
