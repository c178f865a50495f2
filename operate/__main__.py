"""python -m operate COMMAND: operators' commands, one module or package each.

Those about a stack ask the Pulumi CLI about it, and AWS or the box about what is live; those about
snapshots look into a bucket, and need no stack. Run none of them in the middle of the stack's own
update: the two would read what the other is just changing.
"""

from __future__ import annotations

import argparse
import os
import sys
from datetime import datetime, timezone
from pathlib import Path

from operate import boxes, claims
from operate.expected import EXPECTED
from operate.heartbeat import DEFAULT, duration, heartbeat
from operate.reports import command as reports
from operate.stack import Stack, enter, find
from operate.status import status
from operate.withdraw import withdraw
from stacks.acknowledgement import VARIABLE

COMMANDS = {
    **reports.COMMANDS,
    **claims.COMMANDS,
    "status": "say whether a stack is converged, and what it leaves out",
    "withdraw": "take all that is managed out of a zone, under a digest",
}
FAILED, INTERRUPTED = 2, 130
_CODES = "exit codes: 0 all is well or done, 1 refused or not converged, 2 not answered or finished"


def parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    made = argparse.ArgumentParser(prog="python -m operate", description=__doc__, epilog=_CODES)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--stack", default="", help="the stack; without it the selected one")
    common.add_argument("--config-file", default="", help="its configuration, if not in stacks/")
    commands = made.add_subparsers(dest="command", required=True)

    def add(name: str, what: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name, parents=[common], help=what, description=what, epilog=_CODES
        )

    known = {name: add(name, what) for name, what in COMMANDS.items()}
    boxes.declare(add)
    reports.declare(known)
    claims.declare(known["claims"])
    _declare_status(known["status"])
    known["withdraw"].add_argument("--zone-id", default="", help="the zone of a dormant stack")
    return made


def _declare_status(command: argparse.ArgumentParser) -> None:
    forms = command.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="print one JSON object")
    limit = f"one line for the monitoring: 1 if the last good update is older; bare it is {DEFAULT}"
    forms.add_argument(
        "--max-age", nargs="?", const=DEFAULT, metavar="AGE", type=duration, help=limit
    )
    seen = "what preview --json printed: 1 if it has something to do; goes with --max-age"
    command.add_argument("--preview", type=Path, metavar="FILE", help=seen)


def main() -> int:
    """Run a command; an expected failure is one line and an exit code."""
    options = parser().parse_args()
    try:
        code = _run(options, datetime.now(timezone.utc))
        sys.stdout.flush()
    except EXPECTED as error:
        print(f"operate {options.command}: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print(f"operate {options.command}: interrupted; run it again", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # whoever reads the output has enough of it: `operate digest | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    return code


def _run(options: argparse.Namespace, now: datetime) -> int:
    if options.command in boxes.COMMANDS:
        return boxes.run(options, now)
    if options.command in reports.COMMANDS:
        return reports.run(options, now)
    stack = find(options.stack, options.config_file, os.environ)
    enter(stack)
    if options.command == "status":
        return _status(stack, options, now)
    if options.command in claims.COMMANDS:
        return claims.claims(stack, adopt=options.adopt, only=options.host)
    return withdraw(stack, options.zone_id, os.environ.get(VARIABLE, ""), now)


def _status(stack: Stack, options: argparse.Namespace, now: datetime) -> int:
    if options.max_age or options.preview:
        return heartbeat(stack, now, options.max_age or duration(DEFAULT), options.preview)
    return status(stack, as_json=options.json)


if __name__ == "__main__":
    sys.exit(main())
