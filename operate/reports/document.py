"""A report as plain text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from operate.reports.value import Report
from policy.guards import Violation

VERSION = 1
_ACTIONS = {"-": "remove", "~": "change", "+": "add"}


def text(report: Report) -> str:
    """Return all of it for people, a line each, the verdict last."""
    return "\n".join(_lines(report))


def document(report: Report) -> str:
    """Return one JSON object, as docs/formats.md has it: the same keys, then those of the kind."""
    return json.dumps(_document(report), indent=2)


def _lines(report: Report) -> Iterator[str]:
    yield f"stack {report.stack}: {report.error or report.subject}"
    if report.error or not report.read:
        return
    yield from filter(None, [report.headline])
    yield from (*report.changes, *report.staying, *report.remarks)
    yield from (f"the run would fail: {each}" for each in report.failures)
    yield from (f"{each.level}: {each.message}" for each in report.violations)
    if report.way_out:
        yield f"to let exactly this through: {report.way_out.command}"
    elif report.failing:
        yield "no digest lets all of this through: see the messages without one"
    else:
        yield "nothing is refused"


def _document(report: Report) -> dict[str, Any]:
    out = report.way_out
    return {
        "version": VERSION,
        "stack": report.stack,
        "kind": report.kind,
        "state": report.state,
        "subject": report.subject,
        "headline": report.headline,
        "changes": [_change(line) for line in report.changes],
        "remarks": [*report.remarks],
        "failures": [*report.failures],
        "violations": [_violation(each) for each in report.violations],
        "digest": out.digest if out else "",
        "acknowledge": out.value if out else "",
        "error": report.error,
        **report.details,
    }


def _change(line: str) -> dict[str, str]:
    symbol, _, rest = line.partition(" ")
    return {"action": _ACTIONS[symbol], "what": rest}


def _violation(violation: Violation) -> dict[str, str]:
    return {
        "rule": violation.rule,
        "level": violation.level,
        "message": violation.message,
        "digest": violation.digest,
    }
