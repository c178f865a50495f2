"""Which stack a command line addresses, as far as it matters here: is it one of this checkout?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from local.engine_arguments import Arguments
from local.engine_errors import SelectionError


def addressed(arguments: Arguments, environ: Mapping[str, str], local: Path) -> str:
    """Return the name after `-s`, else PULUMI_STACK, else the stack that is selected; or nothing.

    Only a selection in this checkout's own engine home is looked up, `local` being its `.local`.

    Raises:
        SelectionError: if the engine's file of it cannot be read: the stack may be a local one.
    """
    if arguments.stack:
        return arguments.stack
    if "PULUMI_STACK" in environ:
        return environ["PULUMI_STACK"]
    if {"PULUMI_HOME", "PULUMI_BACKEND_URL"} & environ.keys():
        return ""
    return _selected(local / "pulumi" / "workspaces", (local / "state").as_uri())


def _selected(workspaces: Path, backend: str) -> str:
    for file in sorted(workspaces.glob("fairlead-*-workspace.json")):
        if stack := _selection(file).get(backend):
            return stack
    return ""


def _selection(file: Path) -> dict[str, str]:
    """Return the selected stack of each backend."""
    try:
        stacks = json.loads(file.read_bytes()).get("stacks") or {}
        return {backend: str(stack) for backend, stack in stacks.items()}
    except (ValueError, AttributeError, RecursionError) as error:
        raise SelectionError(
            f"local/pulumi: {file} does not say which stack is selected: "
            "remove it, and select one with `local/pulumi stack select`"
        ) from error
