"""Asking the Pulumi CLI about a stack. No command of it that changes anything is run here."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from local.environment import CHECKOUT, is_local
from operate.errors import PulumiFailed

_OURS = CHECKOUT / "local" / "pulumi"
_PLAIN = ("--non-interactive", "--color", "never")


@dataclass(frozen=True, slots=True)
class Pulumi:
    """The CLI as its user would type it, in this checkout's folder and in an environment."""

    command: str
    environ: Mapping[str, str]

    @classmethod
    def of(cls, environ: Mapping[str, str], stack: str = "") -> Pulumi:
        """Find the CLI: ``pulumi`` on PATH, as its user types it, else ``local/pulumi``.

        A local stack's state is where ``local/pulumi`` puts it, so that is asked then.
        """
        typed = None if is_local(stack) else shutil.which("pulumi", path=environ.get("PATH"))
        return cls(typed or str(_OURS), environ)

    @property
    def shown(self) -> str:
        """The CLI as it is typed."""
        return "local/pulumi" if self.command == str(_OURS) else "pulumi"

    def ask(self, *words: str) -> Any:
        """Return a command's answer, which is JSON.

        Raises:
            PulumiFailed: if it fails, or answers something else.
        """
        try:
            return json.loads(self.text(*words))
        except json.JSONDecodeError as error:
            raise PulumiFailed(words, f"its answer is not JSON: {error}") from error

    def text(self, *words: str) -> str:
        """Return what a command prints.

        Raises:
            PulumiFailed: if it fails, or there is none.
        """
        try:
            done = subprocess.run(  # noqa: S603 - the user's own CLI, no shell
                [self.command, *words, *_PLAIN],
                cwd=CHECKOUT,
                env=dict(self.environ),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
        except OSError as error:
            raise PulumiFailed(words, str(error)) from error
        if done.returncode:
            raise PulumiFailed(words, done.stderr or done.stdout)
        return done.stdout
