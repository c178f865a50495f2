"""The commands about boxes' snapshots: their words, and where they look."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from control.bucket import open_writable
from control.keys import is_label
from operate.drill import drill
from operate.errors import BucketNotNamed
from operate.restore import Order, restore
from operate.snapshots import snapshots
from operate.stack import enter, find

COMMANDS = {
    "restore": "put a dead box's registry in place, out of the newest whole snapshot of it",
    "drill": "restore a box's current snapshot into a temporary file, and say if it is whole",
    "snapshots": "list every box's snapshot and generations, and say which of them are whole",
}
Declare = Callable[[str, str], argparse.ArgumentParser]


def declare(add: Declare) -> None:
    """Describe the commands; ``add`` takes a name and what it does."""
    known = {name: add(name, what) for name, what in COMMANDS.items()}
    for command in known.values():
        command.add_argument("--bucket", default="", help="the bucket; else it is the stack's")
    for name in ("restore", "drill"):
        known[name].add_argument("--box", required=True, type=_label, help="the box's label")
    to = "where its registry is to be; what uses it must be stopped"
    known["restore"].add_argument("--to", required=True, type=Path, help=to)
    aside = "set aside what is there, side files included"
    known["restore"].add_argument("--replace", action="store_true", help=aside)


def run(options: argparse.Namespace, now: datetime) -> int:
    """Run one of the commands; the exit code is its own.

    Raises:
        BucketNotNamed, OperateError, ControlError, RegistryError: see each.
    """
    bucket = _bucket(options)
    store = open_writable(bucket)
    if options.command == "snapshots":
        return snapshots(store, now=now)
    if options.command == "drill":
        return drill(store, bucket=bucket, box=options.box, now=now)
    box, target, replace = options.box, options.to, options.replace
    return restore(store, Order(bucket, box, target, replace, now, new_id=uuid4().hex))


def _bucket(options: argparse.Namespace) -> str:
    """Return the bucket asked for; a stack's environment holds for it, its own or another."""
    if not options.stack:
        if not options.bucket:
            raise BucketNotNamed("give --bucket, or --stack for the bucket of a stack")
        return str(options.bucket)
    stack = find(options.stack, options.config_file, os.environ)
    enter(stack)
    return str(options.bucket or stack.settings().bucket)


def _label(text: str) -> str:
    if not is_label(text):
        raise argparse.ArgumentTypeError("not a label: 1 to 63 of a-z, 0-9 and inner hyphens")
    return text
