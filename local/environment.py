"""Where a stack of this checkout runs: on the emulators that `make up` started.

A stack whose name begins with ``local-`` never reaches AWS by accident: it gets the emulators'
endpoints, made-up credentials and this checkout's own state, whatever the user's shell says. Every
other stack's environment is left as it is, so a real one is never sent to an emulator.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import TypeAdapter

from local import notes
from local.errors import NotRunning

CHECKOUT = Path(__file__).resolve().parents[1]
FOLDER = CHECKOUT / ".local"
PREFIX = "local-"

_VARIABLES = TypeAdapter(dict[str, str])
_S3, _ROUTE_53 = "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL_ROUTE_53"
_MADE_UP = {
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_REGION": "us-east-1",
    "AWS_DEFAULT_REGION": "us-east-1",
    # A profile could bring other credentials, endpoints or retries along.
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
}
_STATE = frozenset(
    {
        "PULUMI_BACKEND_URL",
        "PULUMI_CONFIG_PASSPHRASE",
        "PULUMI_CONFIG_PASSPHRASE_FILE",
        "PULUMI_HOME",
    }
)


def is_local(stack: str) -> bool:
    """Say whether a stack's name, fully qualified or not, is one of this checkout's own."""
    return stack.rpartition("/")[2].startswith(PREFIX)


def for_stack(stack: str, environ: Mapping[str, str], folder: Path = FOLDER) -> dict[str, str]:
    """Return the environment for commands on a stack, the whole of it.

    It is the caller's, unless the stack is local. A caller that names both endpoints has a bucket
    and a zone of its own, and then decides all the rest too.

    Raises:
        NotRunning: for a local stack while nothing runs.
        NoteDamaged: if nobody can say what runs.
    """
    if not is_local(stack) or _names_both_endpoints(environ):
        return dict(environ)
    return emulated(environ, _remembered(stack, folder))


def emulated(environ: Mapping[str, str], emulators: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without the user's AWS and engine settings, with the emulators'."""
    kept = {
        name: value
        for name, value in environ.items()
        if not name.startswith("AWS_") and name not in _STATE
    }
    direct = {name: _with_loopback(environ.get(name, "")) for name in ("NO_PROXY", "no_proxy")}
    return {**kept, **direct, **emulators}


def enter(environ: Mapping[str, str]) -> None:
    """Make an environment this process's own: not all that reads one can be handed another."""
    os.environ.clear()
    os.environ.update(environ)


def remember(bucket: str, zone: str, folder: Path = FOLDER) -> dict[str, str]:
    """Write down what the emulators at two URLs need, for later commands; return it."""
    emulators = {_S3: bucket, _ROUTE_53: zone, **_MADE_UP}
    notes.write(_file(folder), _VARIABLES, emulators)
    return emulators


def forget(folder: Path = FOLDER) -> None:
    """Write down that nothing runs."""
    _file(folder).unlink(missing_ok=True)


def _file(folder: Path) -> Path:
    return folder / "environment.json"


def _remembered(stack: str, folder: Path) -> dict[str, str]:
    try:
        return notes.read(_file(folder), _VARIABLES)
    except FileNotFoundError as error:
        raise NotRunning(
            f"stack {stack}: its bucket and zone do not run; start them with `make up`"
        ) from error


def _names_both_endpoints(environ: Mapping[str, str]) -> bool:
    everywhere = environ.get("AWS_ENDPOINT_URL")
    return all(environ.get(name) or everywhere for name in (_S3, _ROUTE_53))


def _with_loopback(hosts: str) -> str:
    return ",".join(filter(None, (hosts, "127.0.0.1")))
