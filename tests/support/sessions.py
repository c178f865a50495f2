"""Sessions of a page: its commands are typed, and what it shows is looked for in their output."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tests.support.checkout import Checkout

_EXPIRY = re.compile(r"\d{8}T\d{6}Z")
_TAKEN = re.compile(r"\d{4}(-\d\d){2}T[\d:.]+Z +\d+ \w+ old +")
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_FAILS = "# exit code 1"


def shown(text: str) -> list[str]:
    """Return the lines of a text; what differs between two runs is masked."""
    masked = _ID.sub("<id>", _TAKEN.sub("<taken> ", _EXPIRY.sub("<expiry>", text)))
    return [line.strip() for line in masked.splitlines() if line.strip() not in ("", "...")]


def run_block(
    checkout: Checkout, commands: str, before: str, more: Mapping[str, str] | None = None
) -> str:
    """Run a block's commands; a time in them is the one that was offered in the output before."""
    output = ""
    for command in commands.splitlines():
        offered = _EXPIRY.search(before)
        done = checkout.run(_EXPIRY.sub(offered[0], command) if offered else command, more)
        assert done.returncode == (_FAILS in command), f"{command}\n{done.stdout}"
        output += done.stdout
    return output


def assert_shows(output: str, excerpt: str) -> None:
    """Every line of the excerpt is part of a line of the output, in the same order."""
    lines = iter(shown(output))
    for wanted in shown(excerpt):
        assert any(wanted in line for line in lines), f"not shown: {wanted}\n{output}"
