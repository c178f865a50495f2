"""Saying things in the CLI, the same way for every kind of stack."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

import pulumi

from folds.report import listing

Progress = Callable[[str], None]
TOLD_EACH = 500  # objects


def progress(text: str) -> None:
    """Show a line that passes."""
    pulumi.log.info(text, ephemeral=True)


def now_and_then(duty: str, tell: Progress) -> Callable[[int, int], None]:
    """Tell of every 500th object: without a terminal each passing line stays in the log."""

    def told(done: int, total: int) -> None:
        if done % TOLD_EACH == 0:
            tell(f"{duty}: read {done} of {total} objects")

    return told


def whole_list() -> str:
    """Return the command that lists what is cut off here."""
    return f"python -m operate digest --stack {pulumi.get_stack()}"


def warn(duty: str, lines: tuple[str, ...]) -> None:
    """Show warnings, if there are any, as one."""
    if lines:
        pulumi.log.warn(f"{duty}: {listing(lines, whole_list())}")


def offer(duty: str, lines: Iterable[str]) -> None:
    """Write the ways past a refusal to standard error, before anything is registered."""
    for line in lines:
        sys.stderr.write(f"{duty}: {line}\n")


def show_plan(headline: str, lines: tuple[str, ...], resource: pulumi.Resource | None) -> None:
    """Show a plan, 200 lines at most, beside its resource where one is given.

    A resource that is refused gets no URN, and a line that waits for one is never shown: give none
    where the resource may be refused.
    """
    pulumi.log.info("\n".join(filter(None, (headline, listing(lines, whole_list())))), resource)
