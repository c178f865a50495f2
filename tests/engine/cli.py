"""Runs the real CLI in tests: scratch projects and this checkout's own program.

Every stack has a file backend, a home and a configuration of its own under the
test's folder, so tests run side by side and leave the checkout as it is.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from local.engine_env import CHECKOUT, engine_environment
from local.engine_process import find_process

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tools.engine.locate import Engine

LAUNCHER = CHECKOUT / "local" / "pulumi"
_WITH_CONFIG = frozenset({"config", "destroy", "import", "preview", "refresh", "up"})
_EMPTY_STACK = '{"version": 3, "checkpoint": {"latest": null}}'

Completed = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Stack:
    """One stack: the project's folder, its own folder for all state, and its environment."""

    project: Path
    home: Path
    name: str
    pulumi: Path
    environ: Mapping[str, str]

    @property
    def config_file(self) -> Path:
        """The stack's configuration; it holds the salt of its passphrase too."""
        return self.home / f"Pulumi.{self.name}.yaml"

    @property
    def backend(self) -> Path:
        """The folder of the file backend."""
        return self.home / "state"

    def run(
        self,
        *words: str,
        check: bool = True,
        env: Mapping[str, str] | None = None,
        seconds: float = 300,
    ) -> Completed:
        """Run a command of the CLI for this stack; with `check`, its exit code must be 0."""
        command: list[str | Path] = [self.pulumi, *self._words(words)]
        return self._complete(command, check=check, env=env, seconds=seconds)

    def launch(
        self, *words: str, check: bool = True, env: Mapping[str, str] | None = None
    ) -> Completed:
        """Run a command by local/pulumi, which heals first."""
        return self.launch_plain(*self._words(words), check=check, env=env)

    def launch_plain(
        self, *words: str, check: bool = True, env: Mapping[str, str] | None = None
    ) -> Completed:
        """Run local/pulumi with these words alone: the stack is the selected one."""
        project = ["-C", str(self.project)]
        return self._complete([LAUNCHER, *project, *words], check=check, env=env)

    def start(
        self, *words: str, log: Path, env: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a command of the CLI, to be interrupted; its output goes to the log."""
        with log.open("wb") as output:
            return subprocess.Popen(
                [self.pulumi, *self._words(words)],
                cwd=self.project,
                env={**self.environ, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def export(self) -> dict[str, Any]:
        """The stack's deployment: `resources`, `pending_operations` and so on."""
        exported = json.loads(self.run("stack", "export").stdout)
        deployment: dict[str, Any] = exported["deployment"]
        return deployment

    def resources(self) -> list[dict[str, Any]]:
        """The state's resources, read from the backend's file: no process is started."""
        [file] = (self.backend / ".pulumi" / "stacks").glob(f"*/{self.name}.json.gz")
        latest = json.loads(gzip.decompress(file.read_bytes()))["checkpoint"]["latest"]
        resources: list[dict[str, Any]] = (latest or {}).get("resources", [])
        return resources

    def outputs(self) -> dict[str, Any]:
        """The stack's outputs."""
        outputs: dict[str, Any] = json.loads(self.run("stack", "output", "--json").stdout)
        return outputs

    def configure(self, values: Mapping[str, Any]) -> None:
        """Replace the stack's configuration; keys carry their namespace (`fairlead:zoneId`)."""
        kept = yaml.safe_load(self.config_file.read_text()) if self.config_file.exists() else {}
        self.config_file.write_text(yaml.safe_dump({**kept, "config": dict(values)}))

    def _words(self, words: tuple[str, ...]) -> list[str]:
        with_config = ["--config-file", str(self.config_file)] if words[0] in _WITH_CONFIG else []
        return [*words, "--stack", self.name, *with_config, "--non-interactive", "--color", "never"]

    def _complete(
        self,
        command: list[str | Path],
        *,
        check: bool,
        env: Mapping[str, str] | None,
        seconds: float = 300,
    ) -> Completed:
        done = subprocess.run(
            command,
            cwd=self.project,
            env={**self.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        assert not check or done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done


@dataclass(frozen=True)
class EngineRunner:
    """Makes stacks that the engine of this checkout runs."""

    engine: Engine
    environ: Mapping[str, str]

    def project(self, folder: Path, files: Mapping[str, str], stack: str = "dev") -> Stack:
        """A scratch project in the folder, of these files (name to text), and an empty stack."""
        project = folder / "project"
        project.mkdir(parents=True)
        runtime = {"name": "python", "options": {"virtualenv": str(CHECKOUT / ".venv")}}
        description = {"name": "scratch", "runtime": runtime}
        (project / "Pulumi.yaml").write_text(yaml.safe_dump(description))
        for name, text in files.items():
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            (project / name).write_text(text)
        return self._stack(project, "scratch", folder, stack)

    def program(self, folder: Path, config: Mapping[str, Any], stack: str = "test") -> Stack:
        """This checkout's program, in place, with an empty stack and its state in the folder."""
        made = self._stack(CHECKOUT, "fairlead", folder, stack)
        made.configure(config)
        return made

    def _stack(self, project: Path, project_name: str, home: Path, name: str) -> Stack:
        backend = home / "state"
        states = backend / ".pulumi" / "stacks" / project_name
        states.mkdir(parents=True)
        (backend / ".pulumi" / "meta.yaml").write_text("version: 1\n")
        # Written by hand: `pulumi stack init` would put a file into the checkout.
        (states / f"{name}.json.gz").write_bytes(gzip.compress(_EMPTY_STACK.encode()))
        own = {"PULUMI_BACKEND_URL": backend.as_uri(), "PULUMI_HOME": str(home / "pulumi")}
        unset = {key: value for key, value in self.environ.items() if key not in own}
        environ = engine_environment(self.engine, {**unset, **own})
        return Stack(project, home, name, self.engine.pulumi, environ)


def wait_for(file: Path, seconds: float = 30) -> None:
    """Wait until a process has written something into the file."""
    deadline = time.monotonic() + seconds
    while not (file.exists() and file.stat().st_size):
        assert time.monotonic() < deadline, f"{file} did not appear"
        time.sleep(0.05)


def lives(pid: int) -> bool:
    """Whether the process runs: a zombie does not."""
    process = find_process(pid)
    return process is not None and not process.zombie


def with_children(pid: int) -> list[int]:
    """Return a process and all that came of it."""
    listed = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [pid, *(each for child in listed.stdout.split() for each in with_children(int(child)))]
