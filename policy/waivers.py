"""python -m policy.waivers [FILE ...]: check the waivers, ``exceptions.<stack>.json``.

Without a file it checks those beside it. It says everything that is wrong with any of them. Exit
codes: 0 all is well, 1 something is wrong, 2 a file could not be read.
"""

from __future__ import annotations

import argparse
import sys
from datetime import date, datetime, timezone
from pathlib import Path

from .guards import shown, waiver_mistakes

_PREFIX, _SUFFIX = "exceptions.", ".json"
WRONG, UNREAD = 1, 2


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m policy.waivers", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    own = sorted(Path(__file__).parent.glob(f"{_PREFIX}*{_SUFFIX}"))
    files = parser.parse_args().files or own
    today = datetime.now(timezone.utc).date()
    return max((_check(file, today) for file in files), default=0)


def _check(file: Path, today: date) -> int:
    """Print what is wrong with a file, and return its part of the exit code."""
    try:
        found = _mistakes(file, today)
    except OSError as error:
        print(f"{shown(str(file))}: cannot be read: {error.strerror}", file=sys.stderr)
        return UNREAD
    for mistake in found:
        print(f"{shown(str(file))}: {mistake}", file=sys.stderr)
    if not found:
        print(f"{shown(str(file))}: nothing is wrong on {today}")
    return WRONG if found else 0


def _mistakes(file: Path, today: date) -> tuple[str, ...]:
    text = file.read_bytes()
    stack = file.name.removeprefix(_PREFIX).removesuffix(_SUFFIX)
    if file.name != f"{_PREFIX}{stack}{_SUFFIX}" or not stack:
        return (f"must be named {_PREFIX}<stack>{_SUFFIX}",)
    return waiver_mistakes(text, stack, today)


if __name__ == "__main__":
    sys.exit(main())
