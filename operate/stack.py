"""One stack as the CLI knows it: its settings, its history, its outputs, what is in its state."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import TypeAdapter

from local.environment import for_stack
from operate.answers import CONFIG, EXPORTED, HISTORY, OUTPUTS, Update
from operate.errors import PulumiFailed
from operate.pulumi import Pulumi
from stacks.settings import Settings, SteeringSettings, load, settings_of

KNOWING = frozenset(
    {"pulumi-python:dynamic/steering:ZoneRecords", "pulumi-python:dynamic/steering:Plan"}
)
"""The types of the resources that name a stack's zone and prefix, one for each realizer."""
T = TypeVar("T")
PAGE = 100  # updates; more of the history is not looked at


@dataclass(frozen=True, slots=True)
class Stack:
    """A stack by its name. ``config_file`` is its configuration where that lies elsewhere."""

    name: str
    pulumi: Pulumi
    config_file: str = ""

    def settings(self) -> Settings:
        """Read the settings as its program would, of whatever kind it is, secrets included.

        Raises:
            PulumiFailed: if the CLI does not answer.
            SettingsInvalid: naming every mistake.
        """
        return settings_of(self._config())

    def zone_settings(self) -> SteeringSettings:
        """Read the settings for what is about steering alone.

        Raises:
            PulumiFailed, SettingsInvalid: as `settings`, and for a stack of another kind.
        """
        return load(self._config())

    def outputs(self) -> dict[str, Any]:
        """Return the outputs of the last run that came to its end; none before that."""
        return self._ask(OUTPUTS, "stack", "output", "--json")

    def history(self, most: int = PAGE) -> tuple[Update, ...]:
        """Return the last entries of the history, newest first; the CLI reads an object for each.

        A run that was refused in its own preview leaves none.
        """
        page = ("--page", "1", "--page-size", str(most))
        return self._ask(HISTORY, "stack", "history", "--json", *page)

    def knows(self, zone: str, prefix: str) -> bool:
        """Say whether the state holds the records of a zone and prefix."""
        deployment = self._ask(EXPORTED, "stack", "export").deployment
        resources = (deployment.resources if deployment else None) or ()
        found = [each.outputs or {} for each in resources if each.type in KNOWING]
        return any((each.get("zone"), each.get("prefix")) == (zone, prefix) for each in found)

    def _config(self) -> dict[str, Any]:
        file = ("--config-file", self.config_file) if self.config_file else ()
        config = self._ask(CONFIG, "config", "--json", "--show-secrets", *file)
        return {key: each.get("value") for key, each in config.items()}

    def _ask(self, form: TypeAdapter[T], *words: str) -> T:
        return self.pulumi.ask(form, *words, "--stack", self.name)


def find(name: str, config_file: str, environ: Mapping[str, str]) -> Stack:
    """Find a stack, the selected one if no name is given, in its own environment.

    Raises:
        NotRunning: for a local stack whose emulators do not run.
        PulumiFailed: if no name is given and the CLI names none.
    """
    named = name or _selected(Pulumi.of(environ))
    return Stack(named, Pulumi.of(for_stack(named, environ), named), config_file)


def _selected(pulumi: Pulumi) -> str:
    words = ("stack", "--show-name")
    lines = pulumi.text(*words).split()
    if len(lines) != 1:
        raise PulumiFailed(words, f"its answer has {len(lines)} words, not 1; name one by --stack")
    return lines[0]


def enter(stack: Stack) -> None:
    """Make the stack's environment this process's: its endpoints and credentials hold here too."""
    environ = dict(stack.pulumi.environ)
    os.environ.clear()
    os.environ.update(environ)
