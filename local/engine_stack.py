"""Which stack a command line addresses, as far as it matters here: is it one of this checkout?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from local.engine_arguments import Arguments


def addressed(arguments: Arguments, environ: Mapping[str, str], local: Path) -> str:
    """Return the name after `-s`, else PULUMI_STACK, else the stack that is selected; or nothing.

    Only a selection in this checkout's own engine home is looked up, `local` being its `.local`.
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
        stack = json.loads(file.read_text()).get("stacks", {}).get(backend, "")
        if stack:
            return str(stack)
    return ""
