"""The end of a program's process, after all that the engine does."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
from stacks.errors import StillLive
from stacks.native_ending import at_end

def require():
    print("asked")
    if {left}:
        raise StillLive("one set stays live")

at_end(require)
print("over")
"""


@pytest.mark.parametrize(("left", "code"), [(False, 0), (True, 1)])
def test_what_is_asked_at_the_end(left: bool, code: int) -> None:  # noqa: FBT001
    """It is asked once the program is over; if it raises, the process ends badly and says why."""
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(left=left)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == code
    assert ended.stdout.split() == ["over", "asked"]
    assert ended.stderr == ("error: one set stays live\n" if left else "")
