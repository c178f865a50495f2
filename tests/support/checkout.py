"""A copy of this checkout in another folder, ready to run: its environments are this one's."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
VIRTUAL_ENVIRONMENTS = (".venv", "policy/venv")
_STAMPS = "stamps:\n\t@echo $(VENV_STAMP) $(PACK_STAMP)\n"
# A shell of somebody who works on AWS: nothing of it may matter to a local stack.
_SHELL = {
    "AWS_PROFILE": "no-such-profile",
    "AWS_SESSION_TOKEN": "real",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "http_proxy": "http://127.0.0.1:9",
    "PULUMI_BACKEND_URL": "file:///no/such/backend",
    "PULUMI_CONFIG_PASSPHRASE": "secret",
}
_IGNORED = (".git", ".local", ".venv", "venv", "__pycache__", ".hypothesis", ".*_cache")


@dataclass(frozen=True)
class Checkout:
    """The folder of a copy."""

    folder: Path

    def run(
        self, command: str, more: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a shell command in the copy; standard error comes with standard output."""
        outside = {key: os.environ[key] for key in ("HOME", "LANG", "PATH") if key in os.environ}
        return subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self.folder,
            env={**outside, **_SHELL, **(more or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )


def copy_to(folder: Path) -> Checkout:
    """Copy what is in the working tree, committed or not, as `make setup` would leave it."""
    shutil.copytree(CHECKOUT, folder, ignore=shutil.ignore_patterns(*_IGNORED), symlinks=True)
    for name in VIRTUAL_ENVIRONMENTS:
        (folder / name).mkdir()
        for entry in (CHECKOUT / name).iterdir():
            (folder / name / entry.name).symlink_to(entry)
    made = Checkout(folder)
    (folder / "stamps.mk").write_text(_STAMPS)
    for stamp in made.run("make -f Makefile -f stamps.mk stamps").stdout.split():
        (folder / stamp).touch()
    return made
