"""A stand-in for the engine, behind this checkout's own `local/pulumi`."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from local.engine_env import CHECKOUT

# It tells what it was given, and ends as FAKE_EXIT says; with FAKE_WAIT, on a signal.
FAKE = """#!/usr/bin/env python3
import json, os, pathlib, signal, sys, time
told = {"argv": sys.argv[1:], "cwd": os.getcwd(), "env": dict(os.environ)}
calls = pathlib.Path(os.environ["FAKE_LOG"])
def on(number, frame):
    calls.with_suffix(".signals").open("a").write(f"{number}\\n")
    sys.exit(42)
signal.signal(signal.SIGINT, on)
with calls.open("a") as log:
    log.write(json.dumps(told) + "\\n")
if os.environ.get("FAKE_WAIT"):
    time.sleep(30)
sys.exit(int(os.environ.get("FAKE_EXIT", "0")))
"""


@dataclass(frozen=True)
class Fake:
    """A folder with the engine's stand-ins, and an environment that finds them."""

    folder: Path
    environ: dict[str, str]

    def run(
        self, *words: str, cwd: Path = CHECKOUT, launcher: Path = CHECKOUT / "local" / "pulumi"
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [launcher, *words],
            cwd=cwd,
            env=self.environ,
            capture_output=True,
            text=True,
            check=False,
        )

    def answer(self, text: str) -> None:
        """Let the engine print a text, whatever it is asked."""
        told = FAKE.replace("import json", f"print({text!r})\nimport json", 1)
        (self.folder / "pulumi").write_text(told)

    def calls(self) -> list[dict[str, object]]:
        log = self.folder / "calls"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def environment(self) -> dict[str, str]:
        environ = self.calls()[-1]["env"]
        assert isinstance(environ, dict)
        return environ


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    folder = tmp_path / "official"
    folder.mkdir()
    for name in ("pulumi", "pulumi-language-python"):
        (folder / name).write_text(FAKE)
        (folder / name).chmod(0o755)
    kept = {key: os.environ[key] for key in ("HOME", "LANG") if key in os.environ}
    path = os.pathsep.join((str(folder), os.environ["PATH"]))
    return Fake(folder, {**kept, "PATH": path, "FAKE_LOG": str(folder / "calls")})
