"""What a piece of work opens, as the audit hook and the system itself tell it."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

_WATCHED = {"open", "os.mkdir", "os.rename", "os.remove", "os.symlink", "os.link", "os.listdir"}
_LISTENING: list[list[str]] = []


@dataclass
class Opened:
    """``all``: every path named to the system. ``real``: where each opened descriptor led."""

    all: list[str] = field(default_factory=list)
    real: set[str] = field(default_factory=set)


def _hook(event: str, given: tuple[Any, ...]) -> None:
    if event in _WATCHED:
        for seen in _LISTENING:
            seen.append(os.fsdecode(given[0]) if not isinstance(given[0], int) else str(given[0]))


sys.addaudithook(_hook)  # for good: a hook cannot be taken away


def opened_paths(patch: pytest.MonkeyPatch) -> Opened:
    """Record from now on until the patches are taken back."""
    found, real = Opened(), os.open

    def opening(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        descriptor = real(path, flags, mode, dir_fd=dir_fd)
        found.real.add(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
        return descriptor

    patch.setattr(os, "open", opening)
    patch.setattr(sys.modules[__name__], "_LISTENING", [*_LISTENING, found.all])
    return found
