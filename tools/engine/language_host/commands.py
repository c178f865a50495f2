"""The command lines and environments of programs and packs: pure functions.

They follow the official host: the SDK's `pulumi-language-python-exec` and
`pulumi.policy` read exactly these flags and variables.
"""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pulumi.runtime.proto import analyzer_pb2, language_pb2


class VirtualEnvironmentError(Exception):
    """The `virtualenv` that a Pulumi.yaml or PulumiPolicy.yaml names is not there."""


@dataclass(frozen=True)
class Interpreter:
    """A Python, and the virtual environment it belongs to (None: this very one)."""

    python: str
    virtualenv: Path | None

    def environment(self, base: Mapping[str, str]) -> dict[str, str]:
        """The environment as the activated virtual environment has it."""
        environ = {key: value for key, value in base.items() if key != "PYTHONHOME"}
        if self.virtualenv is None:
            return environ
        path = os.pathsep.join((str(self.virtualenv / "bin"), base.get("PATH", "")))
        return {**environ, "PATH": path, "VIRTUAL_ENV": str(self.virtualenv)}


def interpreter_of(info: language_pb2.ProgramInfo) -> Interpreter:
    """The Python of a program or pack: option `virtualenv`, relative to its root folder.

    Raises:
        VirtualEnvironmentError: the option names a folder without bin/python.
    """
    named = dict(info.options).get("virtualenv")
    if not isinstance(named, str) or not named:
        return Interpreter(sys.executable, None)
    folder = Path(info.root_directory) / named
    python = folder / "bin" / "python"
    if not python.is_file():
        raise VirtualEnvironmentError(
            f"the virtual environment {folder} has no bin/python: make it with `make setup`, or "
            "`pulumi install` (a policy pack: `pulumi policy install`)"
        )
    return Interpreter(str(python), folder)


def program_command(
    request: language_pb2.RunRequest, engine: str, runner: Path, python: str
) -> list[str]:
    """The command that runs the program of a Run request under the SDK's runner."""
    flags = {
        "monitor": request.monitor_address,
        "engine": engine,
        "project": request.project,
        "root_directory": request.info.root_directory,
        "stack": request.stack,
        "pwd": request.pwd,
        "dry_run": "true" if request.dryRun else "",
        "parallel": str(request.parallel),
        "organization": request.organization,
    }
    options = [part for name, value in flags.items() if value for part in (f"--{name}", value)]
    entry = request.info.entry_point or "."
    return [python, "-u", str(runner), *options, entry, *request.args]


def program_environment(
    request: language_pb2.RunRequest, base: Mapping[str, str]
) -> dict[str, str]:
    """The environment of a program: `base` with its configuration as JSON."""
    config = {
        "PULUMI_CONFIG": json.dumps(dict(request.config)),
        "PULUMI_CONFIG_SECRET_KEYS": json.dumps(list(request.configSecretKeys)),
    }
    return {**base, **config}


def pack_command(python: str, request: language_pb2.RunPluginRequest) -> list[str]:
    """The command that runs a policy pack: its arguments are the engine's address, the folder."""
    module = ["-u", "-m", "pulumi.policy"]
    return [python, *module, *request.args, request.info.program_directory]


def pack_environment(
    stack: analyzer_pb2.AnalyzerStackConfigureRequest | None, base: Mapping[str, str]
) -> dict[str, str]:
    """The environment of a policy pack: `base` with the stack under analysis, if any."""
    if stack is None:
        return dict(base)
    values = {
        "PULUMI_CONFIG": json.dumps(dict(stack.config)) if stack.config else "",
        "PULUMI_ORGANIZATION": stack.organization,
        "PULUMI_PROJECT": stack.project,
        "PULUMI_STACK": stack.stack,
        "PULUMI_DRY_RUN": "true" if stack.dry_run else "false",
    }
    return {**base, **{key: value for key, value in values.items() if value}}
