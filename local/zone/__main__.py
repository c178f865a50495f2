"""The emulator as a command: python -m local.zone --port 0 --state FILE --log CALLS.jsonl.

Prints "listening on URL" as its first line, and ends quietly on SIGTERM or SIGINT.
"""

import argparse
import json
import signal
import threading
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

from local.zone.emulator import ZoneEmulator
from local.zone.settings import Settings


def parser() -> argparse.ArgumentParser:
    """The command line: the files, the port, and a flag for each setting."""
    made = argparse.ArgumentParser(
        prog="python -m local.zone", description="A strict emulator of the Amazon Route 53 API."
    )
    made.add_argument("--port", type=int, default=0, help="0, the default, takes a free one")
    made.add_argument("--state", type=Path, help="JSON file that keeps the account between runs")
    made.add_argument("--log", type=Path, help="file that gets a JSON line for each call")
    made.add_argument("--fault", type=Path, help="JSON file with a list of faults")
    for setting in fields(Settings):
        _add_setting(made, setting)
    return made


def main() -> None:
    """Serve until a signal ends it."""
    options = vars(parser().parse_args())
    port, state, log, fault = (options.pop(name) for name in ("port", "state", "log", "fault"))
    faults = json.loads(fault.read_text()) if fault else ()
    done = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: done.set())
    with ZoneEmulator(port, state, log, faults, **options) as emulator:
        print(f"listening on {emulator.url}", flush=True)
        done.wait()


def _add_setting(made: argparse.ArgumentParser, setting: "Field[Any]") -> None:
    flag, default = f"--{setting.name.replace('_', '-')}", setting.default
    if isinstance(default, bool):
        made.add_argument(flag, default=default, action=argparse.BooleanOptionalAction)
    else:
        made.add_argument(flag, default=default, type=type(default))


if __name__ == "__main__":
    main()
