"""One stack as the CLI knows it: its settings, its history, its outputs, what is in its state."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from local.environment import for_stack
from operate.pulumi import Pulumi
from stacks.settings import Settings, SteeringSettings, load, settings_of

KNOWING = frozenset(
    {"pulumi-python:dynamic/steering:ZoneRecords", "pulumi-python:dynamic/steering:Plan"}
)
"""The types of the resources that name a stack's zone and prefix, one for each realizer."""
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
        outputs: dict[str, Any] = self._ask("stack", "output", "--json")
        return outputs

    def history(self, most: int = PAGE) -> list[dict[str, Any]]:
        """Return the last entries of the history, newest first; the CLI reads an object for each.

        A run that was refused in its own preview leaves none.
        """
        entries: list[dict[str, Any]] = self._ask(
            "stack", "history", "--json", "--page", "1", "--page-size", str(most)
        )
        return entries

    def knows(self, zone: str, prefix: str) -> bool:
        """Say whether the state holds the records of a zone and prefix."""
        deployment = self._ask("stack", "export")["deployment"] or {}
        found = [
            each["outputs"]
            for each in deployment.get("resources") or ()
            if each["type"] in KNOWING and "outputs" in each
        ]
        return any((each.get("zone"), each.get("prefix")) == (zone, prefix) for each in found)

    def _config(self) -> dict[str, Any]:
        file = ("--config-file", self.config_file) if self.config_file else ()
        config = self._ask("config", "--json", "--show-secrets", *file)
        return {key: each.get("value") for key, each in config.items()}

    def _ask(self, *words: str) -> Any:
        return self.pulumi.ask(*words, "--stack", self.name)


def find(name: str, config_file: str, environ: Mapping[str, str]) -> Stack:
    """Find a stack, the selected one if no name is given, in its own environment.

    Raises:
        NotRunning: for a local stack whose emulators do not run.
        PulumiFailed: if no name is given and none is selected.
    """
    named = name or Pulumi.of(environ).text("stack", "--show-name").strip()
    return Stack(named, Pulumi.of(for_stack(named, environ), named), config_file)


def enter(stack: Stack) -> None:
    """Make the stack's environment this process's: its endpoints and credentials hold here too."""
    environ = dict(stack.pulumi.environ)
    os.environ.clear()
    os.environ.update(environ)
