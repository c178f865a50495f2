"""The steps of a workflow as GitHub runs them: the script of the file, in its shell."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.support.checkout import CHECKOUT

WORKFLOWS = CHECKOUT / ".github" / "workflows"
# What `shell: bash` stands for.
SHELL = ("bash", "--noprofile", "--norc", "-eo", "pipefail")
_EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")


def load(file: Path) -> dict[str, Any]:
    """Read a workflow or an action; ``on`` stays a word, which YAML takes for a truth."""
    read: dict[Any, Any] = yaml.safe_load(file.read_text())
    return {"on" if key is True else key: value for key, value in read.items()}


@dataclass(frozen=True)
class Ran:
    """How a step ended, what it printed, its outputs, and what it added to the summary."""

    code: int
    said: str
    outputs: dict[str, str]
    summary: str


@dataclass(frozen=True)
class Runner:
    """Where steps run: the checkout, a folder for their files, and what expressions stand for.

    ``environ`` is what a runner's machine has.
    """

    checkout: Path
    temp: Path
    values: Mapping[str, str]
    environ: dict[str, str]

    def run(self, workflow: str, job: str, step: str) -> Ran:
        """Run one step by its name, to its end."""
        command, environ = self.prepare(workflow, job, step)
        done = subprocess.run(
            command,
            cwd=self.checkout,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        told = _file(self.temp / "output").read_text().splitlines()
        outputs = dict(line.split("=", 1) for line in told)
        return Ran(done.returncode, done.stdout, outputs, _file(self.temp / "summary").read_text())

    def prepare(self, workflow: str, job: str, step: str) -> tuple[list[str], dict[str, str]]:
        """Return a step's command and its environment: the workflow's, the job's, its own."""
        document = load(WORKFLOWS / f"{workflow}.yml")
        found = next(each for each in document["jobs"][job]["steps"] if each.get("name") == step)
        given = {**document.get("env", {}), **document["jobs"][job].get("env", {})}
        given |= found.get("env", {})
        script = self.temp / "script.sh"
        script.write_text(found["run"])
        files = {
            "GITHUB_OUTPUT": str(_file(self.temp / "output", afresh=True)),
            "GITHUB_STEP_SUMMARY": str(_file(self.temp / "summary", afresh=True)),
            "RUNNER_TEMP": str(self.temp),
        }
        resolved = {name: self.resolve(str(text)) for name, text in given.items()}
        return [*SHELL, str(script)], {**self.environ, **files, **resolved}

    def resolve(self, text: str) -> str:
        """Put the values of its expressions into a text; an unknown one is a mistake."""
        return _EXPRESSION.sub(lambda found: self.values[found[1]], text)


def _file(path: Path, *, afresh: bool = False) -> Path:
    if afresh:
        path.write_text("")
    return path
