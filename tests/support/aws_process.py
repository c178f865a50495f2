"""The test's own pulumi-aws as a process, and how the engine finds it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.checkout import CHECKOUT

ATTACHED = "PULUMI_DEBUG_PROVIDERS"
"""The variable that names a provider which runs already."""


@contextmanager
def aws_process() -> Iterator[dict[str, str]]:
    """Run one while the context lasts; return the variable that attaches the engine to it."""
    command = [sys.executable, "-m", "tests.support.aws_provider"]
    with subprocess.Popen(
        command, cwd=CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdin
        yield {ATTACHED: f"aws:{process.stdout.readline().strip()}"}
        process.stdin.close()
