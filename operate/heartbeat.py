"""``status --max-age``: one line and an exit code for the monitoring, from the stack's history."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from operate.ages import amount
from operate.answers import PREVIEW, read
from operate.errors import PreviewUnreadable
from operate.stack import Stack
from operate.status import Status, status_of

DEFAULT = "2h"
CLOCKS = timedelta(minutes=5)
"""How far two machines' clocks may be apart: an update further in the future is not believed."""
RECENT = 20
"""Entries of the history that are looked at: a failing stack has one for each try."""
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


@dataclass(frozen=True, slots=True)
class Watch:
    """What is demanded of a stack. ``changes`` counts what a preview would do; none was made."""

    max_age: timedelta
    changes: int | None = None


def heartbeat(stack: Stack, now: datetime, max_age: timedelta, preview: Path | None) -> int:
    """Print one line: how old the last successful update is, or what is wrong.

    ``preview`` is the output of ``pulumi preview --json``: a stack with something to do is not
    well either.

    Returns:
        0 if the last update succeeded, is not older than ``max_age``, and nothing is to be done;
        else 1.

    Raises:
        OperateError: if the CLI does not answer, or the preview cannot be read.
    """
    watch = Watch(max_age, None if preview is None else changes_in(preview))
    found = status_of(stack.name, stack.history(RECENT), {})
    wrong = ailment(found, now, watch)
    good = found.last_converged
    age = f"; last successful update {_ago(good, now)}" if good else ""
    print(f"stack {stack.name}: {wrong or 'well'}{age}")
    return 1 if wrong else 0


def ailment(found: Status, now: datetime, watch: Watch) -> str:
    """Return what is wrong with a stack, the worst of it, or an empty text."""
    if not found.last_result:
        return "never updated"
    if not found.converged:
        return f"last update {found.last_result} {_ago(found.last_update, now)}"
    age = now - datetime.fromisoformat(found.last_converged)
    if age > watch.max_age:
        return f"too old, limit {amount(watch.max_age)}"
    if age < -CLOCKS:
        return "of the future, see the clocks"
    return f"the preview changes {watch.changes} of its resources" if watch.changes else ""


def duration(text: str) -> timedelta:
    """Read ``90s``, ``30m``, ``2h`` or ``1d``.

    Raises:
        ArgumentTypeError: for anything else, as argparse wants it.
    """
    form = re.fullmatch(r"([1-9][0-9]{0,5})([smhd])", text, re.ASCII)
    if not form:
        raise ArgumentTypeError("not a duration, as in 90s, 30m, 2h or 1d")
    return timedelta(**{_UNITS[form[2]]: int(form[1])})


def changes_in(file: Path) -> int:
    """Count the resources that a preview would change: all but those that stay the same.

    Raises:
        PreviewUnreadable: if it is not the output of a preview that succeeded.
    """
    try:
        found = read(PREVIEW, file.read_bytes())
    except OSError as error:
        raise PreviewUnreadable(f"preview {file}: cannot be read: {error}") from error
    except ValueError as error:
        raise PreviewUnreadable(f"preview {file}: {error}; make it by preview --json") from error
    if any(each.severity == "error" for each in found.diagnostics or ()):
        raise PreviewUnreadable(f"preview {file}: it failed; see what it says without --json")
    return sum(count for kind, count in found.change_summary.items() if kind != "same")


def _ago(moment: str, now: datetime) -> str:
    if not moment:
        return "and not ended"
    age = now - datetime.fromisoformat(moment)
    return f"{amount(age)} ago" if age >= timedelta(0) else f"{amount(-age)} ahead"
