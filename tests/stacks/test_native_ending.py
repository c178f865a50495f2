"""The end of a program's process, after all that the engine does."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
from route53.errors import Throttled
from stacks.native_ending import at_end

def left():
    print("asked")
    {body}

at_end("Z1", left)
print("over")
"""


def _ended(body: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM.format(body=body)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return ()", ""),
        (
            "return ('- one', '- two')",
            'error: steering: zone Z1: 2 differences stay, limit 0 (the first: "- one")',
        ),
        (
            "return ('- health check id-1 192.0.2.1',)",
            'error: steering: zone Z1: 1 differences stay, limit 0 (the first: "- health check id-1'
            " 192.0.2.1\"): unless something above failed, this stack's state does not know what is"
            " live; delete it: aws route53 delete-health-check --health-check-id id-1; or --target",
        ),
        ("raise Throttled('zone Z1', 'slow down')", "error: zone Z1: slow down; run it again"),
    ],
    ids=["nothing is left", "something is left", "a check is left", "nobody knows"],
)
def test_what_is_left_at_the_end(body: str, said: str) -> None:
    """It is asked once the program is over; the process ends badly unless nothing is left."""
    ended = _ended(body)
    assert ended.returncode == bool(said)
    assert ended.stdout.split() == ["over", "asked"]
    assert ended.stderr.startswith(said)
    assert len(ended.stderr.splitlines()) == bool(said)


@pytest.mark.parametrize("raised", ["KeyError('Id')", "KeyboardInterrupt()", "SystemExit(0)"])
def test_an_end_that_nobody_foresaw(raised: str) -> None:
    """It ends badly too, with its traceback: of what an exit handler raises Python says 0."""
    ended = _ended(f"raise {raised}")
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].startswith(raised.partition("(")[0])
