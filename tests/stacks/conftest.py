"""The SDK without an engine: what a program says, exports and registers is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pulumi
import pytest
from pulumi.runtime import mocks, settings


@dataclass
class Program(mocks.Mocks):
    """What was seen of a program: ``said`` are its lines by level, passing ones left out.

    ``attached`` says for each information whether it waits for a resource.
    """

    said: list[tuple[str, str]] = field(default_factory=list)
    attached: list[bool] = field(default_factory=list)
    exports: dict[str, Any] = field(default_factory=dict)
    resources: list[mocks.MockResourceArgs] = field(default_factory=list)

    def new_resource(self, args: mocks.MockResourceArgs) -> tuple[str | None, dict[str, Any]]:
        self.resources.append(args)
        return f"{args.name}-id", dict(args.inputs)

    def call(self, args: mocks.MockCallArgs) -> tuple[dict[Any, Any], None]:
        raise AssertionError(args.token)

    def info(self, text: str, resource: object = None, *, ephemeral: bool = False) -> None:
        if not ephemeral:
            self.said.append(("info", text))
            self.attached.append(resource is not None)

    def warn(self, text: str) -> None:
        self.said.append(("warning", text))


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    """A program under the SDK's mocks, whose settings are put back afterwards."""
    watched = Program()
    monkeypatch.setattr(pulumi, "export", watched.exports.__setitem__)
    monkeypatch.setattr(pulumi.log, "info", watched.info)
    monkeypatch.setattr(pulumi.log, "warn", watched.warn)
    mocks.set_mocks(watched, project="fairlead", stack="test")
    yield watched
    settings.reset_options()
