"""Asking the Pulumi CLI about a stack. No command of it that changes anything is run here."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from pydantic import TypeAdapter

from local.environment import CHECKOUT, is_local
from operate.answers import read
from operate.errors import PulumiFailed

_OURS = CHECKOUT / "local" / "pulumi"
T = TypeVar("T")
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

    def ask(self, form: TypeAdapter[T], *words: str) -> T:
        """Return a command's answer, which is JSON of a form.

        Raises:
            PulumiFailed: if it fails, or answers something else.
        """
        text = self.text(*words)
        try:
            return read(form, text)
        except ValueError as error:
            said = f"its answer is {error}; run it and see what answers"
            raise PulumiFailed(words, said) from error

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
                encoding="utf-8",
                errors="backslashreplace",
                check=False,
            )
        except OSError as error:
            raise PulumiFailed(words, str(error)) from error
        if done.returncode:
            raise PulumiFailed(words, done.stderr or done.stdout)
        return done.stdout
