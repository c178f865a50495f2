"""``digest`` and ``report``: the plan of a stack's next run, and the way past a refusal."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from datetime import datetime

from operate.expected import EXPECTED
from operate.reports.document import document, text
from operate.reports.markdown import markdown
from operate.reports.reading import report_of
from operate.reports.value import Report
from operate.stack import enter, find

COMMANDS = {
    "digest": "list all that the next run would do, and the way past a refusal",
    "report": "the same for a pull request's comment, or for another program",
}
_FORMS: dict[str, Callable[[Report], str]] = {"text": text, "markdown": markdown, "json": document}
_HELP = "markdown fits a comment of 65,536 characters; json is one object; default: text"


def declare(commands: dict[str, argparse.ArgumentParser]) -> None:
    """Describe the options of the commands."""
    commands["digest"].set_defaults(format="text")
    commands["report"].add_argument("--format", choices=[*_FORMS], default="text", help=_HELP)


def run(options: argparse.Namespace, now: datetime) -> int:
    """Print the report of a stack.

    What cannot be worked out is a report too, as Markdown and as JSON: a comment of an earlier plan
    must not stay as if it were of this one.

    Returns:
        0 if nothing is refused or held back, 1 if the run would fail.

    Raises:
        ControlError, RegistryError, Route53Error, StackError, OperateError: if it cannot be
            answered.
    """
    show, name = _FORMS[options.format], options.stack
    try:
        stack = find(name, options.config_file, os.environ)
        name = stack.name
        enter(stack)
        made = report_of(stack, now)
    except EXPECTED as error:
        if show is not text:
            print(show(Report(name, error=str(error))))
        raise
    print(show(made))
    return 1 if made.failing else 0
