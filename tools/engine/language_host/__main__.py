"""`python -m tools.engine.language_host ENGINE`: serves until the engine lets go.

Prints its port first. It ends quietly, with all it started, on SIGINT and SIGTERM,
and when its standard input closes: the engine holds the other end, dead or alive.
"""

import argparse
import os
import signal
import sys
import threading
from pathlib import Path

from tools.engine.language_host import rpc, stubs

_WORKERS = 16


def main() -> None:
    """Serve the engine at the address of the command line."""
    stubs.import_alone()
    from tools.engine.language_host.host import LanguageHost  # noqa: PLC0415 (not before the stubs)

    arguments = _parse(sys.argv[1:])
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: ended.set())
    threading.Thread(target=_await_end_of_input, args=(ended,), daemon=True).start()
    host = LanguageHost(arguments.engine, arguments.program_runner)
    server, port = rpc.serve(host.handler(), _WORKERS)
    print(port, flush=True)
    ended.wait()
    host.children.stop_all()
    server.stop(grace=None).wait()


def _await_end_of_input(ended: threading.Event) -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    ended.set()


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="pulumi-language-python")
    parser.add_argument("--program-runner", type=Path, required=True)
    # The engine passes its logging options on, and its address last.
    parser.add_argument("--logtostderr", action="store_true")
    parser.add_argument("-v", dest="verbose")
    parser.add_argument("--tracing")
    parser.add_argument("engine")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
