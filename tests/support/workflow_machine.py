"""A runner's machine with stand-ins for all that the steps of the workflows call."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.support import gh_stub
from tests.support.workflow import Ran, Runner

VALUES = {
    "vars.FAIRLEAD_STACK": "production",
    "vars.FAIRLEAD_BACKEND": "s3://state",
    "secrets.PULUMI_CONFIG_PASSPHRASE": "",
    "inputs.acknowledge": "",
    "github.event.pull_request.number": "7",
    "github.server_url": "https://github.test",
    "github.repository": "team/fairlead",
    "github.run_id": "99",
    "github.token": "token",
    "needs.preview.result": "success",
}
# Writes down how it was called, then does what the test wants.
_STAND_IN = """#!/bin/sh
here=$(dirname "$0")
echo "$(basename "$0") $*" >> "{log}"
echo "$FAIRLEAD_ACKNOWLEDGE" >> "{log}.acknowledge"
{body}
"""


@dataclass
class Machine:
    """A runner with stand-ins for the CLI, this project's Python and ``gh``."""

    folder: Path
    runner: Runner

    @property
    def called(self) -> list[str]:
        log = self.folder / "log"
        return log.read_text().splitlines() if log.exists() else []

    @property
    def acknowledged(self) -> list[str]:
        return (self.folder / "log.acknowledge").read_text().splitlines()

    def put(self, name: str, body: str) -> None:
        """Put a stand-in into the checkout."""
        file = self.folder / "checkout" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_STAND_IN.format(log=self.folder / "log", body=body))
        file.chmod(0o755)

    def comments(self) -> list[list[dict[str, Any]]]:
        pages: list[list[dict[str, Any]]] = json.loads((self.folder / "comments").read_text())
        return pages

    def comment(self, pages: list[list[dict[str, Any]]], **values: str) -> Ran:
        """Run the step that comments, among these comments."""
        (self.folder / "comments").write_text(json.dumps(pages))
        runner = self.with_values({f"needs.preview.{key}": each for key, each in values.items()})
        return runner.run("preview", "comment", "Comment")

    def with_values(self, values: dict[str, str]) -> Runner:
        return replace(self.runner, values={**VALUES, **values})


def machine_in(folder: Path) -> Machine:
    """Make one in an empty folder; its CLI and its Python say that all is well."""
    for name in ("checkout", "temp", "bin"):
        (folder / name).mkdir()
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environ = {"PATH": path, "GITHUB_REPOSITORY": gh_stub.REPOSITORY}
    made = Machine(folder, Runner(folder / "checkout", folder / "temp", VALUES, environ))
    made.put("local/pulumi", "echo '{}'")
    made.put(".venv/bin/python", "exit 0")
    return made


def with_github(machine: Machine, gojq: Path) -> Machine:
    """Add a ``gh`` that knows the comments of one pull request."""
    gh = machine.folder / "bin" / "gh"
    gh.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{gh_stub.__file__}" "$@"\n')
    gh.chmod(0o755)
    state = {"GH_STUB_STATE": str(machine.folder / "comments"), "GH_STUB_JQ": str(gojq)}
    return replace(machine, runner=replace(machine.runner, environ=machine.runner.environ | state))
