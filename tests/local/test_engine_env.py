"""What the engine's environment has where nobody says otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from local.engine_env import engine_environment
from tools.engine.locate import Engine

OFFICIAL = Engine(Path("/usr/bin/pulumi"), None)
PLUGINS = "PULUMI_OPTION_SKIP_PLUGIN_PRE_INSTALL"


@pytest.mark.parametrize(("given", "value"), [({}, "true"), ({PLUGINS: "false"}, "false")])
def test_plugins_of_installed_packages(given: dict[str, str], value: str) -> None:
    """An official engine fetches none of them before a run: most stacks need none."""
    assert engine_environment(OFFICIAL, given)[PLUGINS] == value
