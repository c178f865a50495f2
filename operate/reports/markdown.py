"""A report as a pull request's comment.

What the bucket and the zone say was written by others. It stands in fenced blocks alone, where
GitHub notifies nobody, links nothing and reads no HTML; and no line in them can close its fence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from operate.reports.value import Report

GITHUB_LIMIT = 65_536
"""Characters in a comment; GitHub refuses a longer one whole."""
ROOM = GITHUB_LIMIT - 1_536
"""Characters of ours: the rest is for what a workflow adds."""
_LONGEST = 2_000  # characters of a line
_FRAME = 300  # characters that a block has besides its lines, at most
_OPEN = 40  # lines that are shown without a click
_VERDICTS = {
    "not read": "Nothing is read.",
    "nothing to do": "Nothing to do.",
    "changes": "Nothing is refused.",
    "fails": "**The run would fail at its end**, all else done.",
    "refused": "**Refused**: the run would change nothing.",
    "unknown": "**Unknown**: the plan could not be worked out.",
}
_STRANGE = re.compile(r"[^ -~]")
_UNNAMED = re.compile(r"[^A-Za-z0-9._/-]")


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines below a title. It takes the ``share`` of the room that is left, or what it needs."""

    title: str
    lines: tuple[str, ...]
    share: float


def marker(stack: str) -> str:
    """Return the first line of a stack's comment, by which it is found; readers do not see it."""
    return f"<!-- fairlead plan of {_name(stack)} -->"


def markdown(report: Report) -> str:
    """Return the comment, cut to fit.

    Each block leaves a part of the room to those below it. Removals come first among the changes,
    so they are cut off last.
    """
    told = [marker(report.stack), f"### Plan of `{_name(report.stack)}`", ""]
    told += [_VERDICTS[report.state], *_fenced(_subject(report)), *_way_out(report)]
    for block in _blocks(report):
        room = int((ROOM - _size(told)) * block.share)
        told += _shown(block, room, _name(report.stack))
    return "\n".join(told) + "\n"


def _subject(report: Report) -> Iterator[str]:
    told = (report.subject, report.headline, report.error)
    return (_line(each) for each in told if each)


def _way_out(report: Report) -> Iterator[str]:
    if report.way_out:
        yield "If exactly this is meant:"
        yield from (*_fenced([_line(report.way_out.command)]), "")
    elif report.failing:
        yield "No digest lets all of this through: see the messages without one."
        yield ""


def _blocks(report: Report) -> tuple[_Block, ...]:
    failures = (f"the run would fail: {each}" for each in report.failures)
    verdicts = (f"{each.level}: {each.message}" for each in report.violations)
    return (
        _Block("What the guards say", (*failures, *verdicts), 0.5),
        _Block("Changes, removals first", report.changes, 0.75),
        _Block("Refused, held, standing by", report.remarks, 0.75),
        _Block("What stays as it is", report.staying, 1),
    )


def _shown(block: _Block, room: int, stack: str) -> Iterator[str]:
    """Yield the title and the lines that there is room for, then how many are left out."""
    if not block.lines:
        return
    shown = [*_fitting(map(_line, block.lines), room - _FRAME)]
    opened = " open" if len(block.lines) <= _OPEN else ""
    yield f"<details{opened}><summary>{block.title}: {len(block.lines)}</summary>"
    yield ""
    yield from _fenced(shown)
    if len(shown) < len(block.lines):
        left_out = len(block.lines) - len(shown)
        yield f"and {left_out} more: `python -m operate digest --stack {stack}`"
    yield from ("", "</details>", "")


def _fitting(lines: Iterable[str], room: int) -> Iterator[str]:
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            return
        yield line


def _size(lines: Iterable[str]) -> int:
    return sum(len(line) + 1 for line in lines)


def _fenced(lines: Iterable[str]) -> Iterator[str]:
    yield from ("```diff", *lines, "```")


def _line(text: str) -> str:
    """Return one line of printable ASCII without a backtick, as ``control.text`` would show it."""
    line = _STRANGE.sub("?", text).replace("`", r"\x60")
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."


def _name(stack: str) -> str:
    return _UNNAMED.sub("?", stack)[:100]
