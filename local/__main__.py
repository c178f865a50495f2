"""python -m local up | down | bucket ls|get|put|rm: the embedded default, as commands."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path

from control.text import printable
from local.down import down
from local.environment import enter, for_stack
from local.errors import EngineFailed, LocalError, StacksFailed
from local.objects import Objects
from local.up import STEERING, up


def parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    made = argparse.ArgumentParser(prog="python -m local", description=__doc__)
    commands = made.add_subparsers(dest="command", required=True)
    commands.add_parser("up", help="start the bucket and the zone, and converge the demo's stacks")
    commands.add_parser("down", help="stop what up started")
    bucket = commands.add_parser("bucket", help="look at the demo's bucket, or change it")
    verbs = bucket.add_subparsers(dest="verb", required=True)
    verbs.add_parser("ls", help="list keys").add_argument("prefix", nargs="?", default="")
    verbs.add_parser("get", help="show an object").add_argument("key")
    put = verbs.add_parser("put", help="write a file's bytes as an object")
    put.add_argument("key")
    put.add_argument("file", type=Path)
    verbs.add_parser("rm", help="remove objects").add_argument("keys", nargs="+", metavar="key")
    return made


def main() -> int:
    """Run a command; an expected failure is one line and an exit code."""
    options = parser().parse_args()
    try:
        if options.command == "bucket":
            enter(for_stack(STEERING, os.environ))
            on_bucket(options, Objects(os.environ))
        else:
            (up if options.command == "up" else down)()
    except (LocalError, OSError) as error:
        print(f"local {options.command}: {error}", file=sys.stderr)
        return error.code if isinstance(error, (EngineFailed, StacksFailed)) else 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 0


def on_bucket(options: argparse.Namespace, objects: Objects) -> None:
    """Carry out ``bucket ls|get|put|rm``."""
    if options.verb == "ls":
        for key in objects.keys(options.prefix):
            print(printable(key))
    elif options.verb == "get":
        sys.stdout.buffer.write(objects.get(options.key))
    elif options.verb == "put":
        objects.put(options.key, options.file.read_bytes())
    else:
        for key in options.keys:
            objects.remove(key)


if __name__ == "__main__":
    sys.exit(main())
